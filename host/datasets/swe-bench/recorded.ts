import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { readForeignText } from '../../lib/index.ts';
import { findData } from '../files.ts';
import { readRecords } from '../records/index.ts';
import { parserOf, type LogParser } from './logs/index.ts';
import { sweRecord, type SweRecord } from './record.ts';
import { testsReport, type TestsReport } from './resolved.ts';
import { variants } from './variants.ts';

/** The verdict of a recorded log on one record, as the owners' harness would give it. */
export interface LogReport {
  readonly id: string;
  /** Why there is no verdict; with no tests then, and never a score of 0. */
  readonly unavailable?: string;
  /** Why the run doesn't count, and the record is unresolved. */
  readonly invalid?: string;
  readonly tests?: TestsReport;
  readonly resolved: boolean;
}

/** Bytes of a log. */
const mostLog = 256 * 1024 * 1024;
const start = '>>>>> Start Test Output';
const end = '>>>>> End Test Output';
const ended = [
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
export async function gradeLogs(name: string, data: string, folder: string): Promise<LogReport[]> {
  const variant = variants.find(({ about }) => about.name === name);
  if (!variant) {
    const help = `There are: ${variants.map(({ about }) => about.name).join(', ')}.`;
    throw new PwpError('usage', `no logs are graded for ${name}`, { help });
  }
  const file = await findData(variant.about, data, variant.files);
  const { records } = await readRecords(file, sweRecord);
  if (!(await isFolder(folder))) throw new PwpError('no-such-folder', `${folder} is not a folder`);
  return Promise.all(records.map(async (record) => reportOf(record, await logOf(folder, record))));
}

/** @param log undefined if it does not exist */
export function reportOf(record: SweRecord, log: string | undefined): LogReport {
  const id = record.instance_id;
  if (log === undefined) return { id, unavailable: 'there is no log', resolved: false };
  const parser = parserOf(record);
  if (!parser)
    return {
      id,
      unavailable: `no parser for the logs of ${record.log_parser ?? record.repo}`,
      resolved: false,
    };
  const invalid = whyInvalid(log, parser);
  if (invalid !== undefined) return { id, invalid, resolved: false };
  const tests = testsReport(record, statusesOf(log, parser), parser);
  return { id, tests, resolved: tests.resolved };
}

function whyInvalid(log: string, parser: LogParser): string | undefined {
  const line = ended.find((one) => log.includes(one));
  if (line !== undefined) return line.replace('>>>>> ', '');
  if (!log.includes(start) || !log.includes(end)) return 'the tests were not run to their end';
  const statuses = statusesOf(log, parser);
  if (statuses.size === 0 && !ranWithoutNames.test(log)) return 'the log has no test';
  const code = Number(/>>>>> Test Exit Code:\s*(-?\d+)/.exec(log)?.[1] ?? 0);
  const hasFailure = [...statuses.values()].some((status) => status === 'FAILED' || status === 'ERROR');
  if (code !== 0 && statuses.size > 0 && !hasFailure)
    return `the runner ended with exit code ${code} and reports no failure`;
  return undefined;
}

/** From the log between the marks; from all of it if that is empty, since some runners write past them. */
function statusesOf(log: string, { read }: LogParser) {
  const between = read(log.split(start)[1]?.split(end)[0] ?? '');
  return between.size > 0 ? between : read(log);
}

async function logOf(folder: string, { instance_id: id }: SweRecord): Promise<string | undefined> {
  return readForeignText(folder, join(id, 'test_output.txt'), mostLog).catch(() => undefined);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  );
}
