import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { ProcessIdentity, Progress } from '../../lib/index.ts';
import {
  type BuildRunOptions,
  type ImageLayer,
  type LayerRecipe,
  type LayerStore,
  removeMountedTree,
} from './layer-store.ts';

interface LayerBuildOptions {
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** The layer of a recipe, built if it is not there. Two callers at once, in any process, build it once. */
export async function ensureLayer(
  store: LayerStore,
  recipe: LayerRecipe,
  options: LayerBuildOptions,
): Promise<ImageLayer> {
  const there = await store.find(recipe);
  if (there) return there;
  const { progress, signal } = options;
  const onWait = (holder: ProcessIdentity | null) =>
    progress.stage(`Waiting for another build${holder ? ` (process ${holder.pid})` : ''}`);
  return store.exclusively({ signal, onWait }, async () => {
    return (await store.find(recipe)) ?? (await buildLayer(store, recipe, options));
  });
}

async function buildLayer(
  store: LayerStore,
  recipe: LayerRecipe,
  options: LayerBuildOptions,
): Promise<ImageLayer> {
  const started = performance.now();
  const folder = await store.begin(recipe);
  const log = store.logFile(recipe);
  await rm(log, { force: true });
  try {
    await recipe.fill({
      ...options,
      rootfs: join(folder, 'rootfs'),
      scratch: join(folder, 'scratch'),
      run: (argv, runOptions = {}) => runLogged(argv, runOptions, { log, ...options }),
    });
    options.signal.throwIfAborted();
    await store.finish(folder, recipe, Math.round((performance.now() - started) / 1000));
  } catch (error) {
    await removeMountedTree(folder);
    throw error;
  }
  const layer = await store.find(recipe);
  if (!layer) throw new Error(`layer ${recipe.name} vanished while it was built`);
  return layer;
}

const mostLogLines = 25;
const isolationCommand = [
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
const inheritedVariables = [
  'PATH',
  'HOME',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
];

interface LoggedRun {
  /** Output is appended to this file. */
  readonly log: string;
  /** Called with every line of the form `==> 0.35 Installing compilers`. */
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Runs one program of a build to its end. */
async function runLogged(argv: readonly string[], options: BuildRunOptions, to: LoggedRun): Promise<void> {
  const [file = '', ...args] = options.isolated ? [...isolationCommand, ...argv] : argv;
  await using log = openLog(to.log);
  log.write(`$ ${argv.join(' ')}`);
  const child = execa(file, args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: options.env ?? pickVariables(process.env, inheritedVariables),
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
    if (last.length > mostLogLines) last.shift();
  }
  const result = await child;
  to.signal.throwIfAborted();
  if (result.exitCode !== 0) throw makeBuildFailure(argv, result.shortMessage ?? '', last, to.log);
}

function showStage(line: string, progress: Progress): boolean {
  const stage = /^==> ([\d.]+) (.+)$/.exec(line);
  if (stage) progress.stage(stage[2] ?? '', Number(stage[1]));
  return stage !== null;
}

function makeBuildFailure(argv: readonly string[], why: string, last: string[], log: string): PwpError {
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

function pickVariables(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
