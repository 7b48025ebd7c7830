import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { PwpError } from '../../../bridge/lib/index.ts';
import { clipEnd } from '../../../bridge/text/index.ts';
import { isFile, type Progress } from '../../lib/index.ts';
import { type BuildNetwork, openBuildNetwork } from './build-network.ts';
import { heredocContext, replaceHeredocs } from './dockerfile-text.ts';
import { explainFetchFailure } from './fetch-failures.ts';
import { readToolError, runTool } from './image-tools.ts';
import type { RootStore } from './root-store.ts';

export interface DockerfileBuild {
  readonly file: string;
  /** The name of the image in the store. */
  readonly name: string;
  readonly network: BuildNetwork;
  /** Asks registries whether the images that it begins with have newer versions. */
  readonly newest: boolean;
  readonly store: RootStore;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Commands run in containers of runc, in control groups below this one. */
const cgroupParent = 'pwp-roots';
const usualFlags = [
  ...['--isolation', 'oci', '--cgroup-parent', cgroupParent],
  ...['--format', 'docker', '--layers', '--http-proxy=false'],
];
const keptTail = 3000;

/**
 * Builds a Dockerfile, whose folder is its context, with Debian's buildah. Steps that were built before are not built
 * again. Within {@link RootStore.exclusively} only. Errors: `image-build-failed`, `registry-unreachable`, `disk-full`.
 */
export async function buildDockerfile(build: DockerfileBuild): Promise<void> {
  const { file, name, store, progress, signal } = build;
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new PwpError('no-such-file', `can't read ${file}`, { cause });
  });
  const plain = await writePlain(file, text, store);
  progress.stage(`Building ${file}`, 0);
  await using network = await openBuildNetwork(build.network, join(store.temporary, 'network'), signal);
  const registries = join(store.temporary, 'registries.conf');
  await writeFile(registries, await makeRegistries(text));
  const pull = `--pull=${build.newest}`;
  const flags = [...usualFlags, pull, ...network.flags, '--tag', name, ...plain];
  const { failed, said } = await runTool('buildah', ['bud', ...flags, dirname(file)], {
    store,
    signal,
    env: { CONTAINERS_REGISTRIES_CONF: registries },
    onLine: (line) => showStep(line, progress),
  });
  if (failed) throw explainBuildFailure(file, said, network.refusals());
}

/** Removes what a build that was killed has left. Within {@link RootStore.exclusively} only. */
export async function removeBrokenBuilds(store: RootStore, signal: AbortSignal): Promise<void> {
  if ((await store.files.containerIds()).length === 0) return;
  await runTool('buildah', ['rm', '--all'], { store, signal });
  const find = ['/sys/fs/cgroup', '-depth', '-type', 'd', '-path', `*/${cgroupParent}/*`];
  await execa('find', [...find, '-exec', 'rmdir', '{}', '+'], { reject: false, cancelSignal: signal });
  signal.throwIfAborted();
}

function showStep(line: string, progress: Progress): void {
  const [, step, steps, text = ''] = /^(?:\[[\d/]+\] )?STEP (\d+)\/(\d+): (.+)$/.exec(line) ?? [];
  if (step !== undefined && steps !== undefined)
    progress.stage(text, (0.95 * (Number(step) - 1)) / Number(steps));
}

/** Where buildah reads the Dockerfile, and the flags for it. Errors: `image-build-failed`. */
async function writePlain(file: string, text: string, store: RootStore): Promise<string[]> {
  const plain = replaceHeredocs(file, text);
  const ignore = `${file}.dockerignore`;
  const ignoring = (await isFile(ignore)) ? ['--ignorefile', ignore] : [];
  if (plain.files.size === 0) return ['--file', file, ...ignoring];
  const folder = join(store.temporary, 'heredocs');
  for (const [path, content] of plain.files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content, { mode: plain.isProgram(path) ? 0o755 : 0o644 });
    // Equal files make equal layers.
    await utimes(join(folder, path), 0, 0);
  }
  const dockerfile = join(store.temporary, 'Dockerfile');
  await writeFile(dockerfile, plain.text);
  return ['--file', dockerfile, '--build-context', `${heredocContext}=${folder}`, ...ignoring];
}

/** @param refusals hosts that commands may not reach */
function explainBuildFailure(file: string, said: string, refusals: readonly string[]): PwpError {
  const why = readToolError(said);
  const fetching = /initializing source docker:\/\/(\S+?):? /.exec(why);
  if (fetching) return explainFetchFailure(`${fetching[1]}, which ${file} begins with`, why);
  if (/no space left on device/.test(said)) return explainFetchFailure(file, 'no space left on device');
  const refused = refusals.length > 0 ? `\nrefused: ${refusals.slice(0, 20).join(', ')}` : '';
  const text = `building ${file} failed: ${why}\n${clipEnd(said, keptTail)}${refused}`;
  return new PwpError('image-build-failed', text, {
    help:
      refusals.length > 0
        ? 'If these hosts are yours, let the commands reach them: pwp images pull --host-network'
        : 'Correct the step that failed.',
  });
}

const loopbackPattern = /(?:^|[\s=])((?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?)\//gm;

/** Dockerfiles write names without a registry and mean Docker's; registries on this machine need no TLS. */
async function makeRegistries(dockerfile: string): Promise<string> {
  const own = await readFile('/etc/containers/registries.conf', 'utf8').catch(() => '');
  const search = 'unqualified-search-registries';
  const hasSearch = new RegExp(`^\\s*${search}`, 'm').test(own);
  const loopback = new Set([...dockerfile.matchAll(loopbackPattern)].map(([, host = '']) => host));
  return [
    ...(hasSearch ? [] : [`${search} = ["docker.io"]`, 'short-name-mode = "permissive"']),
    own,
    ...[...loopback].flatMap((host) => [
      '[[registry]]',
      `location = ${JSON.stringify(host)}`,
      'insecure = true',
    ]),
  ].join('\n');
}
