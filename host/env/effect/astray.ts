import type { Act } from '../actions/index.ts';
import { judgePress } from './click.ts';
import type { Around } from './evidence.ts';
import { effectOf } from './judge.ts';

/**
 * Whether input after an action would go to the wrong place: its text did not land as it was sent, or its click did not
 * give the keyboard to the field, editor or terminal that it hit.
 * @returns why, e.g. `focus is not in textbox "README.md"`; undefined if all is well, or if that can't be known
 */
export function whyAstray(act: Act, around: Around): string | undefined {
  if (act.kind !== 'played') return undefined;
  const { intent } = act;
  if (intent.typed === '' && intent.fills === undefined) return judgePress(intent, around);
  const { effect } = effectOf(act, around);
  return effect === 'partial' || effect === 'no-effect' ? 'the text did not land as it was sent' : undefined;
}
