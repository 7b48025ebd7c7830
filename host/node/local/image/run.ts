import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { execa } from 'execa';
import { PwpError } from '../../../../bridge/lib/index.ts';
import type { Progress } from '../../../lib/index.ts';
import type { RunOptions } from './layer.ts';

const keptLines = 25;
const isolation = [
  ...['setpriv', '--pdeathsig', 'KILL', '--'],
  ...[
    'unshare',
    '--mount',
    '--propagation',
    'private',
    '--pid',
    '--fork',
    '--kill-child=KILL',
    '--mount-proc',
    '--',
  ],
];
const inherited = [
  'PATH',
  'HOME',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
];

export interface LoggedRun {
  /** Output is appended to this file. */
  readonly log: string;
  /** Called with every line of the form `==> 0.35 Installing compilers`. */
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Runs one program of a build to its end. */
export async function runLogged(argv: readonly string[], options: RunOptions, to: LoggedRun): Promise<void> {
  const [file = '', ...args] = options.isolated ? [...isolation, ...argv] : argv;
  await using log = openLog(to.log);
  log.write(`$ ${argv.join(' ')}`);
  const child = execa(file, args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: options.env ?? pick(process.env, inherited),
    extendEnv: false,
    stdin: 'ignore',
    all: true,
    buffer: false,
    reject: false,
    // Ctrl-C is for us: we stop the build and clean up after it.
    detached: true,
    cancelSignal: to.signal,
    // Nothing outlives its namespaces, so there is nothing that a polite end would clean up.
    killSignal: options.isolated ? 'SIGKILL' : 'SIGTERM',
    forceKillAfterDelay: 2000,
  });
  const last: string[] = [];
  for await (const line of child.iterable({ from: 'all' })) {
    log.write(line);
    if (!showStage(line, to.progress)) last.push(line);
    if (last.length > keptLines) last.shift();
  }
  const result = await child;
  to.signal.throwIfAborted();
  if (result.exitCode !== 0) throw failure(argv, result.shortMessage ?? '', last, to.log);
}

function showStage(line: string, progress: Progress): boolean {
  const stage = /^==> ([\d.]+) (.+)$/.exec(line);
  if (stage) progress.stage(stage[2] ?? '', Number(stage[1]));
  return stage !== null;
}

function failure(argv: readonly string[], why: string, last: string[], log: string): PwpError {
  const ending = last.map((line) => `  ${line}`).join('\n');
  return new PwpError('image-build-failed', `${argv[0]} failed: ${why.split('\n')[0]}\n${ending}`, {
    help: `The whole log is in ${log}.`,
  });
}

function openLog(path: string) {
  const stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
  return {
    write: (line: string) => void stream.write(`${line}\n`),
    async [Symbol.asyncDispose]() {
      stream.end();
      await once(stream, 'close');
    },
  };
}

function pick(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
