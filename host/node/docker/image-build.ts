import { createWriteStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { stripVTControlCharacters } from 'node:util';
import type Docker from 'dockerode';
import { execa } from 'execa';
import { create } from 'tar';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import { type Progress, pwpHome } from '../../lib/index.ts';
import { nodeLabel } from './labels.ts';

const keptLogLines = 25;
/** Taken over from this machine, as `docker build` takes them from its own settings. */
const proxyVariables = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

interface ImageBuild {
  readonly tag: string;
  /** Name of the image for people, e.g. `the node's image`. */
  readonly name: string;
  /** All that the Dockerfile copies, and the Dockerfile. */
  readonly context: string;
  readonly arguments: Readonly<Record<string, string>>;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Builds an image of the Dockerfile in a folder, and keeps the log. A build that fails leaves no container, and only the
 * steps before it in the engine's cache.
 * Errors: `image-build-failed`, `disk-full`.
 */
export async function buildImage(engine: Docker, build: ImageBuild): Promise<void> {
  const { tag, context, signal } = build;
  const archive = Readable.from(create({ cwd: context, portable: true }, await readdir(context)));
  await using log = await openBuildLog(tag);
  try {
    const stream = await engine.buildImage(archive, {
      t: tag,
      buildargs: { ...inheritedProxies(), ...build.arguments },
      labels: { [nodeLabel]: 'image' },
      // If this machine can reach Debian's mirror, it does so from its own network.
      networkmode: 'host',
      forcerm: true,
      // Ends the request, and the engine the build with it.
      abortSignal: signal,
    });
    await followBuild(engine, stream, build.progress, log);
  } catch (cause) {
    signal.throwIfAborted();
    const text = `building ${build.name} failed: ${describeError(cause)}\n${log.last()}`;
    log.write(`${describeError(cause)}\n`);
    throw imageBuildError(text, log.path, cause);
  }
}

/** Reads what the engine says of a build until it is over. */
function followBuild(
  engine: Docker,
  answer: NodeJS.ReadableStream,
  progress: Progress,
  log: BuildLog,
): Promise<void> {
  let [from, to] = [0, 0];
  const onLine = ({ stream = '' }: EngineWorkLine) => {
    const text = stripVTControlCharacters(stream);
    log.write(text);
    const step = /^Step (\d+)\/(\d+) : (.+)/.exec(text);
    const [, number, count, name = ''] = step ?? [];
    if (step) [from, to] = [(Number(number) - 1) / Number(count), Number(number) / Number(count)];
    if (step) progress.stage(name, from);
    // Progress that a long step itself reports.
    const [, part, stage = ''] = /^==> ([\d.]+) (.+)$/m.exec(text) ?? [];
    if (part !== undefined) progress.stage(stage, from + (to - from) * Number(part));
  };
  return followEngineWork(engine, answer, onLine);
}

/** The whole log of a build, in a file, and its last lines. */
interface BuildLog extends AsyncDisposable {
  readonly path: string;
  readonly write: (text: string) => void;
  readonly last: () => string;
}

async function openBuildLog(tag: string): Promise<BuildLog> {
  const path = join(pwpHome(), 'images/logs', `${tag.replace(':', '-')}.log`);
  await mkdir(dirname(path), { recursive: true });
  const file = createWriteStream(path, { mode: 0o600 });
  // A log that can't be written, e.g. on a full disk, must not hide why the build fails.
  file.on('error', () => undefined);
  const last: string[] = [];
  const write = (text: string) => {
    file.write(text);
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    last.push(...lines.map((line) => `  ${line.trimEnd()}`));
    last.splice(0, last.length - keptLogLines);
  };
  const close = () => finished(file.end()).catch(() => undefined);
  return { path, write, last: () => last.join('\n'), [Symbol.asyncDispose]: close };
}

function inheritedProxies(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return Object.fromEntries(proxyVariables.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}

/** An engine's message about work that takes a while. */
interface EngineWorkLine {
  /** Output of a build. */
  readonly stream?: string;
  /** Why it failed. */
  readonly error?: string;
}

/**
 * Reads an engine's progress messages until it has finished. Rejects with the failure in them: the status of the
 * response was sent when the work began, and the engine's client ignores what comes later.
 */
export async function followEngineWork(
  engine: Docker,
  stream: NodeJS.ReadableStream,
  onLine: (line: EngineWorkLine) => void = () => {},
): Promise<void> {
  let failure: string | undefined;
  const read = (line: EngineWorkLine) => {
    failure ??= line.error;
    onLine(line);
  };
  await new Promise<void>((resolve, reject) =>
    engine.modem.followProgress(stream, (error) => (error ? reject(error) : resolve()), read),
  );
  if (failure !== undefined) throw new Error(failure);
}

/**
 * Installs the npm packages of a folder as a Linux machine of this kind would have them, without running any of them:
 * this machine may be of another kind. Errors: `image-build-failed`, `disk-full`.
 */
export function fetchLinuxRuntime(folder: string, arch: string, signal: AbortSignal): Promise<void> {
  return runNpm('ci', folder, arch, signal);
}

/** The same for packages of these exact versions, in a folder that is made. */
export async function fetchLinuxModules(
  folder: string,
  dependencies: Readonly<Record<string, string>>,
  arch: string,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  await runNpm('install', folder, arch, signal);
}

async function runNpm(command: string, folder: string, arch: string, signal: AbortSignal): Promise<void> {
  const platform = ['--os=linux', `--cpu=${arch}`, '--libc=glibc'];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const args = [command, '--omit=dev', '--ignore-scripts', ...platform, ...quiet];
  try {
    await execa('npm', args, { cwd: folder, stdin: 'ignore', all: true, cancelSignal: signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw imageBuildError(`can't fetch npm packages for Linux: ${describeError(cause)}`, null, cause);
  }
}

/** The error of a failed image build: `disk-full` where that was the reason, else `image-build-failed`. */
export function imageBuildError(text: string, log: string | null, cause: unknown): PwpError {
  const where = log === null ? [] : [`The whole log is in ${log}.`];
  if (!reportsFullDisk(text, cause))
    return new PwpError('image-build-failed', text, { help: where.join(), cause });
  const help = ['Make room where the engine keeps its images (docker system df), e.g.: pwp images prune'];
  return new PwpError('disk-full', text, { help: [...help, ...where].join('\n  '), cause });
}

/** The engine passes on what the program that failed has said, in English. */
function reportsFullDisk(text: string, cause: unknown): boolean {
  return (cause as NodeJS.ErrnoException | null)?.code === 'ENOSPC' || /no space left on device/i.test(text);
}
