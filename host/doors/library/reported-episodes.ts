import type { Cancellable } from '../../../bridge/lib/index.ts';
import { writeReport } from '../report/index.ts';
import {
  checkTasks,
  type Continuation,
  continueEpisode,
  type ContinueOptions,
  type EpisodeOptions,
  type EpisodeResult,
  findFirstWrong,
  type Finding,
  type FirstWrong,
  type FirstWrongOptions,
  LocalRunner,
  type LocalRunnerOptions,
  runEpisode,
  type TaskCheckOptions,
} from '../../run/index.ts';

// For programs, episodes write a report unless `writeReport` is given.

/** One agent, one task, one fresh sandbox: reset, steps, grade, record, report. Rejects only if recording fails. */
export function runReportedEpisode(options: EpisodeOptions): Promise<EpisodeResult> {
  return runEpisode({ writeReport, ...options });
}

/** As `checkTasks` of `agents`, with reports. */
export function checkTasksWithReports(options: TaskCheckOptions): Promise<Finding[]> {
  return checkTasks({ writeReport, ...options });
}

/** As `continueEpisode` of `replay`, with reports. */
export function continueReportedEpisode(options: ContinueOptions & Cancellable): Promise<Continuation> {
  return continueEpisode({ writeReport, ...options });
}

/** As `findFirstWrong` of `replay`, with reports. */
export function findReportedFirstWrong(options: FirstWrongOptions): Promise<FirstWrong> {
  return findFirstWrong({ writeReport, ...options });
}

/** Makes attempts in this process, on one node, and writes a report of each. */
export class ReportingRunner extends LocalRunner {
  constructor(options: LocalRunnerOptions) {
    super({ writeReport, ...options });
  }
}
