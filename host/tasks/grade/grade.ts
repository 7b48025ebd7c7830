import {
  type Cancellable,
  describeError,
  imagePrograms,
  neverAborted,
  PwpError,
} from '../../../bridge/lib/index.ts';
import type { ExecResult, Node, Sandbox } from '../../node/index.ts';
import type { Task, TaskSeed } from '../format/index.ts';
import { askIde, type AskIdeOptions } from './ask-ide.ts';
import { serveCodeRuns } from './code-runs.ts';
import { freshSpec, startUntouched } from './fresh-sandbox.ts';
import { gradePatchInImage, isImageTask } from './grade-in-image.ts';
import { packChecks } from './grading-seeds.ts';
import { gradeByImageTests, type TestedState } from './image-tests.ts';
import { type LeftChanges, readLeftChanges } from './left-changes.ts';
import {
  type CheckResult,
  explainTrust,
  formatTestLog,
  isNodeLost,
  readVerdict,
  TestsUnavailable,
  unavailableExitCode,
} from './verdict.ts';
import { withVariant } from './with-variant.ts';

export interface GradeOptions extends Cancellable {
  readonly node: Node;
  /** The agent's sandbox. */
  readonly sandbox: Sandbox;
  readonly task: Task;
  /** Called with what the agent changed, as it is graded; also where there is no score afterwards. */
  readonly onChanges?: ((changes: LeftChanges) => void) | undefined;
}

/** The tests' verdict on what the agent left. */
export interface Grade {
  /** 0 to 1. */
  readonly reward: number;
  /** Each check, with the reason why it passed or failed; empty if the tests report only a reward. */
  readonly checks: readonly CheckResult[];
  /** Why the IDE may not have written all that it had before its files were copied; absent if it had its time. */
  readonly unwritten?: string;
  /**
   * Why what the agent left is scored 0 without a verdict: the tests reached no verdict on it, twice, and reached one
   * on the task's untouched start. Absent where there is a verdict.
   */
  readonly noVerdict?: string;
  /** Why code that the agent left could have forged a pass; absent where the tests run none of it beside them. */
  readonly trust?: string;
  /** The output of the tests, bounded. */
  readonly log: string;
  /** Milliseconds that grading took. */
  readonly ms: number;
}

/** The folders that are copied from the agent's sandbox in every task. Nothing in them is run. */
function listCopiedFolders({ workspace, home }: Sandbox, { config }: Task): string[] {
  return [...new Set([workspace, '/ide', home, ...config.pwp.graded_folders])];
}

/** Where the copy's problems are listed: what can't be copied safely is missing, and graded as missing. */
const leftOutFile = '/logs/left-out.txt';

/**
 * Nothing in the tests' environment is the agent's: fixed programs, no home with start-up files or git configuration,
 * and a working folder without modules or configuration of the agent's.
 */
const testProcess = {
  argv: [imagePrograms.bash, '--noprofile', '--norc', '/tests/test.sh'],
  cwd: '/tests',
  env: {
    PATH: '/opt/node/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/nonexistent',
    LANG: 'C.UTF-8',
    // An image may name a file of the agent's there, which would run before the tests.
    BASH_ENV: '',
    GIT_CONFIG_NOSYSTEM: '1',
    PYTHONDONTWRITEBYTECODE: '1',
    // The repository may belong to the agent's user.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
  },
  maxOutputBytes: 200_000,
} as const;

/**
 * Scores what the agent left: its sandbox is frozen while its folders are copied into a fresh one, which alone gets the
 * tests. Errors: `grading-failed` when there is no trustworthy score, e.g. a test that never reports, regardless of
 * what was left; the signal's reason when it fires.
 */
export async function grade({ signal = neverAborted, ...given }: GradeOptions): Promise<Grade> {
  const start = performance.now();
  try {
    const options = { ...given, task: await withVariant(given.task, { ...given, signal }), signal };
    const trust = await explainTrust(given.task, given.sandbox.workspace);
    const graded = await (isImageTask(options.task)
      ? gradePatchInImage(options, options.task)
      : gradeByTests(options));
    return { ...(trust !== undefined && { trust }), ...graded, ms: performance.now() - start };
  } catch (cause) {
    signal.throwIfAborted();
    throw wrapGradingFailure(given.task, cause);
  }
}

async function gradeByTests(options: FreshOptions): Promise<UntimedGrade> {
  const ideFacts = await askIde(options);
  const facts = ideFacts ? [ideFacts] : [];
  return await runAndReadTests(options, facts).catch((cause: unknown) =>
    gradeWithoutVerdict(cause, options, facts),
  );
}

