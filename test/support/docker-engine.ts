import { join } from 'node:path';
import { execa } from 'execa';
import { acquireLock, pwpHome } from '../../host/lib/index.ts';
import { connectEngine } from '../../host/node/docker/engine.ts';
import { pruneNodeImages } from '../../host/node/docker/image-list.ts';
import { type Dockerd, startDockerd } from './dockerd.ts';

let engine: Promise<Dockerd | undefined> | undefined;

/**
 * Makes sure that a Docker Engine answers in this process and its children: the machine's, or one of Debian's docker.io,
 * which is installed if it is missing. There is one for the whole run.
 */
export async function openEngine(): Promise<void> {
  await (engine ??= findOrStart());
}

/** Stops the engine that {@link openEngine} started; the machine's own is left as it was. */
export async function closeEngine(): Promise<void> {
  const own = await engine?.catch(() => undefined);
  engine = undefined;
  if (!own) return;
  delete process.env['DOCKER_HOST'];
  await own[Symbol.asyncDispose]();
}

async function findOrStart(): Promise<Dockerd | undefined> {
  if (await answers()) return undefined;
  if ((await execa('dockerd', ['--version'], { reject: false })).failed) {
    await install();
    // On a machine with a service manager, the package has started its own engine.
    if (await answers()) return undefined;
  }
  const own = await startOwn();
  process.env['DOCKER_HOST'] = own.host;
  return own;
}

/** Its images stay for the next run, unless another run uses them at the moment. */
async function startOwn(): Promise<Dockerd> {
  const data = join(pwpHome(), 'test-engine');
  await using stack = new AsyncDisposableStack();
  const lock = await tryLock(`${data}.lock`);
  if (!lock) return await startDockerd();
  stack.use(lock);
  const dockerd = stack.use(await startDockerd({ data }));
  // Removes images of earlier versions of this project.
  await pruneNodeImages(await connectEngine({ DOCKER_HOST: dockerd.host }));
  const owned = stack.move();
  return {
    host: dockerd.host,
    start: () => dockerd.start(),
    stop: () => dockerd.stop(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Null if another process has it. */
async function tryLock(path: string): Promise<AsyncDisposable | null> {
  const busy = new AbortController();
  try {
    return await acquireLock(path, { signal: busy.signal, onWait: () => busy.abort() });
  } catch (error) {
    if (busy.signal.aborted) return null;
    throw error;
  }
}

async function install(): Promise<void> {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await execa('apt-get', ['update'], { env });
  await execa('apt-get', ['install', '-y', '--no-install-recommends', 'docker.io'], { env });
}

function answers(): Promise<boolean> {
  return connectEngine().then(
    () => true,
    () => false,
  );
}
