import { lstat, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clipEnd } from '../../../../../bridge/lib/index.ts';
import {
  runTools,
  toolError,
  type ToolInput,
  type ToolOutput,
} from '../../../../../bridge/protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../../../../bridge/rpc/index.ts';
import { clip, clipText } from '../../../lib/index.ts';
import type { Terminals, TestRuns } from '../../../state/index.ts';
import { interpreterOf } from '../../../language/index.ts';
import { pathText, place, type Place } from '../../place/index.ts';
import type { TerminalPool } from '../pool.ts';
import { awaitEnd, resultOf, startCommand, type CommandResult } from '../terminal-run.ts';
import { readReport, type TestCase } from './junit.ts';
import { frameworksLeftOut } from './left-out.ts';
import { javaScriptTestFiles, quoted, runnerFor, workspaceFolder, type Runner } from './runner.ts';

type Run = typeof runTools;
const most = { listed: 5000, reported: 2000, message: 4000, listMs: 60_000 };

/** Adds tests by the project's own runner, in a terminal. */
export function addTests(
  handlers: ToolHandlers,
  { terminals, pool, testRuns }: { terminals: Terminals; pool: TerminalPool; testRuns: TestRuns },
): ToolHandlers {
  const inTerminal: InTerminal = async (command, ms, max, signal) => {
    using taken = await pool.take(undefined, undefined, signal);
    const line = `(cd ${quoted(workspaceFolder())} && ${command})`;
    const started = await startCommand(terminals, taken.entry, line, signal);
    const ended = await awaitEnd(taken.entry, started, ms, signal);
    return resultOf(taken.entry, started, max, ended ? {} : { status: 'timed-out' });
  };
  return handlers
    .add(runTools.listTests, (input, { signal }) => list(inTerminal, input, signal))
    .add(runTools.runTests, async (input, { signal }) => {
      const done = await run(inTerminal, input, signal);
      testRuns.report(done);
      return done;
    });
}

/** Ids of tests are relative to the folder in which they run, regardless of where pytest finds its settings. */
const here = '--rootdir=.';

type InTerminal = (command: string, ms: number, max: number, signal: AbortSignal) => Promise<CommandResult>;

async function list(
  inTerminal: InTerminal,
  { path, runner: wanted }: ToolInput<Run['listTests']>,
  signal: ToolContext['signal'],
): Promise<ToolOutput<Run['listTests']>> {
  const where = path === undefined ? undefined : await placeOfTests(path);
  const runner = await runnerFor(wanted, path === undefined ? [] : [path]);
  if (runner === 'node') {
    const files = await javaScriptTestFiles(where?.path, most.listed + 1);
    const tests = files.slice(0, most.listed).map(({ fsPath }) => clipText(pathText(fsPath)));
    return { runner, tests: tests.sort(), truncated: files.length > most.listed, problems: '' };
  }
  const python = await interpreterOf(workspaceFolder());
  const command = `${quoted(python)} -m pytest ${here} --collect-only -q ${where ? quoted(where.path) : ''}`;
  const { output, exit_code: code } = await inTerminal(command, most.listMs, 200_000, signal);
  refuseNoPytest(output, code);
  const ids = output.split('\n').filter((line) => /^\S.*::/.test(line) && !/^(?:ERROR|FAILED)\b/.test(line));
  const collected = code === 0 || code === 5;
  return {
    runner,
    tests: ids.slice(0, most.listed).map(clipText),
    truncated: ids.length > most.listed,
    problems: collected ? '' : clipText(clipEnd(output, 4000)),
  };
}

