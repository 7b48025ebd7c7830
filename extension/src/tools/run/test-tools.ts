import { lstat, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { runTools, toolError, type ToolInput, type ToolOutput } from '../../../../bridge/protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { clip, clipEnd } from '../../../../bridge/text/index.ts';
import { findInterpreter } from '../../language/index.ts';
import { clipText } from '../../lib/index.ts';
import type { Terminals, TestRuns } from '../../state/index.ts';
import { formatPath, resolvePlace, type WorkspacePlace } from '../workspace-place.ts';
import { parseJunitReport, type TestCase } from './junit-report.ts';
import {
  awaitEnd,
  describeCommandResult,
  startCommand,
  type TerminalCommandResult,
} from './terminal-command.ts';
import type { TerminalPool } from './terminal-pool.ts';

type TestTools = typeof runTools;
const testToolLimits = { listed: 5000, reported: 2000, message: 4000, listMs: 60_000 };

/** Adds tests by the project's own runner, in a terminal. */
export function addTestTools(
  handlers: ToolHandlers,
  { terminals, pool, testRuns }: { terminals: Terminals; pool: TerminalPool; testRuns: TestRuns },
): ToolHandlers {
  const inTerminal: InTerminal = async (command, ms, max, signal) => {
    using taken = await pool.take(undefined, undefined, signal);
    const line = `(cd ${quoteShellWord(requireWorkspaceFolder())} && ${command})`;
    const started = await startCommand(terminals, taken.entry, line, signal);
    const ended = await awaitEnd(taken.entry, started, ms, signal);
    return describeCommandResult(taken.entry, started, max, ended ? {} : { status: 'timed-out' });
  };
  return handlers
    .add(runTools.listTests, (input, { signal }) => listTests(inTerminal, input, signal))
    .add(runTools.runTests, async (input, { signal }) => {
      const done = await runTests(inTerminal, input, signal);
      testRuns.report(done);
      return done;
    });
}

/** Ids of tests are relative to the folder in which they run, regardless of where pytest finds its settings. */
const rootFolderOption = '--rootdir=.';

type InTerminal = (
  command: string,
  ms: number,
  max: number,
  signal: AbortSignal,
) => Promise<TerminalCommandResult>;

async function listTests(
  inTerminal: InTerminal,
  { path, runner: wanted }: ToolInput<TestTools['listTests']>,
  signal: ToolContext['signal'],
): Promise<ToolOutput<TestTools['listTests']>> {
  const where = path === undefined ? undefined : await resolveTestsPlace(path);
  const runner = await chooseTestRunner(wanted, path === undefined ? [] : [path]);
  if (runner === 'node') {
    const files = await findJavaScriptTests(where?.path, testToolLimits.listed + 1);
    const tests = files.slice(0, testToolLimits.listed).map(({ fsPath }) => clipText(formatPath(fsPath)));
    return { runner, tests: tests.sort(), truncated: files.length > testToolLimits.listed, problems: '' };
  }
  const python = await findInterpreter(requireWorkspaceFolder());
  const command = `${quoteShellWord(python)} -m pytest ${rootFolderOption} --collect-only -q ${where ? quoteShellWord(where.path) : ''}`;
  const { output, exit_code: code } = await inTerminal(command, testToolLimits.listMs, 200_000, signal);
  refuseNoPytest(output, code);
  const ids = output.split('\n').filter((line) => /^\S.*::/.test(line) && !/^(?:ERROR|FAILED)\b/.test(line));
  const collected = code === 0 || code === 5;
  return {
    runner,
    tests: ids.slice(0, testToolLimits.listed).map(clipText),
    truncated: ids.length > testToolLimits.listed,
    problems: collected ? '' : clipText(clipEnd(output, 4000)),
  };
}

async function runTests(
  inTerminal: InTerminal,
  input: ToolInput<TestTools['runTests']>,
  signal: ToolContext['signal'],
): Promise<ToolOutput<TestTools['runTests']>> {
  for (const test of input.tests) await resolveTestsPlace(test.split('::', 1)[0] ?? test);
  const runner = await chooseTestRunner(input.runner, input.tests);
  const folder = await mkdtemp(join(tmpdir(), 'pwp-tests-'));
  try {
    const report = join(folder, 'report.xml');
    const command = await makeTestCommand(runner, input, report);
    const done = await inTerminal(command, input.timeout_ms, input.max_output, signal);
    if (runner === 'pytest') refuseNoPytest(done.output, done.exit_code);
    // A caller that names tests or a runner has chosen.
    const all = input.tests.length === 0 && input.runner === undefined;
    const left = all ? await findFrameworksLeftOut(runner) : [];
    const cases = parseJunitReport(await readFile(report, 'utf8').catch(() => '')).filter(
      (one) => !isFileCase(runner, one),
    );
    return { ...describeTestResults(runner, done, cases), left_out: left };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Errors: `not-found`; patterns of files are the runner's. */
async function resolveTestsPlace(path: string): Promise<WorkspacePlace> {
  const where = await resolvePlace(path);
  const isPattern = /[*?[{]/.test(path);
  if (!isPattern && !(await lstat(where.real).catch(() => undefined)))
    throw toolError('not-found', `there is no file or folder ${path}`, {
      help: 'list_tests shows what there is',
    });
  return where;
}

/** Node.js counts a file of which no test was run as a passed test. */
function isFileCase(runner: TestRunner, { name, status }: TestCase): boolean {
  return runner === 'node' && status === 'passed' && /\.[cm]?[jt]s$/.test(name);
}

async function makeTestCommand(
  runner: TestRunner,
  { tests, name }: ToolInput<TestTools['runTests']>,
  report: string,
): Promise<string> {
  const names = (runner === 'node' ? await Promise.all(tests.map(literalPath)) : tests)
    .map(quoteShellWord)
    .join(' ');
  if (runner === 'pytest') {
    const only = name === undefined ? '' : `-k ${quoteShellWord(name)} `;
    const python = await findInterpreter(requireWorkspaceFolder());
    return `${quoteShellWord(python)} -m pytest ${rootFolderOption} -q -o junit_family=xunit1 --junitxml=${quoteShellWord(report)} ${only}${names}`.trim();
  }
  const escaped = name?.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  const only = escaped === undefined ? '' : `--test-name-pattern=${quoteShellWord(escaped)} `;
  const reporters = `--test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit --test-reporter-destination=${quoteShellWord(report)}`;
  return `node --test ${reporters} ${only}${names}`.trim();
}

/** Node.js treats paths as globs; a path that exists is meant literally. */
async function literalPath(path: string): Promise<string> {
  const { real } = await resolvePlace(path);
  const isThere = await lstat(real).catch(() => undefined);
  return isThere ? path.replaceAll(/[[\]{}*?()]/g, '[$&]') : path;
}

function describeTestResults(
  runner: TestRunner,
  done: TerminalCommandResult,
  cases: readonly TestCase[],
): Omit<ToolOutput<TestTools['runTests']>, 'left_out'> {
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
    tests: sorted.slice(0, testToolLimits.reported).map((one) => ({
      id: clipText(formatTestId(runner, one)),
      status: one.status,
      duration_ms: one.seconds * 1000,
      message: clip(one.message, testToolLimits.message),
    })),
    omitted: Math.max(0, sorted.length - testToolLimits.reported),
    terminal: done.terminal,
    output: done.output,
  };
}

/** An id that pytest accepts: the file, then the rest of the dotted name in its report. */
function formatTestId(runner: TestRunner, { name, group, file }: TestCase): string {
  if (runner === 'node') {
    // Node.js escapes quotation marks twice.
    const plain = name.replaceAll('&quot;', '"');
    return file === undefined ? plain : `${formatPath(file)}: ${plain}`;
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

type TestRunner = 'pytest' | 'node';

const javaScriptTestGlob = '**/{*.test,*-test,*_test,test-*,test,test/**/*}.{js,cjs,mjs,ts,cts,mts}';
const pythonTestGlob = '**/{test_*,*_test}.py';
const ignoredTestFolders = '**/{node_modules,.git,.venv,venv}/**';

function requireWorkspaceFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (folder) return folder.fsPath;
  throw toolError('not-found', 'the window shows no folder', { help: 'Open a folder first' });
}

/** The runner of a project. Errors: `no-test-runner`. */
async function chooseTestRunner(
  wanted: TestRunner | undefined,
  hint: readonly string[],
): Promise<TestRunner> {
  if (wanted) return wanted;
  if (hint.some((one) => /\.py(?:$|::)/.test(one))) return 'pytest';
  if (hint.some((one) => /\.[cm]?[jt]s$/.test(one))) return 'node';
  if ((await vscode.workspace.findFiles(pythonTestGlob, ignoredTestFolders, 1)).length > 0) return 'pytest';
  if ((await vscode.workspace.findFiles(javaScriptTestGlob, ignoredTestFolders, 1)).length > 0) return 'node';
  throw toolError('no-test-runner', 'there are no tests of pytest or of Node.js here', {
    help: 'Run other runners with run_terminal_cmd',
  });
}

function findJavaScriptTests(below: string | undefined, limit: number): Thenable<vscode.Uri[]> {
  const folder = below ?? requireWorkspaceFolder();
  return vscode.workspace.findFiles(
    new vscode.RelativePattern(folder, javaScriptTestGlob),
    ignoredTestFolders,
    limit,
  );
}

/** Quotes a word for the shell. */
function quoteShellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Maximum number of test files that are counted. */
const mostFiles = 1000;

/** Test runners that are packages, found in `package.json`. */
const frameworkPackages = [
  'jest',
  'vitest',
  'mocha',
  'ava',
  'jasmine',
  '@playwright/test',
  'cypress',
  'karma',
];

/** Files that indicate a framework of another language. */
const otherFrameworkGlobs: readonly (readonly [glob: string, framework: string])[] = [
  ['**/*_test.go', 'go test'],
  ['**/Cargo.toml', 'cargo test'],
  ['**/pom.xml', 'Maven'],
  ['**/build.gradle{,.kts}', 'Gradle'],
  ['**/*_spec.rb', 'RSpec'],
  ['**/phpunit.xml{,.dist}', 'PHPUnit'],
];

/** The tests that a run by one runner leaves out: each framework, with the place of its tests. */
async function findFrameworksLeftOut(runner: TestRunner): Promise<string[]> {
  const files =
    runner === 'pytest'
      ? await findJavaScriptTests(undefined, mostFiles)
      : await vscode.workspace.findFiles(pythonTestGlob, ignoredTestFolders, mostFiles);
  const name = runner === 'pytest' ? 'JavaScript' : 'pytest';
  const shown = await Promise.all(
    otherFrameworkGlobs.map(([glob, framework]) => findFirstOfFramework(glob, framework)),
  );
  const found = [
    ...(files.length > 0 ? [`${name}: ${countTestFiles(files)}`] : []),
    ...(await findFrameworkPackages()),
    ...shown.flat(),
  ];
  return found.slice(0, 50).map((one) => clip(one, 200));
}

function countTestFiles(files: readonly vscode.Uri[]): string {
  const [first] = files.map(({ fsPath }) => formatPath(fsPath)).sort();
  return files.length === 1 ? (first ?? '') : `${files.length} files such as ${first ?? ''}`;
}

async function findFirstOfFramework(glob: string, framework: string): Promise<string[]> {
  const found = await vscode.workspace.findFiles(glob, ignoredTestFolders, 1);
  return found.map(({ fsPath }) => `${framework}: ${formatPath(fsPath)}`);
}

async function findFrameworkPackages(): Promise<string[]> {
  const manifests = await vscode.workspace.findFiles('**/package.json', ignoredTestFolders, 50);
  const found = await Promise.all(
    manifests.map(async ({ fsPath }) => {
      const text = await readFile(fsPath, 'utf8').catch(() => '');
      const names = frameworkPackages.filter((name) => text.includes(`"${name}"`));
      const where = formatPath(fsPath);
      return names.map(
        (name) => `${name}: ${basename(where) === where ? where : `${dirname(where)}/package.json`}`,
      );
    }),
  );
  return found.flat();
}
