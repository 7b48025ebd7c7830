import { describeError, imagePrograms, PwpError } from '../../../bridge/lib/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import { defaultLimits, type ExecSpec, type Node, type Sandbox, type SandboxSpec } from '../../node/index.ts';
import {
  type ArchiveEntry,
  type ImageTests,
  makeRunnable,
  packArchive,
  type SeparateTests,
  type Task,
  type ImageTestRun,
} from '../format/index.ts';
import {
  type CheckResult,
  formatTestLog,
  readRewards,
  reportFolder,
  type Rewards,
  TestsUnavailable,
} from './verdict.ts';

interface ImageGradingOptions {
  readonly node: Node;
  /** The agent's sandbox. */
  readonly sandbox: Sandbox;
  readonly task: Task;
  readonly signal: AbortSignal;
}

/** What is tested: what the agent left, or the untouched beginning of the task. */
export type TestedState = 'left' | 'untouched';

interface ImageGrade {
  /** 0 to 1. */
  readonly reward: number;
  readonly checks: readonly CheckResult[];
  /** As in `Grade`. */
  readonly trust?: string;
  readonly log: string;
}

const maxOutputBytes = 200_000;
/** Where the problems of a copy are listed. */
const leftOutFile = '/logs/left-out.txt';

/**
 * Runs the tests of a task in its image. A fresh sandbox has all that the agent changed in its root, and none of its
 * processes. Tests that ask these run in a live copy of the agent's sandbox, with its processes. Errors: `grading-failed`.
 */
export async function gradeByImageTests(
  tests: ImageTests,
  options: ImageGradingOptions,
  state: TestedState,
): Promise<ImageGrade> {
  const isLive = tests.service !== undefined && state === 'left';
  await using tested = await (isLive
    ? startLiveCopy(options, tests.service)
    : startFresh(tests, options, state));
  const trust = `the tests ask programs that the agent left running (${tests.service}), and ran beside them in a live copy of its sandbox, where they can forge a pass`;
  return { ...(await runImageTests(tests, tested, options)), ...(isLive && { trust }) };
}

async function startFresh(
  { runs }: ImageTests,
  { node, sandbox, task, signal }: ImageGradingOptions,
  state: TestedState,
): Promise<Sandbox> {
  const beside = runs.find(({ separate }) => separate === undefined);
  const spec = {
    ...makeTestSpec(sandbox, listTestLimits(task)),
    ...(sandbox.root !== null && { root: sandbox.root }),
    workspace: sandbox.workspace,
    network: beside?.network ?? ({ mode: 'no-network' } as const),
  };
  if (state === 'untouched')
    return await node.start(
      {
        ...spec,
        seeds: await task.seeds({}, sandbox.workspace, sandbox.home),
        // With a copy, even of nothing, it never waits for room: the agent's sandbox would wait for it.
        copy: { from: sandbox.id, paths: [] },
      },
      { signal },
    );
  await using frozen = new AsyncDisposableStack();
  frozen.use(await sandbox.freeze());
  return await node.start({ ...spec, seeds: [], copy: { from: sandbox.id, paths: ['/'] } }, { signal });
}

/** The agent's own sandbox gets no tests. Errors: `TestsUnavailable`. */
async function startLiveCopy(
  { node, sandbox, signal }: ImageGradingOptions,
  service: string | undefined,
): Promise<Sandbox> {
  try {
    const { id } = await sandbox.checkpoint({ kind: 'live', name: 'grade', signal });
    try {
      return await node.fork(id, { name: 'grade', keep: false, signal });
    } finally {
      await node.deleteCheckpoint(id).catch(() => undefined);
    }
  } catch (cause) {
    signal.throwIfAborted();
    const problem = `the tests need processes that the agent started (${service}), and its sandbox can't be copied while it runs`;
    throw new TestsUnavailable(`${problem}: ${describeError(cause)}`, cause);
  }
}

function makeTestSpec({ display }: Pick<Sandbox, 'display'>, limits: SandboxSpec['limits']) {
  return { name: 'grade', role: 'bare', keep: false, display, limits } as const;
}