type UntimedGrade = Omit<Grade, 'ms'>;

async function runAndReadTests(
  options: FreshOptions,
  ideFacts: readonly TaskSeed[],
  start: TestedState = 'left',
): Promise<UntimedGrade> {
  const { imageTests } = options.task;
  if (imageTests) return await gradeByImageTests(imageTests, options, start);
  await using fresh = await (start === 'left'
    ? startOnCopy(options, ideFacts)
    : startUntouched(options, [
        ...(await options.task.testSeeds()),
        await packChecks(options.task),
        ...ideFacts,
      ]));
  const ran = await runTests(fresh, options);
  const log = [await readMissing(fresh), formatTestLog(ran)].filter((part) => part !== '').join('\n');
  if (ran.exitCode === unavailableExitCode)
    throw new TestsUnavailable(`the tests can not judge here\n${log}`);
  const { reward, checks } = await readVerdict(fresh, log);
  // Tests that report a failure may end with it, as many of Harbor's do. A pass is one that ends well.
  if (reward > 0 && ran.exitCode !== 0)
    throw new PwpError(
      'grading-failed',
      `the tests report ${reward} and did not end with exit code 0\n${log}`,
    );
  return { reward, checks, log };
}

/**
 * Either the machine or the tests are at fault, which gives no score, or the agent has left something that can't be
 * copied or tested, which gives one: the agent must not avoid a failure this way. The agent is at fault if the tests
 * reach a verdict on the untouched start, and again no verdict on what was left. Else the cause is thrown.
 */
async function gradeWithoutVerdict(
  cause: unknown,
  { node, sandbox, task, signal }: AskIdeOptions,
  ideFacts: readonly TaskSeed[],
): Promise<UntimedGrade> {
  const options = { node, sandbox, task, signal };
  signal.throwIfAborted();
  if (cause instanceof TestsUnavailable) throw cause;
  const sound = await runAndReadTests(options, ideFacts, 'untouched').catch(() => null);
  signal.throwIfAborted();
  if (sound === null) throw cause;
  try {
    return await runAndReadTests(options, ideFacts);
  } catch (again) {
    signal.throwIfAborted();
    if (again instanceof TestsUnavailable || isNodeLost(again)) throw again;
    const log = describeError(again);
    return { reward: 0, checks: [], noVerdict: log.split('\n', 1)[0] ?? '', log };
  }
}

type FreshOptions = AskIdeOptions & Pick<GradeOptions, 'onChanges'>;

async function startOnCopy(
  { node, sandbox, task, onChanges, signal }: FreshOptions,
  ideFacts: readonly TaskSeed[],
): Promise<Sandbox> {
  const paths = listCopiedFolders(sandbox, task);
  const seeds = [...(await task.testSeeds(paths)), await packChecks(task), ...ideFacts];
  await using frozen = new AsyncDisposableStack();
  frozen.use(await sandbox.freeze());
  if (onChanges) onChanges(await readLeftChanges({ node, sandbox, task, signal }));
  return await node.start(
    {
      ...freshSpec(task, sandbox),
      seeds,
      copy: { from: sandbox.id, paths, leftOut: leftOutFile },
    },
    { signal },
  );
}

async function runTests(fresh: Sandbox, { node, task, signal }: AskIdeOptions): Promise<ExecResult> {
  const seconds = task.config.verifier.timeout_sec;
  const over = new AbortController();
  const both = AbortSignal.any([signal, over.signal]);
  const codeRuns = serveCodeRuns({ node, grading: fresh, signal: both });
  try {
    const tests = fresh.exec({ ...testProcess, timeoutMs: seconds * 1000 }, { signal: both });
    const ran = await Promise.race([tests, codeRuns]);
    if (ran.timedOut)
      throw new PwpError('grading-failed', `the tests took longer than ${seconds} s\n${formatTestLog(ran)}`);
    return ran;
  } finally {
    over.abort();
    await codeRuns.catch(() => undefined);
  }
}

async function readMissing(fresh: Sandbox): Promise<string> {
  const bytes = await fresh.readFile(leftOutFile, 100_000);
  const lines = Buffer.from(bytes ?? [])
    .toString('utf8')
    .trimEnd();
  return lines && `not copied: ${lines.replaceAll('\n', '; ')}`;
}

function wrapGradingFailure(task: Task, cause: unknown): PwpError {
  const usual = 'There is no score: look at the tests and at the sandbox, then run the episode again.';
  const help = cause instanceof PwpError ? (cause.help ?? usual) : usual;
  return new PwpError('grading-failed', `task ${task.id} could not be graded: ${describeError(cause)}`, {
    cause,
    help,
  });
}
