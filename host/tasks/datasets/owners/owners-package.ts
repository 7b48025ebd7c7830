import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Cancellable, neverAborted, PwpError } from '../../../../bridge/lib/index.ts';
import { clipEnd } from '../../../../bridge/text/index.ts';
import {
  acquireLock,
  type ProcessIdentity,
  type Progress,
  pwpHome,
  silentProgress,
} from '../../../lib/index.ts';
import { runProgram } from './run-program.ts';

/** A package on PyPI by which the owners of a dataset grade it. */
export interface OwnersPackage {
  readonly name: string;
  readonly version: string;
  /** What it does here, e.g. `which grades SWE-bench`. */
  readonly use: string;
  /** The oldest Python that it runs on, e.g. `[3, 10]`. */
  readonly python: readonly [major: number, minor: number];
  /** All that is installed, itself among them: versions and SHA-256 of their wheels. */
  readonly wheels: readonly OwnersWheel[];
}

interface OwnersWheel {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
}

export interface EnsurePackageOptions extends Cancellable {
  readonly progress?: Progress | undefined;
  /** Where environments are kept. Default: `PWP_HOME`. */
  readonly home?: string | undefined;
  /** Variables for Python and pip. Default: those of this process. */
  readonly env?: NodeJS.ProcessEnv | undefined;
}

const unfinishedPrefix = '.unfinished-';

/**
 * The Python that has a package, in an environment of its own, which is made if it is missing. Two processes make it once.
 * Errors: `owners-package-missing`; the signal's reason.
 */
export async function ensureOwnersPackage(
  wanted: OwnersPackage,
  { progress = silentProgress, signal = neverAborted, home = pwpHome(), env }: EnsurePackageOptions = {},
): Promise<string> {
  const environment = join(home, 'owners', `${wanted.name}-${wanted.version}`);
  const python = pythonIn(environment);
  if (await isWhole(python, wanted, signal)) return python;
  const onWait = (holder: ProcessIdentity | null) =>
    progress.stage(`Waiting for another installation${holder ? ` (process ${holder.pid})` : ''}`);
  await using lock = await acquireLock(join(home, 'owners', 'lock'), { signal, onWait });
  void lock;
  if (await isWhole(python, wanted, signal)) return python;
  await makeEnvironment({ wanted, environment, progress, signal, env: pickInstallVariables(env) });
  return python;
}

function pythonIn(environment: string): string {
  return process.platform === 'win32'
    ? join(environment, 'Scripts', 'python.exe')
    : join(environment, 'bin', 'python');
}

/** Prints the versions of the packages that it is asked for. */
const versionsScript = 'import sys, importlib.metadata as found; print(*map(found.version, sys.argv[1:]))';

/** Whether an environment has all wheels. It has not, if the Python that it was made with is no longer installed. */
async function isWhole(python: string, { wheels }: OwnersPackage, signal: AbortSignal): Promise<boolean> {
  const argv = [python, '-I', '-c', versionsScript, ...wheels.map(({ name }) => name)];
  const found = await runProgram({ argv, env: {}, signal }).catch((error: unknown) => {
    if (error instanceof PwpError && error.code === 'spawn-failed') return null;
    throw error;
  });
  return found?.stdout.trim() === wheels.map(({ version }) => version).join(' ');
}

interface Making {
  readonly wanted: OwnersPackage;
  /** Its folder. */
  readonly environment: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly env: NodeJS.ProcessEnv;
}

/** Within the lock only. What killed processes left is removed first, and nothing is visible before it is whole. */
async function makeEnvironment(making: Making): Promise<void> {
  const { wanted, environment, progress } = making;
  const folder = join(environment, '..');
  await removeUnfinished(folder);
  const unfinished = await mkdtemp(join(folder, unfinishedPrefix));
  const what = `${wanted.name} ${wanted.version}, ${wanted.use}`;
  try {
    progress.stage(`Making a Python environment for ${what}`, 0);
    await runStep(making, [await findPython(making), '-I', '-m', 'venv', unfinished], venvHelp);
    progress.stage(`Installing ${what}`, 0.5);
    const list = join(unfinished, 'requirements.txt');
    await writeFile(list, listRequirements(wanted));
    const pip = [pythonIn(unfinished), '-I', '-m', 'pip', 'install', ...pipOptions, '-r', list];
    await runStep(making, pip, pipHelp);
    await rm(environment, { recursive: true, force: true });
    await rename(unfinished, environment);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(unfinishedPrefix)))
    await rm(join(folder, name), { recursive: true, force: true });
}

