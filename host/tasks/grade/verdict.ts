import * as z from 'zod';
import { collectCauses, describeError, PwpError } from '../../../bridge/lib/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import type { ExecResult, Sandbox } from '../../node/index.ts';
import type { Task } from '../format/index.ts';

/** One thing that the tests looked at. */
const checkResultSchema = z.strictObject({
  name: z.string().max(1000).describe('what was checked'),
  passed: z.boolean().nullable().describe('null: it could not be measured, and counts as neither'),
  why: z
    .string()
    .max(20_000)
    .describe('what was found, and what was expected; or why it could not be measured'),
});
export type CheckResult = z.output<typeof checkResultSchema>;

interface Verdict {
  /** 0 to 1. */
  readonly reward: number;
  readonly checks: readonly CheckResult[];
}

/** The exit code of tests that can't judge any answer in this image; EX_UNAVAILABLE of sysexits.h. */
export const unavailableExitCode = 69;

/** For tests that can't judge any answer here: there is no score, regardless of what was left. */
export class TestsUnavailable extends PwpError {
  constructor(message: string, cause?: unknown) {
    super('grading-failed', message, { cause });
  }
}

const rewardSchema = z.number().min(0).max(1);
/** Harbor's reward.json: named numbers, of which `reward` is the score. */
const rewardsSchema = z.record(z.string(), z.number());
const checkResultsSchema = z.array(checkResultSchema).max(1000);
export const reportFolder = '/logs/verifier';
const mostReportBytes = 1024 * 1024;

/**
 * Reads, from outside, the report of the tests: `reward.txt` or `reward.json`, and `checks.json` where there is one.
 * Errors: `grading-failed` for a missing or an invalid reward.
 * @param log what the tests printed, for the error
 */
export async function readVerdict(sandbox: Pick<Sandbox, 'readFile'>, log: string): Promise<Verdict> {
  const [text, json, checks] = await Promise.all(
    ['reward.txt', 'reward.json', 'checks.json'].map((name) =>
      readReport(sandbox, `${reportFolder}/${name}`),
    ),
  );
  return {
    reward: findReward(text, json, log),
    checks: checks === undefined ? [] : parseCheckResults(checks),
  };
}

/** Rewards by their names. */
export type Rewards = Readonly<Record<string, number>>;

/** As programs of Python print numbers, and true and false beside them. */
const namedRewards = z
  .record(z.string(), z.union([z.number(), z.boolean().transform(Number)]))
  .refine((all) => Object.keys(all).length > 0);

/**
 * All that tests report, as Harbor reads it: the numbers of `reward.json`, else that of `reward.txt`, which is `reward`.
 * Errors: `grading-failed`.
 */
export async function readRewards(sandbox: Pick<Sandbox, 'readFile'>, log: string): Promise<Rewards> {
  const json = await readReport(sandbox, `${reportFolder}/reward.json`);
  if (json !== undefined) {
    const problem = `${reportFolder}/reward.json: expected an object of numbers, found ${clip(json, 200)}\n${log}`;
    return checkReport(namedRewards, parseReportJson(json, problem), problem);
  }
  const text = await readReport(sandbox, `${reportFolder}/reward.txt`);
  if (text === undefined)
    throw new PwpError('grading-failed', `the tests ended without a reward in ${reportFolder}\n${log}`);
  const problem = `${reportFolder}/reward.txt: expected a number, found ${JSON.stringify(clip(text, 200))}\n${log}`;
  return { reward: checkReport(z.number(), parseNumber(text), problem) };
}

/** What tests printed, and how they ended. */
export function formatTestLog({ stdout, stderr, exitCode, truncated }: ExecResult): string {
  const ending = `exit code ${exitCode ?? 'none'}${truncated ? ', output cut' : ''}`;
  return [stdout.trimEnd(), stderr.trimEnd(), ending].filter((part) => part !== '').join('\n');
}

function findReward(text: string | undefined, json: string | undefined, log: string): number {
  if (text !== undefined) return parseRewardText(text);
  if (json !== undefined) return parseRewardJson(json);
  throw new PwpError('grading-failed', `the tests ended without a reward in ${reportFolder}\n${log}`);
}

function parseRewardText(text: string): number {
  return checkReport(
    rewardSchema,
    parseNumber(text),
    `${reportFolder}/reward.txt: expected a number from 0 to 1, found ${JSON.stringify(clip(text, 200))}`,
  );
}

/** As programs print numbers; Number() alone would take an empty text for 0 and "0x1" for 1. */
function parseNumber(text: string): number {
  const trimmed = text.trim();
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : Number.NaN;
}

function parseRewardJson(text: string): number {
  const problem = `${reportFolder}/reward.json: expected an object of numbers with a reward from 0 to 1, found ${clip(text, 200)}`;
  const all = checkReport(rewardsSchema, parseReportJson(text, problem), problem);
  const values = Object.values(all);
  return checkReport(rewardSchema, all['reward'] ?? (values.length === 1 ? values[0] : undefined), problem);
}

function parseCheckResults(text: string): readonly CheckResult[] {
  const problem = `${reportFolder}/checks.json: expected a list of {name, passed, why}, with true, false or null for passed`;
  return checkReport(checkResultsSchema, parseReportJson(text, problem), problem);
}

function parseReportJson(text: string, problem: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PwpError('grading-failed', `${problem} (${describeError(cause)})`, { cause });
  }
}

function checkReport<S extends z.ZodType>(schema: S, value: unknown, problem: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new PwpError('grading-failed', problem, { cause: result.error });
}

async function readReport(sandbox: Pick<Sandbox, 'readFile'>, path: string): Promise<string | undefined> {
  const bytes = await sandbox.readFile(path, mostReportBytes);
  return bytes === null ? undefined : Buffer.from(bytes).toString('utf8');
}

/**
 * Why what an agent left could have forged a pass of this task; undefined where its tests run none of it beside them.
 * A task that does not say so itself is judged by the text of its tests.
 */
export async function explainTrust(
  { id, config, agentCodeUses }: Pick<Task, 'id' | 'config' | 'agentCodeUses'>,
  workspace?: string,
): Promise<string | undefined> {
  const { agent_code: declared } = config.pwp;
  if (declared === 'beside')
    return `tests of ${id.split('/', 1)[0] ?? id} run the agent's code beside them, which can forge a pass`;
  const [first, ...others] = declared === undefined ? await agentCodeUses(workspace) : [];
  if (first === undefined) return undefined;
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  return `the tests seem to run the agent's code beside them, which could forge a pass (${first}${more})`;
}

/** Whether the node went away, which says nothing about what was left. */
export function isNodeLost(error: unknown): boolean {
  const codes = [error, ...collectCauses(error)].map((at) => (at instanceof PwpError ? at.code : ''));
  return codes.some((code) => code.startsWith('node-'));
}
