import type { Intent } from '../actions/index.ts';

/** The kind of thing that changed. */
export type ChangeKind =
  | 'browser'
  | 'news'
  | 'chord'
  | 'layout'
  | 'popup'
  | 'focus'
  | 'control'
  | 'text'
  | 'cursor'
  | 'view'
  | 'terminal'
  | 'selected';

/** A press of the button moves the focus and selects what it hits, whether or not something is dragged. */
const ofPresses: readonly ChangeKind[] = ['focus', 'control'];
/** Late changes by programs, language servers and earlier input. */
const late: readonly ChangeKind[] = ['text', 'popup'];

/**
 * Whether an action can have caused a change: other changes prove nothing about it. A drag has to do more than a press
 * of a button does; the mouse writes nothing into a terminal; keys that move the cursor write no text.
 */
export function mayCause({ drags, buttons, moves }: Intent, kind: ChangeKind): boolean {
  if (drags && ofPresses.includes(kind)) return false;
  if (buttons && kind === 'terminal') return false;
  return !(moves && late.includes(kind));
}
