import type { Intent } from '../actions/index.ts';

/** What a change is of. */
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

/** A press of the button moves the focus and selects what it hits, whatever is dragged then or not. */
const ofPresses: readonly ChangeKind[] = ['focus', 'control'];
/** What programs, language servers and earlier input do, late. */
const late: readonly ChangeKind[] = ['text', 'popup'];

/**
 * Whether an action can have caused a change: what it can't have caused proves nothing of it. A drag has to do more than
 * press a button does; the mouse writes nothing into a terminal; keys that move the cursor write no text.
 */
export function mayCause({ drags, buttons, moves }: Intent, kind: ChangeKind): boolean {
  if (drags && ofPresses.includes(kind)) return false;
  if (buttons && kind === 'terminal') return false;
  return !(moves && late.includes(kind));
}
