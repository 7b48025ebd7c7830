import { globSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import * as z from 'zod';
import { describeError } from '../../bridge/lib/index.ts';
import { pwpHome } from '../../host/lib/index.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openRedis } from '../../bench/lib/queue-server.ts';
import { type PythonEnvironment, pythonEnvironments } from './python-environments.ts';

// `node test/run/python.ts [names]`: runs the programs of test/python, each in a virtual environment with the packages that it
// is about, against one server, or with `--front` against a front and its worker. docs/internals/testing.md says more.

const project = fileURLToPath(new URL('../..', import.meta.url));
const home = join(pwpHome(), 'test-python');
const servedTasks = ['tasks/vscode/swap-text-test', 'tasks/vscode/autosave-500'];

const served = z.object({ url: z.string(), token: z.string() });
const checks = z.array(z.object({ name: z.string(), problem: z.string().nullable() }));
type Check = z.output<typeof checks>[number];

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { front: { type: 'boolean', default: false } },
});
const unknown = names.filter((name) => !pythonEnvironments.some((one) => one.name === name));
if (unknown.length > 0) throw new Error(`there is no environment ${unknown.join(', ')}`);
const chosen = pythonEnvironments.filter(({ name, onlyNamed }) =>
  names.length > 0 ? names.includes(name) : !onlyNamed,
);

await using folder = await temporaryFolder();
const pythons: Record<string, string> = {};
const problems: Record<string, string> = {};
for (const one of chosen) {
  console.log(`${one.name}: ${one.packages.join(' ') || 'the standard library alone'}`);
  try {
    pythons[one.name] = await ensureEnvironment(one);
  } catch (error) {
    problems[one.name] = `it could not be installed: ${describeError(error)}`;
  }
}

await using queue = values.front ? await openRedis() : null;
const inQueue = queue ? ['--queue', queue.url] : [];
const worker = queue && startServer(['--worker', '--max-episodes', '6', ...inQueue]);
if (worker) await readPrinted(worker);
const server = startServer(queue ? inQueue : ['--max-episodes', '6']);
const { url, token } = served.parse(await readPrinted(server));
let passed = 0;
let failed = 0;
try {
  for (const { name } of chosen) for (const check of await runProgram(name)) report(name, check);
} finally {
  for (const one of [server, ...(worker ? [worker] : [])]) {
    one.kill('SIGTERM');
    await one.catch(() => undefined);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function report(name: string, { name: title, problem }: Check): void {
  if (problem === null) passed++;
  else failed++;
  console.log(problem === null ? `  passed: ${name}: ${title}` : `  FAILED: ${name}: ${title}\n${problem}`);
}

/** The Python of an environment, which is kept for the next run. The package of this clone is installed each time. */
async function ensureEnvironment(wanted: PythonEnvironment): Promise<string> {
  const place = join(home, wanted.name);
  const python = join(place, 'bin/python');
  const mark = join(place, 'packages.json');
  const packages = JSON.stringify(wanted.packages);
  if ((await readFile(mark, 'utf8').catch(() => '')) !== packages) {
    await rm(place, { recursive: true, force: true });
    await mkdir(home, { recursive: true });
    await execa(await findPython(wanted.python), ['-m', 'venv', place]);
    if (wanted.packages.length > 0) await pip(python, wanted.packages);
    await writeFile(mark, packages);
  }
  await pip(python, ['--no-index', '--no-deps', '--no-build-isolation', '--force-reinstall', './python']);
  return python;
}

async function pip(python: string, args: readonly string[]): Promise<void> {
  const options = ['--quiet', '--no-input', '--disable-pip-version-check'];
  await execa(python, ['-m', 'pip', 'install', ...options, ...args], { cwd: project });
}

/** Of the Pythons on the PATH and those of pyenv, the first that is new enough. */
async function findPython([major, minor]: PythonEnvironment['python']): Promise<string> {
  const others = globSync(join(homedir(), '.pyenv/versions/*/bin/python'));
  const script = `import sys, ensurepip; sys.exit(sys.version_info < (${major}, ${minor}))`;
  for (const name of ['python3', 'python3.13', 'python3.12', ...others])
    if ((await execa(name, ['-c', script], { reject: false })).exitCode === 0) return name;
  throw new Error(`it needs Python ${major}.${minor} or later, with venv`);
}

function startServer(more: readonly string[]) {
  const args = ['--task', ...servedTasks, '--json', ...more];
  return execa(process.execPath, [join(project, 'dist/pwp.js'), 'serve', folder.path, ...args], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
    buffer: false,
    forceKillAfterDelay: 60_000,
  });
}

async function readPrinted(started: ReturnType<typeof startServer>): Promise<unknown> {
  let text = '';
  // It stays open: the server may print more.
  for await (const chunk of started.stdout.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.trimEnd().endsWith('}')) return JSON.parse(text) as unknown;
  }
  throw new Error(`the server ended before it listened: ${text}`);
}

/** The checks that a program printed as JSON, in its last line. */
async function runProgram(name: string): Promise<readonly Check[]> {
  const python = pythons[name];
  if (python === undefined) return [{ name: 'installed', problem: problems[name] ?? 'it is not installed' }];
  const env = { PWP_SERVER: url, PWP_TOKEN: token, PWP_PYTHONS: JSON.stringify(pythons) };
  const { stdout, stderr, exitCode } = await execa(python, [join('test/python', `${name}.py`)], {
    cwd: project,
    env,
    reject: false,
  });
  try {
    const found = checks.parse(JSON.parse(stdout.split('\n').at(-1) ?? ''));
    if (found.length > 0 && exitCode === 0) return found;
  } catch {
    // It printed no checks: below.
  }
  return [{ name: 'ran to its end', problem: `exit code ${exitCode}\n${stdout}\n${stderr}`.slice(-4000) }];
}