/** All that the agent may have left, and as much again for what the tests write. */
function listTestLimits({ config }: Task): SandboxSpec['limits'] {
  const { cpus = 2, memory_mb: memoryMb = defaultLimits.memoryMb, storage_mb: diskMb } = config.environment;
  return {
    ...defaultLimits,
    cpus: Math.max(2, cpus),
    memoryMb,
    diskMb: 2 * (diskMb ?? defaultLimits.diskMb),
  };
}

/**
 * Runs the tests in a sandbox, one run after the other. Errors: `grading-failed`.
 * @param tested has what they judge
 */
export async function runImageTests(
  tests: ImageTests,
  tested: Sandbox,
  options: Pick<ImageGradingOptions, 'node' | 'signal'>,
): Promise<Omit<ImageGrade, 'trust'>> {
  const found: Rewards[] = [];
  const checks: CheckResult[] = [];
  const logs: string[] = [];
  for (const run of tests.runs) {
    const { rewards, log } = await runTests(run, tested, options);
    const passed = Object.values(rewards).every((value) => value >= 1);
    found.push(rewards);
    checks.push({ name: run.name, passed, why: JSON.stringify(rewards) });
    logs.push(`${run.name}: ${log}`);
    if (!isReached(rewards, run.least)) break;
  }
  const all = combineRewards(found, tests.strategy);
  return { reward: findScore(all), checks: [...checks, ...listNamedRewards(all)], log: logs.join('\n') };
}

interface TestsOutcome {
  readonly rewards: Rewards;
  readonly log: string;
}

async function runTests(
  run: ImageTestRun,
  tested: Sandbox,
  { node, signal }: Pick<ImageGradingOptions, 'node' | 'signal'>,
): Promise<TestsOutcome> {
  await prepareFolders(tested, { kept: ['/logs/agent', '/logs/artifacts'] }, signal);
  const collected = await collect(run, tested, signal);
  const { rewards, log } = await (run.separate
    ? runSeparately(run, run.separate, tested, { node, signal })
    : runBeside(run, tested, signal));
  return { rewards, log: [...collected, log].join('\n') };
}

async function runBeside(run: ImageTestRun, tested: Sandbox, signal: AbortSignal): Promise<TestsOutcome> {
  await prepareFolders(tested, { emptied: ['/tests', reportFolder] }, signal);
  await tested.unpack({ path: '/tests', tar: packTests(run.files) }, { signal });
  return await runScript(run, tested, signal);
}

/** In another sandbox, which gets the artifacts alone. */
async function runSeparately(
  run: ImageTestRun,
  { image, workdir, hasTests, artifacts, limits }: SeparateTests,
  tested: Sandbox,
  { node, signal }: Pick<ImageGradingOptions, 'node' | 'signal'>,
): Promise<TestsOutcome> {
  const workspace = workdir ?? (await node.agentRoot(image, { signal })).workspace;
  const spec = {
    ...makeTestSpec(tested, { ...defaultLimits, ...limits }),
    ...{ root: image, workspace, network: run.network },
    seeds: [],
    copy: { from: tested.id, paths: artifacts, leftOut: leftOutFile },
  };
  await using separate = await startWhileFrozen(tested, () => node.start(spec, { signal }));
  const emptied = [reportFolder, ...(hasTests ? [] : ['/tests'])];
  await prepareFolders(separate, { emptied, kept: ['/logs/artifacts'] }, signal);
  if (!hasTests) await separate.unpack({ path: '/tests', tar: packTests(run.files) }, { signal });
  return await runScript(run, separate, signal);
}

async function startWhileFrozen<T>(source: Sandbox, start: () => Promise<T>): Promise<T> {
  await using frozen = new AsyncDisposableStack();
  frozen.use(await source.freeze());
  return await start();
}

function packTests(files: readonly ArchiveEntry[]): Uint8Array {
  return packArchive(
    files
      .map(makeRunnable)
      .map((entry) => (entry.path === 'test.sh' ? { ...entry, executable: true } : entry)),
  );
}

/** As their owners run them: their exit code means nothing, only what they report. */
async function runScript(run: ImageTestRun, sandbox: Sandbox, signal: AbortSignal): Promise<TestsOutcome> {
  const { env, seconds } = run;
  const ran = await sandbox.exec(
    { ...inBash(startTests, sandbox.workspace), env, timeoutMs: seconds * 1000, maxOutputBytes },
    { signal },
  );
  const log = formatTestLog(ran);
  if (ran.timedOut)
    throw new PwpError('grading-failed', `${run.name}: the tests took longer than ${seconds} s\n${log}`);
  return { rewards: await readRewards(sandbox, log), log };
}

