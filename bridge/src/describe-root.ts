import { constants, existsSync, lstatSync, realpathSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { findProgram, isProgram, neverAborted } from '../lib/index.ts';
import { imageProgramNames, type RootFacts, rootFacts } from '../protocol/index.ts';
import { clip } from '../text/index.ts';
import { readBridgeConfig } from './config.ts';
import { ImageEnvironment } from './image-environment.ts';
import { runProgramOnce } from './shell.ts';

/** The word that makes the bridge's bundle this program. */
export const describeRootProgram = 'describe-root';

/** Longest time for a program to say its version, in milliseconds. */
const versionMs = 10_000;
const mostBytes = 64 * 1024;

/** Prints the {@link RootFacts} of the root that it runs in, and ends. */
export async function describeRootMain(): Promise<void> {
  process.stdout.write(JSON.stringify(await describeRoot()));
}

async function describeRoot(): Promise<RootFacts> {
  const { env: inherited } = readBridgeConfig(process.env);
  const problems: string[] = [];
  const began = performance.now();
  const image = await ImageEnvironment.read(inherited, (line) => problems.push(clip(line, 500)));
  const env = (await image?.ofCommands()) ?? inherited;
  const ms = performance.now() - began;
  const python = findProgram(env['PATH'], 'python3', 'python');
  const [system, libc, pytest, programs] = await Promise.all([
    readSystem(),
    findLibc(),
    python === undefined ? null : askVersion([python, '-m', 'pytest', '--version'], env),
    findPrograms(env),
  ]);
  return rootFacts.parse({
    ...{ system, libc, shell: resolveShell(), programs, links: unpackedInto.filter(isLink) },
    pytest: pytest === '' ? null : pytest,
    environment: { active: env['VIRTUAL_ENV'] ?? env['CONDA_PREFIX'] ?? null, ms, problems },
  });
}

async function findPrograms(env: NodeJS.ProcessEnv): Promise<Record<string, unknown>> {
  const found = imageProgramNames.map(async (name) => {
    const path = findProgram(env['PATH'], ...(programFiles[name] ?? [name]));
    if (path === undefined) return [name, null] as const;
    return [name, { path, version: await askVersion([path, '--version'], env) }] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

/** Where the file is not called as the program. */
const programFiles: Readonly<Record<string, readonly string[]>> = { python: ['python3', 'python'] };

/** Empty if it fails, or says none. */
async function askVersion(argv: readonly [string, ...string[]], env: NodeJS.ProcessEnv): Promise<string> {
  const options = { input: '', env, cwd: '/', timeoutMs: versionMs, maxBytes: mostBytes };
  const answer = await runProgramOnce('the version', argv, options, neverAborted).catch(() => null);
  return clip(/\d+\.\d+[\w.+~-]*\b/.exec(`${answer?.stdout}\n${answer?.stderr}`)?.[0] ?? '', 100);
}

async function readSystem(): Promise<string> {
  const text = await readPlainFile('/etc/os-release');
  return clip(/^PRETTY_NAME="?(.*?)"?$/m.exec(text)?.[1] ?? '', 500);
}

/** Both print their version when they are run. */
const libraries = {
  musl: ['/lib/ld-musl-x86_64.so.1', '/lib/ld-musl-aarch64.so.1'],
  glibc: ['x86_64-linux-gnu', 'aarch64-linux-gnu', '', '../lib64'].flatMap((folder) =>
    ['/lib', '/usr/lib'].map((root) => `${root}/${folder}/libc.so.6`),
  ),
};

async function findLibc(): Promise<string> {
  for (const [name, paths] of Object.entries(libraries).reverse()) {
    const path = paths.find(isProgram);
    if (path !== undefined) return `${name} ${await askVersion([path], {})}`.trim();
  }
  return '';
}

function resolveShell(): string {
  return existsSync('/bin/sh') ? clip(realpathSync('/bin/sh'), 500) : '';
}

/** By grading. */
const unpackedInto = ['/opt', '/tests', '/logs'];

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** Empty if there is no such file. Never waits: in its place there may be a pipe. */
async function readPlainFile(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null);
  if (!file) return '';
  try {
    if (!(await file.stat()).isFile()) return '';
    const { buffer, bytesRead } = await file.read(Buffer.alloc(mostBytes), 0, mostBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
