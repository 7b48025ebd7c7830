import { join } from 'node:path';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { isFolder, readUntrustedText } from '../../../lib/index.ts';
import { findData, readRecords } from '../records/index.ts';
import type { LogStatus, LogStatuses } from './log-lines.ts';
import { chooseLogParser, type LogParser } from './log-parsers.ts';
import { sweBenchSets, type SweRecord, sweRecordSchema } from './swe-bench-sets.ts';

/** The verdict of a recorded log on one record, as the owners' harness would give it. */
export interface RecordedLogReport {
  readonly id: string;
  /** Why there is no verdict; with no tests then, and never a score of 0. */
  readonly unavailable?: string;
  /** Why the run doesn't count, and the record is unresolved. */
  readonly invalid?: string;
  readonly tests?: TestsReport;
  readonly resolved: boolean;
}

/** Bytes of a log. */
const mostLogBytes = 256 * 1024 * 1024;
const startMark = '>>>>> Start Test Output';
const endMark = '>>>>> End Test Output';
const endedMarks = [
  '>>>>> Patch Apply Failed',
  '>>>>> Reset Failed',
  '>>>>> Tests Errored',
  '>>>>> Tests Timed Out',
];
const ranWithoutNames =
  /Executed [1-9]\d* of \d+|TOTAL: [1-9]\d* (?:SUCCESS|FAILED)|[1-9]\d* passing|Tests:\s+[1-9]\d*|[1-9]\d* specs?, \d+ failures?/m;

/**
 * Grades logs that the owners' harness wrote, as `<folder>/<instance_id>/test_output.txt`. Errors: `no-data`, `bad-data`,
 * `usage` for a dataset that is not of the family.
 * @param data what `--data` names: the records
 */
export async function gradeRecordedLogs(
  name: string,
  data: string,
  folder: string,
): Promise<RecordedLogReport[]> {
  const variant = sweBenchSets.find(({ about }) => about.name === name);
  if (!variant) {
    const help = `There are: ${sweBenchSets.map(({ about }) => about.name).join(', ')}.`;
    throw new PwpError('usage', `no logs are graded for ${name}`, { help });
  }
  const file = await findData(variant.about, data, variant.files);
  const { records } = await readRecords(file, sweRecordSchema);
  if (!(await isFolder(folder))) throw new PwpError('no-such-folder', `${folder} is not a folder`);
  return Promise.all(records.map(async (record) => gradeLog(record, await readRecordedLog(folder, record))));
}

/** @param log undefined if it does not exist */
export function gradeLog(record: SweRecord, log: string | undefined): RecordedLogReport {
  const id = record.instance_id;
  if (log === undefined) return { id, unavailable: 'there is no log', resolved: false };
  const parser = chooseLogParser(record);
  if (!parser)
    return {
      id,
      unavailable: `no parser for the logs of ${record.log_parser ?? record.repo}`,
      resolved: false,
    };
  const invalid = findInvalidity(log, parser);
  if (invalid !== undefined) return { id, invalid, resolved: false };
  const tests = reportTests(record, readStatuses(log, parser), parser);
  return { id, tests, resolved: tests.resolved };
}

function findInvalidity(log: string, parser: LogParser): string | undefined {
  const line = endedMarks.find((one) => log.includes(one));
  if (line !== undefined) return line.replace('>>>>> ', '');
  if (!log.includes(startMark) || !log.includes(endMark)) return 'the tests were not run to their end';
  const statuses = readStatuses(log, parser);
  if (statuses.size === 0 && !ranWithoutNames.test(log)) return 'the log has no test';
  const code = Number(/>>>>> Test Exit Code:\s*(-?\d+)/.exec(log)?.[1] ?? 0);
  const hasFailure = [...statuses.values()].some((status) => status === 'FAILED' || status === 'ERROR');
  if (code !== 0 && statuses.size > 0 && !hasFailure)
    return `the runner ended with exit code ${code} and reports no failure`;
  return undefined;
}

/** From the log between the marks; from all of it if that is empty, since some runners write past them. */
function readStatuses(log: string, { read }: LogParser) {
  const between = read(log.split(startMark)[1]?.split(endMark)[0] ?? '');
  return between.size > 0 ? between : read(log);
}

async function readRecordedLog(folder: string, { instance_id: id }: SweRecord): Promise<string | undefined> {
  return readUntrustedText(folder, join(id, 'test_output.txt'), mostLogBytes).catch(() => undefined);
}

/** The results of the tests of one kind. */
interface TestsOutcome {
  readonly success: readonly string[];
  readonly failure: readonly string[];
}

interface TestsReport {
  readonly FAIL_TO_PASS: TestsOutcome;
  readonly PASS_TO_PASS: TestsOutcome;
  readonly resolved: boolean;
}

const passingStatuses: readonly (LogStatus | undefined)[] = ['PASSED', 'XFAIL'];

/**
 * The owners' rule: every FAIL_TO_PASS test PASSED or XFAIL, every PASS_TO_PASS test one of these or SKIPPED. A test that
 * is not in the log has failed, unless such logs have only failures.
 */
export function reportTests(
  record: Pick<SweRecord, 'FAIL_TO_PASS' | 'PASS_TO_PASS'>,
  statuses: LogStatuses,
  { failuresOnly }: Pick<LogParser, 'failuresOnly'> = {},
): TestsReport {
  const passes = (name: string): boolean =>
    failuresOnly ? statuses.get(name) !== 'FAILED' : passingStatuses.includes(findStatus(name, statuses));
  const holds = (name: string): boolean =>
    passes(name) || (!failuresOnly && findStatus(name, statuses) === 'SKIPPED');
  const FAIL_TO_PASS = splitOutcome(record.FAIL_TO_PASS, passes);
  const PASS_TO_PASS = splitOutcome(record.PASS_TO_PASS, holds);
  const resolved = FAIL_TO_PASS.failure.length === 0 && PASS_TO_PASS.failure.length === 0;
  return { FAIL_TO_PASS, PASS_TO_PASS, resolved };
}

function splitOutcome(names: readonly string[], isRight: (name: string) => boolean): TestsOutcome {
  return { success: names.filter(isRight), failure: names.filter((name) => !isRight(name)) };
}

/** Names that the records cut within their parameters mean all tests with this beginning, if these agree. */
function findStatus(name: string, statuses: LogStatuses): LogStatus | undefined {
  const exact = statuses.get(name);
  if (exact !== undefined || name.split('[').length <= name.split(']').length) return exact;
  const meant = [...statuses].filter(([other]) => other.startsWith(name)).map(([, status]) => status);
  const agree = new Set(meant.map((status) => passingStatuses.includes(status))).size === 1;
  return agree ? meant[0] : undefined;
}
