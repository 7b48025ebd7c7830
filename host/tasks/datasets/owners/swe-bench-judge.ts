import { join } from 'node:path';
import * as z from 'zod';
import { type Cancellable, deadline, describeError, PwpError } from '../../../../bridge/lib/index.ts';
import { clipEnd } from '../../../../bridge/text/index.ts';
import { openTemporaryFolder, packageFolder } from '../../../lib/index.ts';
import { ensureOwnersPackage, type EnsurePackageOptions, type OwnersPackage } from './owners-package.ts';
import { runProgram } from './run-program.ts';

/**
 * What grades SWE-bench and its variants. Its grading needs one further wheel; what else the package asks for (clients of
 * Docker and of model hubs, 490 MB) is for its other commands.
 */
export const sweBenchPackage: OwnersPackage = {
  name: 'swebench',
  version: '5.0.2',
  use: 'which grades SWE-bench',
  python: [3, 10],
  wheels: [
    {
      name: 'swebench',
      version: '5.0.2',
      sha256: 'b7f0416a1e686eca22c2f749b5f816685a202835032f6683080e2b53545bbb62',
    },
    {
      name: 'unidiff',
      version: '1.0.1',
      sha256: '5e2ca461eda8a4c761ad0922e3e8a65742f359dc60301a3a055b70fd7c158680',
    },
  ],
};

/** The fields of a record that decide how a log is judged. */
export interface JudgedRecord {
  readonly instance_id: string;
  readonly repo: string;
  readonly version: string;
  readonly FAIL_TO_PASS: readonly string[];
  readonly PASS_TO_PASS: readonly string[];
  readonly log_parser: string;
  readonly eval_type: string;
}

/** A test that a record names. */
export interface JudgedTest {
  readonly name: string;
  /** In the log: `PASSED`, `FAILED`, `ERROR`, `SKIPPED`, `XFAIL`, or `missing`; another word if the log has one there. */
  readonly status: string;
  /** Whether it is as it must be; null if its owners count it as neither. */
  readonly holds: boolean | null;
}

/** The owners' verdict on one run of a record's tests. */
export type OwnersVerdict =
  | {
      readonly ran: true;
      readonly resolved: boolean;
      readonly tests: Readonly<Record<'FAIL_TO_PASS' | 'PASS_TO_PASS', readonly JudgedTest[]>>;
    }
  | {
      /** No test was reported, or the report can't be trusted. Their harness counts the record as not resolved. */
      readonly ran: false;
      /** Whether the log looks as if the machine or the image were why: the agent's code can make it look so. */
      readonly infraFailure: boolean;
      readonly why: string;
    };

export interface JudgeOptions extends EnsurePackageOptions {
  /** Milliseconds that judging may take. Default 180,000. */
  readonly judgeMs?: number;
}

const testSchema = z.tuple([z.string().max(20), z.boolean().nullable()]);
const testsSchema = z.array(testSchema).max(200_000);
const answerSchema = z.union([
  z.strictObject({ unknown: z.string().max(500) }),
  z.strictObject({
    ran: z.literal(true),
    resolved: z.boolean(),
    infraFailure: z.literal(false),
    why: z.null(),
    tests: z.strictObject({ FAIL_TO_PASS: testsSchema, PASS_TO_PASS: testsSchema }),
  }),
  z.strictObject({
    ran: z.literal(false),
    resolved: z.literal(false),
    infraFailure: z.boolean(),
    why: z.string().max(500),
  }),
]);
type JudgeAnswer = z.output<typeof answerSchema>;

/** Exit code of the program if the package can't be loaded. */
const noPackageExitCode = 3;

/**
 * Has the owners' own code judge the log of a record's tests, as `run_evaluation` of their harness does: in a process that
 * has no rights, files or network, since the log is the agent's. Errors: `owners-package-missing`; `bad-data` for a record
 * that the package doesn't know how to judge; `command-failed`; the signal's reason.
 * @param log what the tests printed, standard output and error as one text
 */
