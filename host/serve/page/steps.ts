import type { AgentOutcome, AgentStep } from '../../../bridge/protocol/index.ts';
import { byId, highlighted, make } from '../../page/index.ts';

/** The maximum number of steps to show; older ones are in the record. */
const most = 100;

/** Shows who did what with which effect, the newest first. */
export function showSteps(steps: readonly AgentStep[], query: string): void {
  const found = steps.filter((step) => query === '' || textOf(step).includes(query)).slice(-most);
  byId('steps-list').replaceChildren(...found.toReversed().map((step) => rowOf(step, query)));
  byId('steps-none').hidden = found.length > 0;
  byId('steps-none').textContent = steps.length > 0 ? 'No step matches.' : 'No steps so far.';
  byId('steps-count').textContent = steps.length > 0 ? String(steps.length) : '';
}

function textOf({ outcomes }: AgentStep): string {
  return outcomes
    .map(({ action, effect, evidence }) => `${action} ${effect} ${evidence}`)
    .join('\n')
    .toLowerCase();
}

function rowOf(step: AgentStep, query: string): HTMLElement {
  const row = make('li', 'step');
  row.dataset.by = step.by;
  const who = step.by === 'person' ? 'Person' : 'Agent';
  const at = new Date(step.at).toLocaleTimeString();
  const head = make('p', 'small');
  head.append(make('b', '', who), ` ${step.step === null ? '' : `step ${step.step}, `}${at}`);
  row.append(head, ...step.outcomes.map((outcome) => outcomeOf(outcome, query)));
  const left = step.omitted + step.skipped;
  if (left > 0) row.append(make('p', 'small', `${left} more, not shown or not tried`));
  return row;
}

function outcomeOf({ action, effect, evidence }: AgentOutcome, query: string): HTMLElement {
  const outcome = make('div', 'outcome');
  outcome.dataset.effect = effect;
  outcome.append(
    highlighted(action, query, 'action'),
    make('span', 'effect', effect),
    highlighted(evidence, query, 'evidence'),
  );
  return outcome;
}