async function run(
  inTerminal: InTerminal,
  input: ToolInput<Run['runTests']>,
  signal: ToolContext['signal'],
): Promise<ToolOutput<Run['runTests']>> {
  for (const test of input.tests) await placeOfTests(test.split('::', 1)[0] ?? test);
  const runner = await runnerFor(input.runner, input.tests);
  const folder = await mkdtemp(join(tmpdir(), 'pwp-tests-'));
  try {
    const report = join(folder, 'report.xml');
    const command = await commandOf(runner, input, report);
    const done = await inTerminal(command, input.timeout_ms, input.max_output, signal);
    if (runner === 'pytest') refuseNoPytest(done.output, done.exit_code);
    // A caller that names tests or a runner has chosen.
    const all = input.tests.length === 0 && input.runner === undefined;
    const left = all ? await frameworksLeftOut(runner) : [];
    const cases = readReport(await readFile(report, 'utf8').catch(() => '')).filter(
      (one) => !isFile(runner, one),
    );
    return { ...resultsOf(runner, done, cases), left_out: left };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Errors: `not-found`; patterns of files are the runner's. */
async function placeOfTests(path: string): Promise<Place> {
  const where = await place(path);
  const isPattern = /[*?[{]/.test(path);
  if (!isPattern && !(await lstat(where.real).catch(() => undefined)))
    throw toolError('not-found', `there is no file or folder ${path}`, {
      help: 'list_tests shows what there is',
    });
  return where;
}

/** Node.js counts a file of which no test was run as a passed test. */
function isFile(runner: Runner, { name, status }: TestCase): boolean {
  return runner === 'node' && status === 'passed' && /\.[cm]?[jt]s$/.test(name);
}

async function commandOf(
  runner: Runner,
  { tests, name }: ToolInput<Run['runTests']>,
  report: string,
): Promise<string> {
  const names = (runner === 'node' ? await Promise.all(tests.map(literalPath)) : tests).map(quoted).join(' ');
  if (runner === 'pytest') {
    const only = name === undefined ? '' : `-k ${quoted(name)} `;
    const python = await interpreterOf(workspaceFolder());
    return `${quoted(python)} -m pytest ${here} -q -o junit_family=xunit1 --junitxml=${quoted(report)} ${only}${names}`.trim();
  }
  const escaped = name?.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  const only = escaped === undefined ? '' : `--test-name-pattern=${quoted(escaped)} `;
  const reporters = `--test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit --test-reporter-destination=${quoted(report)}`;
  return `node --test ${reporters} ${only}${names}`.trim();
}

/** Node.js treats paths as globs; a path that exists is meant literally. */
async function literalPath(path: string): Promise<string> {
  const { real } = await place(path);
  const isThere = await lstat(real).catch(() => undefined);
  return isThere ? path.replaceAll(/[[\]{}*?()]/g, '[$&]') : path;
}

function resultsOf(
  runner: Runner,
  done: CommandResult,
  cases: readonly TestCase[],
): Omit<ToolOutput<Run['runTests']>, 'left_out'> {
  const counts = { passed: 0, failed: 0, error: 0, skipped: 0, xfailed: 0 };
  for (const { status } of cases) counts[status] += 1;
  const bad = ({ status }: TestCase) => (status === 'failed' || status === 'error' ? 0 : 1);
  const sorted = [...cases].sort((a, b) => bad(a) - bad(b));
  const failed = counts.failed + counts.error > 0 || done.exit_code !== 0;
  const ended = cases.length === 0 ? 'broken' : failed ? 'failed' : 'passed';
  return {
    runner,
    status: done.status === 'timed-out' ? 'timed-out' : ended,
    exit_code: done.exit_code,
    counts,
    tests: sorted.slice(0, most.reported).map((one) => ({
      id: clipText(idOf(runner, one)),
      status: one.status,
      duration_ms: one.seconds * 1000,
      message: clip(one.message, most.message),
    })),
    omitted: Math.max(0, sorted.length - most.reported),
    terminal: done.terminal,
    output: done.output,
  };
}

/** An id that pytest accepts: the file, then the rest of the dotted name in its report. */
function idOf(runner: Runner, { name, group, file }: TestCase): string {
  if (runner === 'node') {
    // Node.js escapes quotation marks twice.
    const plain = name.replaceAll('&quot;', '"');
    return file === undefined ? plain : `${pathText(file)}: ${plain}`;
  }
  if (file === undefined) return [`${group.replaceAll('.', '/')}.py`, name].join('::');
  const module = file.replace(/\.py$/, '').replaceAll(/[\\/]/g, '.');
  const inside = group.startsWith(`${module}.`) ? group.slice(module.length + 1).split('.') : [];
  return [file, ...inside, name].join('::');
}

function refuseNoPytest(output: string, code: number | null): void {
  if (code !== 1 && code !== 127) return;
  if (!/No module named pytest|python3: (?:command )?not found/.test(output)) return;
  throw toolError('no-test-runner', 'pytest is not installed', {
    help: 'Install it, or name another runner',
  });
}
