import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type Docker from 'dockerode';
import { execa } from 'execa';
import { PwpError, messageOf, raceSignal } from '../../../bridge/lib/index.ts';
import { contentHash, openTemporaryFolder, packageFolder, type Progress } from '../../lib/index.ts';
import { buildFailure } from './failure.ts';
import type { Machine } from './machine.ts';
import { followWork } from './stream.ts';

const suite = 'bookworm';
const published = `debian:${suite}-slim`;

/** What is built on a base: the node, with packages that rarely change, or the sandbox, with its own script. */
export type BaseUse = 'node' | 'sandbox';

export interface BaseOptions {
  readonly machine: Machine;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Debian to build on: an image that the engine has, else the registry's, else one made here of Debian's packages.
 * Errors: `no-base-image` if this machine can't make one, `image-build-failed`, `disk-full`.
 */
export async function ensureBase(engine: Docker, use: BaseUse, options: BaseOptions): Promise<string> {
  const { machine, progress, signal } = options;
  const made = await baseTag(use, machine.arch);
  for (const image of [published, made]) if (await isThere(engine, image)) return image;
  progress.stage(`Fetching ${published}`, 0.02);
  try {
    await raceSignal(pull(engine), signal);
    return published;
  } catch (cause) {
    signal.throwIfAborted();
    if (machine.arch !== process.arch || process.platform !== 'linux') throw unmakable(cause);
    progress.stage('Making a base of Debian packages: no registry answers', 0.05);
    await make(engine, made, await packagesFor(use), signal).catch((error: unknown) => {
      signal.throwIfAborted();
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw unmakable(cause);
      const text = `can't fetch ${published} (${messageOf(cause)}) nor make it: ${messageOf(error)}`;
      throw buildFailure(text, null, error);
    });
    return made;
  }
}

/** The name of a base that is made here. */
export async function baseTag(use: BaseUse, arch: string): Promise<string> {
  const words = [suite, arch, ...(await packagesFor(use))];
  return `pwp-node-base:${(await contentHash([], words)).slice(0, 16)}`;
}

export async function isThere(engine: Docker, image: string): Promise<boolean> {
  return (await engine.listImages({ filters: { reference: [image] } })).length > 0;
}

function unmakable(cause: unknown): PwpError {
  return new PwpError('no-base-image', `can't fetch ${published}: ${messageOf(cause)}`, {
    help:
      `Fetch it yourself and try again: docker pull ${published}. Where no registry can be reached, a machine with ` +
      'Debian makes it of packages: apt-get install -y mmdebstrap.',
    cause,
  });
}

async function packagesFor(use: BaseUse): Promise<string[]> {
  if (use === 'sandbox') return [];
  const list = await readFile(join(packageFolder(), 'images/node/packages.txt'), 'utf8');
  return list.trim().split(/\s+/);
}

async function pull(engine: Docker): Promise<void> {
  await followWork(engine, await engine.pull(published));
}

async function make(engine: Docker, tag: string, packages: string[], signal: AbortSignal): Promise<void> {
  await using folder = await openTemporaryFolder('base');
  const tar = join(folder.path, 'base.tar');
  const include = packages.length > 0 ? [`--include=${packages.join(',')}`] : [];
  const args = ['--variant=minbase', ...include, suite, tar];
  await execa('mmdebstrap', args, { cancelSignal: signal, detached: true, stdin: 'ignore' });
  const [repo, version] = tag.split(':');
  const answer = await engine.importImage(createReadStream(tar), { repo, tag: version });
  await raceSignal(followWork(engine, answer), signal);
}
