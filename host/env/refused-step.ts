import type { PwpError } from '../../bridge/lib/index.ts';
import type { Sandbox } from '../node/index.ts';
import { compile, type Action } from './actions/index.ts';
import { changesOf } from './mark-changes.ts';
import type { Observation, StepInfo } from './types.ts';

const noTime = { actMs: 0, settleMs: 0, screenshotMs: 0, marksMs: 0, totalMs: 0 };

/** A step that did nothing, because it is not the agent's turn: the agent sees what it saw before. */
export function refusedStep(
  { display }: Sandbox,
  batch: readonly (string | Action)[],
  last: Observation,
  { message, help }: PwpError,
): Omit<StepInfo, 'step' | 'services'> {
  const sight = { screen: { x: 0, y: 0, ...display }, view: last.screen.view };
  const [first, ...skipped] = batch.map((action) => compile(action, sight).action);
  const evidence = help === undefined ? message : `${message}. ${help}`;
  return {
    outcomes: first ? [{ action: first, effect: 'refused', evidence, output: undefined }] : [],
    skipped,
    settled: { ms: 0, reason: 'quiet', busy: [] },
    marks: changesOf(last, last),
    timing: noTime,
    withheld: `${message}: what is on the screen now is not shown`,
  };
}
