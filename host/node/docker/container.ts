import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { PassThrough, type Duplex } from 'node:stream';
import type Docker from 'dockerode';
import { PwpError, deadline, messageOf, poll, type Probe } from '../../../bridge/lib/index.ts';
import { connectSocket } from '../../../bridge/rpc/index.ts';
import { RemoteNode } from '../remote/index.ts';
import { hasStatus } from './engine.ts';
import { folderLabel, nodeLabel, ownerLabel, ownerText } from './labels.ts';

/** From the start of the container to the node's handshake, in milliseconds. */
const handshakeMs = 60_000;
/** Pause between two looks whether the node listens, in milliseconds: a socket file's birth tells no one. */
const intervalMs = 25;
/** A container is made within this time after its folder, in milliseconds. */
const youngMs = 60_000;
const home = '/var/lib/pwp';
const socketFolder = '/run/pwp-node';

/** Folders of sockets: one below it for each node's container, of the same name. */
export function foldersPath(): string {
  // Not the name of the user: a number need not have one. Windows has no numbers, and a folder for each user's files.
  return join(tmpdir(), `pwp-nodes-${process.getuid?.() ?? 0}`);
}

/** A node's container that runs, and the connection to it. */
export interface NodeContainer {
  readonly container: Docker.Container;
  readonly node: RemoteNode;
  readonly folder: string;
}

/** What a container is made of. */
export interface NodeImage {
  readonly tag: string;
  /** Folders of layers on this machine, mounted read only; none where the image has its own. */
  readonly layers: readonly string[];
}

/** Starts a container and waits for the handshake of the node in it. Errors: `node-failed` with what it said. */
export async function startContainer(
  engine: Docker,
  image: NodeImage,
  signal: AbortSignal,
): Promise<NodeContainer> {
  const name = `pwp-node-${randomBytes(4).toString('hex')}`;
  const folder = join(foldersPath(), name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(foldersPath(), 0o700);
  const container = await engine.createContainer(await options(name, image, folder));
  try {
    using output = await listen(engine, container);
    await container.start();
    return { container, folder, node: await awaitNode(container, folder, output, signal) };
  } catch (error) {
    await removeContainer(container, folder);
    throw error;
  }
}

/** Connects to the node of a container that runs. */
export async function connectNode(folder: string, signal: AbortSignal): Promise<RemoteNode> {
  return RemoteNode.connect(await connectSocket(join(folder, 'node.sock'), signal), signal);
}

/** Ends a container and all in it; a no-op for one that is gone. */
export async function removeContainer(container: Docker.Container, folder: string): Promise<void> {
  await container.remove({ force: true, v: true }).catch((error: unknown) => {
    // 409: it is being removed already.
    if (!hasStatus(error, 404, 409)) throw error;
  });
  // Only a folder of ours: the path comes from a label.
  if (folder === join(foldersPath(), basename(folder))) await rm(folder, { recursive: true, force: true });
}

async function options(
  name: string,
  { tag, layers }: NodeImage,
  folder: string,
): Promise<Docker.ContainerCreateOptions> {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return {
    name,
    Image: tag,
    Labels: { [nodeLabel]: 'container', [ownerLabel]: await ownerText(), [folderLabel]: folder },
    Env: [`PWP_SOCKET=${socketFolder}/node.sock`, `PWP_SOCKET_UID=${uid}`, `PWP_SOCKET_GID=${gid}`],
    HostConfig: {
      AutoRemove: true,
      // Sandboxes reach no network, and the node needs none: it is talked to by its socket.
      NetworkMode: 'none',
      // All that making sandboxes takes, but not --privileged: of the machine's devices only loops, which the disks of
      // sandboxes are mounted by; and engines without SYS_RESOURCE themselves can't give it.
      CapAdd: ['ALL'],
      CapDrop: ['SYS_RESOURCE'],
      DeviceCgroupRules: ['b 7:* rmw', 'c 10:237 rmw'],
      SecurityOpt: ['seccomp=unconfined', 'apparmor=unconfined'],
      Binds: [`${folder}:${socketFolder}`, '/dev:/dev'],
      // Overlays of sandboxes can't be written on the container's own overlay. Anonymous: goes with the container.
      Mounts: [
        ...layers.map(mountOf),
        {
          Type: 'volume',
          Source: '',
          Target: home,
          VolumeOptions: {
            NoCopy: true,
            Labels: { [nodeLabel]: 'volume' },
            DriverConfig: { Name: 'local', Options: {} },
          },
        },
      ],
    },
  };
}

/** Each layer alone, so that the engine can tell which ones are in use. */
function mountOf(rootfs: string): Docker.MountSettings {
  const folder = dirname(rootfs);
  return { Type: 'bind', Source: folder, Target: `${home}/images/${basename(folder)}`, ReadOnly: true };
}

/** The last of what a container writes, collected until it is disposed. */
interface Output extends Disposable {
  readonly text: () => string;
}

async function listen(engine: Docker, container: Docker.Container): Promise<Output> {
  const stream = (await container.attach({ stream: true, stdout: true, stderr: true })) as Duplex;
  const output = new PassThrough();
  let text = '';
  output.on('data', (chunk: Buffer) => (text = (text + chunk.toString()).slice(-4000)));
  engine.modem.demuxStream(stream, output, output);
  return { text: () => text.trim(), [Symbol.dispose]: () => stream.destroy() };
}

async function awaitNode(
  container: Docker.Container,
  folder: string,
  output: Output,
  signal: AbortSignal,
): Promise<RemoteNode> {
  using limit = deadline('the start of the node', handshakeMs, signal);
  const ended = new AbortController();
  const failed = () => new PwpError('node-failed', `the node's container has ended: ${output.text()}`);
  // Given up after the handshake, so that it does not keep this process from ending.
  const handshake = new AbortController();
  container.wait({ abortSignal: handshake.signal }).then(
    () => ended.abort(failed()),
    (error: unknown) => ended.abort(new PwpError('node-failed', messageOf(error), { cause: error })),
  );
  const either = AbortSignal.any([limit.signal, ended.signal]);
  const probe = async (): Promise<Probe<RemoteNode>> => ({
    done: true,
    value: await connectNode(folder, either),
  });
  try {
    return await poll('the node', probe, { intervalMs, signal: either });
  } catch (error) {
    if (ended.signal.aborted) throw failed();
    throw error;
  } finally {
    handshake.abort();
  }
}

/** Removes the socket folders of containers that are gone: a node that ends by itself can't remove its own. */
export async function sweepFolders(names: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(foldersPath()).catch(() => [])) {
    const folder = join(foldersPath(), name);
    const info = await stat(folder).catch(() => undefined);
    // A young one may be waiting for its container.
    if (names.has(name) || !info || Date.now() - info.mtimeMs < youngMs) continue;
    await rm(folder, { recursive: true, force: true });
  }
}
