import { messageOf } from '../../bridge/lib/index.ts';
import { parseAction, type Action } from './actions/index.ts';

/** A batch as callers write it: one line, one action, or a mixed list. A line that is no action becomes `unreadable`. */
export function readActions(actions: string | Action | readonly (string | Action)[]): Action[] {
  if (typeof actions === 'string') return [readLine(actions)];
  if ('kind' in actions) return [actions];
  return actions.map((action) => (typeof action === 'string' ? readLine(action) : action));
}

function readLine(line: string): Action {
  try {
    return parseAction(line);
  } catch (error) {
    return { kind: 'unreadable', line, why: messageOf(error) };
  }
}
