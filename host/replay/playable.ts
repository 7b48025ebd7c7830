import { messageOf, clip } from '../../bridge/lib/index.ts';
import { parseAction, type Action } from '../env/index.ts';
import type { EventOf, RecordedAction, RecordedMark } from '../record/index.ts';
import { sameMark, type Marked } from './marks.ts';

/** A recorded moment, as it can be played now: the actions, and what is left out; or why it can't be played. */
export type Playable =
  { readonly actions: readonly Action[]; readonly notes: readonly string[] } | { readonly why: string };

/** The marks that the agent was shown when it acted, and those of now. */
export interface Shown {
  readonly then: readonly RecordedMark[];
  readonly now: readonly Marked[];
}

/**
 * The actions of a step that were played: not those that were refused, skipped or silently dropped. An agent's questions
 * to people are not asked again.
 */
export function playableStep({ outcomes }: EventOf<'step'>, shown: Shown): Playable {
  const actions: Action[] = [];
  const notes: string[] = [];
  for (const { action, effect, suppressed } of outcomes) {
    if (effect === 'refused') continue;
    if (suppressed) {
      notes.push('an action was silently dropped then, and is not played');
      continue;
    }
    if (action.kind === 'ask') {
      notes.push(`people were asked ${JSON.stringify(clip(action.text, 80))} then, and are not asked again`);
      continue;
    }
    const found = actionNow(action, shown);
    if ('why' in found) return found;
    actions.push(found.action);
  }
  return { actions, notes };
}

/**
 * The acts of people by hand.
 * @param inView the agent sees a picture of another size: then lines are in its pixels, but those of people are not
 */
export function playablePeople({ acts }: EventOf<'people'>, inView: boolean): Playable {
  if (acts.length === 0)
    return { actions: [], notes: ['people had control; nothing that they did is recorded'] };
  const actions = acts.map(({ action }) => action);
  const secret = actions.find((line) => !line.startsWith('xdotool '));
  if (secret !== undefined) return { why: `people ${secret}, which is not recorded` };
  if (inView && actions.some((line) => line.includes('mousemove')))
    return { why: 'people used the mouse, and their places are in other pixels than those of the agent' };
  try {
    return { actions: actions.map((line) => parseAction(line)), notes: [] };
  } catch (error) {
    return { why: `what people did is not whole in the record: ${messageOf(error)}` };
  }
}

function actionNow(
  action: RecordedAction,
  { then, now }: Shown,
): { readonly action: Action } | { readonly why: string } {
  if (action.kind === 'tool' && isCut(action.arguments))
    return { why: `the arguments of ${action.name} are not whole in the record` };
  if (action.kind !== 'mark') return { action };
  const mark = sameMark(action.mark, then, now);
  if ('why' in mark) return mark;
  if (action.verb !== 'drag') return { action: { ...action, mark: mark.id } };
  const to = sameMark(action.to, then, now);
  return 'why' in to ? to : { action: { ...action, mark: mark.id, to: to.id } };
}

/** A record cuts long texts of long arguments, and notes that at their end. */
function isCut(value: unknown): boolean {
  if (typeof value === 'string') return value.length > 20_000 && /… \(\d+ characters left out\)$/.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(isCut);
}
