import type { PwpError } from '../../../bridge/lib/index.ts';
import { dom, type Service, type ServiceName } from '../../../bridge/protocol/index.ts';
import type { Sandbox, Settled, SettleOptions } from '../../node/index.ts';
import { type Action, compileAction } from '../actions/index.ts';
import type { ActionOutcome, Evidence } from '../effect/index.ts';
import { compareMarks } from '../mark-table.ts';
import type { Observation, StepInfo } from '../observation.ts';

const noTime = { actMs: 0, settleMs: 0, screenshotMs: 0, marksMs: 0, totalMs: 0 };

/** A step that did nothing, because it is not the agent's turn: the agent sees what it saw before. */
export function makeRefusedStep(
  { display }: Sandbox,
  batch: readonly (string | Action)[],
  last: Observation,
  { message, help }: PwpError,
): Omit<StepInfo, 'step' | 'services'> {
  const sight = { screen: { x: 0, y: 0, ...display }, view: last.screen.view };
  const [first, ...skipped] = batch.map((action) => compileAction(action, sight).action);
  const evidence = help === undefined ? message : `${message}. ${help}`;
  return {
    outcomes: first ? [{ action: first, effect: 'refused', evidence, output: undefined }] : [],
    skipped,
    settled: { ms: 0, reason: 'quiet', busy: [] },
    marks: compareMarks(last, last),
    timing: noTime,
    withheld: `${message}: what is on the screen now is not shown`,
  };
}

/** A window that is still loading at the cap has this many milliseconds to come back. */
const reloadMs = 20_000;

/**
 * Settles. Waits longer for a window that is reloaded by the input and not back at the cap: until then there is nothing to
 * see or to act on.
 * @param first the look before the input
 */
export async function settleThroughReload(
  sandbox: Sandbox,
  options: SettleOptions,
  first: Evidence | undefined,
  signal: AbortSignal,
): Promise<Settled> {
  const settled = await sandbox.settle({ ...options, signal });
  const page = first?.page;
  if (settled.reason === 'quiet' || !page || page.dialog) return settled;
  if (!(await isReloading(sandbox, page.loadedAt, signal))) return settled;
  const again = await sandbox.settle({ ...options, capMs: Math.max(options.capMs, reloadMs), signal });
  return { ...again, ms: settled.ms + again.ms };
}

/** Whether the page was replaced, or does not answer. */
async function isReloading(sandbox: Sandbox, loadedAt: number, signal: AbortSignal): Promise<boolean> {
  try {
    const page = await sandbox.call(dom.probe, {}, { signal });
    return !page.dialog && page.loadedAt !== loadedAt;
  } catch {
    signal.throwIfAborted();
    return true;
  }
}

/** Input passes through these on its way into VS Code. */
const windowServices: readonly ServiceName[] = ['xvfb', 'chromium', 'code-server'];

/**
 * The outcomes of a step in which the window died: a visible change may be the window that came back, and it is not known
 * where in the step it died. So input is never reported as confirmed or without effect then.
 * @param services the reports on parts of the desktop during the step
 */
export function withdrawCertainty(
  outcomes: readonly ActionOutcome[],
  services: readonly Service[],
): ActionOutcome[] {
  const died = services.filter(({ name, state }) => windowServices.includes(name) && state !== 'ready');
  const names = [...new Set(died.map(({ name }) => name))].join(' and ');
  if (names === '') return [...outcomes];
  return outcomes.map((outcome) => {
    if (!isInputOutcome(outcome) || outcome.effect === 'refused') return outcome;
    const evidence = `${names} died in this step: how much of the input arrived is not known; ${outcome.evidence}`;
    return { ...outcome, effect: 'unverifiable', evidence };
  });
}

/** An answer of a tool, a dialog or a person proves itself. */
function isInputOutcome({ action }: ActionOutcome): boolean {
  return action.kind !== 'tool' && action.kind !== 'dialog' && action.kind !== 'ask';
}
