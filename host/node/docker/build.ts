import { createWriteStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { stripVTControlCharacters } from 'node:util';
import type Docker from 'dockerode';
import { create } from 'tar';
import { messageOf } from '../../../bridge/lib/index.ts';
import { pwpHome, type Progress } from '../../lib/index.ts';
import { buildFailure } from './failure.ts';
import { nodeLabel } from './labels.ts';
import { followWork, type WorkLine } from './stream.ts';

const keptLines = 25;
/** Taken over from this machine, as `docker build` takes them from its own settings. */
const proxies = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

export interface ImageBuild {
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
  await using log = await openLog(tag);
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
    await follow(engine, stream, build.progress, log);
  } catch (cause) {
    signal.throwIfAborted();
    const text = `building ${build.name} failed: ${messageOf(cause)}\n${log.last()}`;
    log.write(`${messageOf(cause)}\n`);
    throw buildFailure(text, log.path, cause);
  }
}

/** Reads what the engine says of a build until it is over. */
function follow(engine: Docker, answer: NodeJS.ReadableStream, progress: Progress, log: Log): Promise<void> {
  let [from, to] = [0, 0];
  const onLine = ({ stream = '' }: WorkLine) => {
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
  return followWork(engine, answer, onLine);
}

/** The whole log of a build, in a file, and its last lines. */
interface Log extends AsyncDisposable {
  readonly path: string;
  readonly write: (text: string) => void;
  readonly last: () => string;
}

async function openLog(tag: string): Promise<Log> {
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
    last.splice(0, last.length - keptLines);
  };
  const close = () => finished(file.end()).catch(() => undefined);
  return { path, write, last: () => last.join('\n'), [Symbol.asyncDispose]: close };
}

function inheritedProxies(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return Object.fromEntries(proxies.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
