import type { Service, ServiceName } from '../../bridge/protocol/index.ts';
import type { ActionOutcome } from './effect/index.ts';

/** Input passes through these on its way into VS Code. */
const window: readonly ServiceName[] = ['xvfb', 'chromium', 'code-server'];

/**
 * The outcomes of a step in which the window died: a visible change may be the window that came back, and it is not known
 * where in the step it died. So input is never reported as confirmed or without effect then.
 * @param services the reports on parts of the desktop during the step
 */
export function withoutCertainty(
  outcomes: readonly ActionOutcome[],
  services: readonly Service[],
): ActionOutcome[] {
  const died = services.filter(({ name, state }) => window.includes(name) && state !== 'ready');
  const names = [...new Set(died.map(({ name }) => name))].join(' and ');
  if (names === '') return [...outcomes];
  return outcomes.map((outcome) => {
    if (!isInput(outcome) || outcome.effect === 'refused') return outcome;
    const evidence = `${names} died in this step: how much of the input arrived is not known; ${outcome.evidence}`;
    return { ...outcome, effect: 'unverifiable', evidence };
  });
}

/** An answer of a tool, a dialog or a person proves itself. */
function isInput({ action }: ActionOutcome): boolean {
  return action.kind !== 'tool' && action.kind !== 'dialog' && action.kind !== 'ask';
}
