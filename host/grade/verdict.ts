import * as z from 'zod';
import { PwpError, messageOf, clip } from '../../bridge/lib/index.ts';
import type { Sandbox } from '../node/index.ts';

/** One thing that the tests looked at. */
const checkResult = z.strictObject({
  name: z.string().max(1000).describe('what was checked'),
  passed: z.boolean().nullable().describe('null: it could not be measured, and counts as neither'),
  why: z
    .string()
    .max(20_000)
    .describe('what was found, and what was expected; or why it could not be measured'),
});
export type CheckResult = z.output<typeof checkResult>;

export interface Verdict {
  /** 0 to 1. */
  readonly reward: number;
  readonly checks: readonly CheckResult[];
}

/** The exit code of tests that can't judge any answer in this image; EX_UNAVAILABLE of sysexits.h. */
export const unavailableExit = 69;

const reward = z.number().min(0).max(1);
/** Harbor's reward.json: named numbers, of which `reward` is the score. */
const rewards = z.record(z.string(), z.number());
const checkResults = z.array(checkResult).max(1000);
const folder = '/logs/verifier';
const maxBytes = 1024 * 1024;

/**
 * Reads, from outside, the report of the tests: `reward.txt` or `reward.json`, and `checks.json` where there is one.
 * Errors: `grading-failed` for a missing or an invalid reward.
 * @param log what the tests printed, for the error
 */
export async function readVerdict(sandbox: Pick<Sandbox, 'readFile'>, log: string): Promise<Verdict> {
  const [text, json, checks] = await Promise.all(
    ['reward.txt', 'reward.json', 'checks.json'].map((name) => readText(sandbox, `${folder}/${name}`)),
  );
  return { reward: rewardOf(text, json, log), checks: checks === undefined ? [] : checksOf(checks) };
}

function rewardOf(text: string | undefined, json: string | undefined, log: string): number {
  if (text !== undefined) return rewardOfText(text);
  if (json !== undefined) return rewardOfJson(json);
  throw new PwpError('grading-failed', `the tests ended without a reward in ${folder}\n${log}`);
}

function rewardOfText(text: string): number {
  const trimmed = text.trim();
  // As programs print numbers; Number() alone would take an empty text for 0 and "0x1" for 1.
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : Number.NaN;
  return checked(
    reward,
    number,
    `${folder}/reward.txt: expected a number from 0 to 1, found ${JSON.stringify(clip(text, 200))}`,
  );
}

function rewardOfJson(text: string): number {
  const problem = `${folder}/reward.json: expected an object of numbers with a reward from 0 to 1, found ${clip(text, 200)}`;
  const all = checked(rewards, parsed(text, problem), problem);
  const values = Object.values(all);
  return checked(reward, all['reward'] ?? (values.length === 1 ? values[0] : undefined), problem);
}

function checksOf(text: string): readonly CheckResult[] {
  const problem = `${folder}/checks.json: expected a list of {name, passed, why}, with true, false or null for passed`;
  return checked(checkResults, parsed(text, problem), problem);
}

function parsed(text: string, problem: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PwpError('grading-failed', `${problem} (${messageOf(cause)})`, { cause });
  }
}

function checked<S extends z.ZodType>(schema: S, value: unknown, problem: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new PwpError('grading-failed', problem, { cause: result.error });
}

async function readText(sandbox: Pick<Sandbox, 'readFile'>, path: string): Promise<string | undefined> {
  const bytes = await sandbox.readFile(path, maxBytes);
  return bytes === null ? undefined : Buffer.from(bytes).toString('utf8');
}