/** Nothing that a wheel brings is run, and nothing but the wheels is installed. */
const pipOptions = [
  ...['--no-input', '--quiet', '--disable-pip-version-check', '--no-deps'],
  ...['--require-hashes', '--only-binary=:all:'],
];

function listRequirements({ wheels }: OwnersPackage): string {
  return wheels.map(({ name, version, sha256 }) => `${name}==${version} --hash=sha256:${sha256}\n`).join('');
}

/** The usual one first; others may be beside it, where that one is too old. */
const pythonNames = [
  'python3',
  'python3.14',
  'python3.13',
  'python3.12',
  'python3.11',
  'python3.10',
  'python',
];

async function findPython(making: Making): Promise<string> {
  const found: string[] = [];
  const { python: needed } = making.wanted;
  for (const name of pythonNames) {
    const version = await readPythonVersion(name, making);
    if (version === null) continue;
    if (isRecentEnough(version, needed)) return name;
    found.push(`${name} is ${version}`);
  }
  const why = `it needs Python ${needed.join('.')} or newer; ${found.join(', ') || 'there is no python3 on the PATH'}`;
  throw packageMissing(making, why, 'Install it, e.g. by apt-get install python3 python3-venv.');
}

async function readPythonVersion(name: string, { env, signal }: Making): Promise<string | null> {
  const script = 'import sys; print("%d.%d" % sys.version_info[:2])';
  const ran = await runProgram({ argv: [name, '-I', '-c', script], env, signal }).catch(() => null);
  signal.throwIfAborted();
  const version = ran?.stdout.trim() ?? '';
  return /^\d+\.\d+$/.test(version) ? version : null;
}

function isRecentEnough(version: string, [major, minor]: OwnersPackage['python']): boolean {
  const [foundMajor = 0, foundMinor = 0] = version.split('.').map(Number);
  return foundMajor > major || (foundMajor === major && foundMinor >= minor);
}

async function runStep(making: Making, argv: readonly string[], help: string): Promise<void> {
  const { env, signal } = making;
  const { exit, stdout, stderr } = await runProgram({ argv, env, signal });
  if (exit.code === 0) return;
  // venv says on its standard output that Debian has a part of it in a package of its own.
  const said = clipEnd(`${stdout}\n${stderr}`.trim(), 1500);
  throw packageMissing(making, said || `${argv.join(' ')} failed`, help);
}

const venvHelp = 'Install it: apt-get install python3-venv.';
const pipHelp =
  'It is on PyPI: where pypi.org is not in reach, name a mirror of it in PIP_INDEX_URL or in pip.conf.';

/** Settings that pip and Python need for the network. Not those that make pip install elsewhere, and no keys of models. */
const installVariablePattern =
  /^(?:PATH|HOME|LANG|NETRC|TMPDIR|SYSTEMROOT|PIP_(?!TARGET|PREFIX|ROOT|USER|REQUIRE_).*|(?:https?|all|no)_proxy|SSL_CERT_\w+|REQUESTS_CA_BUNDLE|XDG_CONFIG_\w+)$/i;

function pickInstallVariables(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => installVariablePattern.test(name)));
}

function packageMissing({ wanted, environment }: Making, why: string, help: string): PwpError {
  const { name, version, use, wheels } = wanted;
  const pins = wheels.map((wheel) => `${wheel.name}==${wheel.version}`).join(' ');
  const byHand = `python3 -m venv ${environment} && ${pythonIn(environment)} -m pip install --no-deps ${pins}`;
  return new PwpError('owners-package-missing', `${name} ${version}, ${use}, can't be installed: ${why}`, {
    help: `${help} By hand: ${byHand}`,
  });
}
