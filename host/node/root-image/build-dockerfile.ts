import { randomBytes } from 'node:crypto';
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { PwpError } from '../../../bridge/lib/index.ts';
import { clipEnd } from '../../../bridge/text/index.ts';
import { isFile, type Progress } from '../../lib/index.ts';
import { createLimitedGroup } from '../container/index.ts';
import { defaultLimits } from '../sandbox-spec.ts';
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
  /** IP addresses of names that the build's proxy does not look up; these may be private. */
  readonly names: Readonly<Record<string, string>>;
  /** Asks registries whether the images that it begins with have newer versions. */
  readonly newest: boolean;
  readonly store: RootStore;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Each build has a control group below this one, with buildah and the containers of commands in it. */
const cgroupParent = 'pwp-roots';
/** Of one build. Compilers need more than an IDE. */
const buildLimits = {
  memoryMb: Math.max(defaultLimits.memoryMb, totalmem() / 2 / 1024 / 1024),
  pids: defaultLimits.pids,
};
const usualFlags = ['--isolation', 'oci', '--format', 'docker', '--layers', '--http-proxy=false'];
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
  const place = join(store.temporary, 'network');
  await using network = await openBuildNetwork(build.network, place, build.names, signal);
  const cgroup = `/${cgroupParent}/${randomBytes(8).toString('hex')}`;
  await using group = await createLimitedGroup(cgroup, buildLimits);
  const registries = join(store.temporary, 'registries.conf');
  await writeFile(registries, await makeRegistries(text));
  const pull = `--pull=${build.newest}`;
  const groupFlags = ['--cgroup-parent', `${cgroup}/commands`];
  const flags = [...usualFlags, ...groupFlags, pull, ...network.flags, '--tag', name, ...plain];
  const { failed, said } = await runTool('buildah', ['bud', ...flags, dirname(file)], {
    store,
    signal,
    env: { CONTAINERS_REGISTRIES_CONF: registries, ...network.env },
    within: [...group.within, ...network.within],
    onLine: (line) => showStep(line, progress),
  });
  if (failed)
    throw explainBuildFailure(file, said, [...network.refusals(), ...listRefusedLoopback(build, said)]);
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

/** What buildah sought on this machine's loopback, where its own network has nothing. */
function listRefusedLoopback({ network }: DockerfileBuild, said: string): string[] {
  if (network === 'host') return [];
  const hosts = [...said.matchAll(/dial tcp ((?:127\.[\d.]+|\[::1\]):\d+)/g)].map(([, host]) => host);
  return [...new Set(hosts)].map((host) => `${host} (this-machine)`);
}

/** @param refusals hosts that the build may not reach */
function explainBuildFailure(file: string, said: string, refusals: readonly string[]): PwpError {
  const why = readToolError(said);
  const fetching = /initializing source docker:\/\/(\S+?):? /.exec(why);
  const refused = refusals.length > 0 ? `\nrefused: ${refusals.slice(0, 20).join(', ')}` : '';
  if (fetching) {
    const { code, message, help } = explainFetchFailure(`${fetching[1]}, which ${file} begins with`, why);
    const own = `If it is yours, fetch it first: pwp images pull ${fetching[1]}`;
    return new PwpError(
      code,
      `${message}${refused}`,
      refused ? { help: own } : help === undefined ? {} : { help },
    );
  }
  if (/no space left on device/.test(said)) return explainFetchFailure(file, 'no space left on device');
  const text = `building ${file} failed: ${why}\n${clipEnd(said, keptTail)}${refused}`;
  return new PwpError('image-build-failed', text, { help: adviseOnBuild(said, refusals.length > 0) });
}

function adviseOnBuild(said: string, isRefused: boolean): string {
  if (isRefused) return 'If these hosts are yours, let the build reach them: pwp images pull --host-network';
  if (!/^Killed$|exit status 137/m.test(said)) return 'Correct the step that failed.';
  return `A program was killed, as if it had used up the memory of a build, ${Math.round(buildLimits.memoryMb)} MiB.`;
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