export async function judgeSweBenchLog(
  record: JudgedRecord,
  patch: string,
  log: string,
  { judgeMs = 180_000, ...options }: JudgeOptions = {},
): Promise<OwnersVerdict> {
  const python = await ensureOwnersPackage(sweBenchPackage, options);
  await using folder = await openTemporaryFolder('judge');
  const input = JSON.stringify({
    ...{ version: sweBenchPackage.version, folder: folder.path, patch, log },
    record: pickFields(record),
  });
  const answer = await askProgram(python, input, { judgeMs, signal: options.signal });
  return typeof answer === 'string'
    ? { ran: false, infraFailure: true, why: answer }
    : toVerdict(record, answer);
}

/** Nothing else: the program takes each field for one of the owners' specification. */
function pickFields(record: JudgedRecord): JudgedRecord {
  const { instance_id, repo, version, FAIL_TO_PASS, PASS_TO_PASS, log_parser, eval_type } = record;
  return { instance_id, repo, version, FAIL_TO_PASS, PASS_TO_PASS, log_parser, eval_type };
}

interface AskOptions extends Cancellable {
  readonly judgeMs: number;
}

/** The program's answer; or why the log was too much for it. */
async function askProgram(
  python: string,
  input: string,
  { judgeMs, signal }: AskOptions,
): Promise<JudgeAnswer | string> {
  const program = join(packageFolder(import.meta.url), 'host/tasks/datasets/owners/grader/judge_log.py');
  const argv = [python, '-I', '-B', '-X', 'utf8', program];
  using limit = deadline('judging of a log', judgeMs, signal);
  const ran = await runProgram({ argv, env: {}, input, signal: limit.signal }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    if (limit.signal.aborted) return null;
    throw cause;
  });
  if (ran === null) return `swebench took longer than ${judgeMs / 1000} s to read the log`;
  const { exit, stdout, stderr } = ran;
  if (exit.code === noPackageExitCode) throw damagedPackage(python, stderr);
  if (exit.code === null || (exit.code !== 0 && stderr.includes('MemoryError')))
    return `swebench needs more time or memory to read the log than it gets (${exit.signal ?? 'MemoryError'})`;
  if (exit.code !== 0) throw new PwpError('command-failed', `${program}: ${clipEnd(stderr.trim(), 2000)}`);
  return parseAnswer(stdout);
}

function damagedPackage(python: string, said: string): PwpError {
  return new PwpError('owners-package-missing', `swebench can't be loaded: ${clipEnd(said.trim(), 500)}`, {
    help: `Remove ${join(python, '../..')}: it is then installed again.`,
  });
}

function parseAnswer(text: string): JudgeAnswer {
  try {
    return answerSchema.parse(JSON.parse(text));
  } catch (cause) {
    const why = `the program that judges logs gave another answer than expected: ${describeError(cause)}`;
    throw new PwpError('command-failed', why, { cause });
  }
}

function toVerdict(record: JudgedRecord, answer: JudgeAnswer): OwnersVerdict {
  if ('unknown' in answer)
    throw new PwpError('bad-data', `${record.instance_id}: ${answer.unknown}`, {
      help: `This version grades records of swebench ${sweBenchPackage.version}.`,
    });
  if (!answer.ran) return { ran: false, infraFailure: answer.infraFailure, why: answer.why };
  const { resolved, tests } = answer;
  const nameTests = (list: 'FAIL_TO_PASS' | 'PASS_TO_PASS') => {
    const names = record[list];
    if (names.length !== tests[list].length)
      throw new PwpError('command-failed', `${record.instance_id}: not all ${list} tests were judged`);
    return tests[list].map(([status, holds], index) => ({ name: names[index] ?? '', status, holds }));
  };
  return {
    ran: true,
    resolved,
    tests: { FAIL_TO_PASS: nameTests('FAIL_TO_PASS'), PASS_TO_PASS: nameTests('PASS_TO_PASS') },
  };
}
