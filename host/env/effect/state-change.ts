import type { Mark } from '../../../bridge/protocol/index.ts';

type State = Mark['state'];

/** The new state of a control or a row, e.g. `checked`; empty if it is unchanged. */
export function stateChange(before: State, now: State): string {
  return [
    ...(before.checked === now.checked ? [] : [now.checked ? 'checked' : 'not checked']),
    ...(before.expanded === now.expanded ? [] : [now.expanded ? 'open' : 'closed']),
    ...(before.selected === now.selected ? [] : [now.selected ? 'selected' : 'not selected']),
  ].join(', ');
}
