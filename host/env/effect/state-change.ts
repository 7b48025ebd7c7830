import type { Mark } from '../../../bridge/protocol/index.ts';

type State = Mark['state'];

/** What a control or a row has become, e.g. `checked`; empty if it is as it was. */
export function stateChange(before: State, now: State): string {
  return [
    ...(before.checked === now.checked ? [] : [now.checked ? 'checked' : 'not checked']),
    ...(before.expanded === now.expanded ? [] : [now.expanded ? 'open' : 'closed']),
    ...(before.selected === now.selected ? [] : [now.selected ? 'selected' : 'not selected']),
  ].join(', ');
}