/** The image may have it, without the right to be run. */
const startTests = 'cd -- "$0" || cd /\nchmod +x /tests/test.sh 2> /dev/null\nexec /tests/test.sh';

/** @param folder is `$0`: a folder that the agent removed is no reason to run nothing */
function inBash(script: string, folder: string): Pick<ExecSpec, 'argv' | 'cwd'> {
  return { argv: [imagePrograms.bash, '--noprofile', '--norc', '-c', script, folder], cwd: '/' };
}

/** @returns a line for each command that failed, as the log has them */
async function collect(
  { collect: commands }: ImageTestRun,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<string[]> {
  const lines: string[] = [];
  for (const { command, seconds } of commands) {
    const script = `cd -- "$0" || cd /\n${command}`;
    const { exitCode, timedOut } = await sandbox.exec(
      { ...inBash(script, sandbox.workspace), env: {}, timeoutMs: seconds * 1000, maxOutputBytes },
      { signal },
    );
    const why = timedOut ? `it took more than ${seconds} s` : `exit code ${exitCode ?? 'none'}`;
    if (exitCode !== 0) lines.push(`collect: ${command}: ${why}`);
  }
  return lines;
}

interface PreparedFolders {
  /** Are there and empty. */
  readonly emptied?: readonly string[];
  /** Are there. */
  readonly kept?: readonly string[];
}

const prepareProgram = `
import os, shutil, sys
emptied, kept = (part.split(":") for part in sys.argv[1:])
for path in filter(None, emptied):
    if os.path.islink(path) or os.path.isfile(path):
        os.unlink(path)
    shutil.rmtree(path, ignore_errors=True)
for path in filter(None, emptied + kept):
    os.makedirs(path, exist_ok=True)
`;

/** Inside, where links of the agent lead nowhere else. */
async function prepareFolders(
  sandbox: Sandbox,
  { emptied = [], kept = [] }: PreparedFolders,
  signal: AbortSignal,
): Promise<void> {
  const argv = [imagePrograms.python, '-I', '-S', '-c', prepareProgram, emptied.join(':'), kept.join(':')];
  const { exitCode, stderr } = await sandbox.exec(
    { argv, cwd: '/', env: {}, timeoutMs: 60_000, maxOutputBytes: 10_000 },
    { signal },
  );
  if (exitCode !== 0)
    throw new PwpError('grading-failed', `no room for the tests could be made: ${stderr.trim()}`);
}

function isReached(found: Rewards, least: Rewards): boolean {
  return Object.entries(least).every(([name, value]) => (found[name] ?? -Infinity) >= value);
}

/** Of the runs that were reached; a name that one of them lacks counts as 0 there. */
function combineRewards(found: readonly Rewards[], strategy: ImageTests['strategy']): Rewards {
  if (strategy === 'final') return found.at(-1) ?? {};
  const names = [...new Set(found.flatMap((one) => Object.keys(one)))].toSorted();
  const mean = (name: string) => found.reduce((sum, one) => sum + (one[name] ?? 0), 0) / found.length;
  return Object.fromEntries(names.map((name) => [name, mean(name)]));
}

/** Their owners keep each name apart. Here `reward` is the score, else the mean of all. */
function findScore(rewards: Rewards): number {
  const values = Object.values(rewards);
  const score = rewards['reward'] ?? values.reduce((sum, one) => sum + one, 0) / values.length;
  const judged = 'reward' in rewards ? [score] : values;
  if (judged.every((value) => value >= 0 && value <= 1)) return score;
  throw new PwpError('grading-failed', `expected a reward from 0 to 1, found ${JSON.stringify(rewards)}`);
}

/** Each as a check, if there are several. */
function listNamedRewards(rewards: Rewards): CheckResult[] {
  const all = Object.entries(rewards);
  if (all.length === 1) return [];
  return all
    .slice(0, mostNamedRewards)
    .map(([name, value]) => ({ name: clip(name, 200), passed: value >= 1, why: String(value) }));
}

const mostNamedRewards = 100;
