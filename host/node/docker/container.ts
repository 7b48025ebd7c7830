import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Duplex, PassThrough } from 'node:stream';
import type Docker from 'dockerode';
import {
  deadline,
  describeError,
  poll,
  type Probe,
  PwpError,
  raceSignal,
} from '../../../bridge/lib/index.ts';
import { clipEnd } from '../../../bridge/text/index.ts';
import { pathExists } from '../../lib/index.ts';
import type { FetchAgentRoot } from '../agent-root.ts';
import { canRunLocally } from '../local/index.ts';
import { connectRemoteNode, type RemoteNode, type RemoteNodeOptions } from '../remote/index.ts';
import { type NodeConnector, OtherKernelError, otherKernelExit, type PlannedContainer } from './connector.ts';
import { hostTokenPath, socketConnector, websocketConnector } from './connectors.ts';
import { askEngine, hasHttpStatus } from './engine.ts';
import { folderLabel, formatOwner, isOwnerAlive, nodeLabel, ownerLabel } from './labels.ts';
import { mountRoots } from './lent-roots.ts';
import type { NodeParts } from './node-image.ts';
import { thawContainer } from './thaw-container.ts';

/** From the start of the container to the node's handshake, in milliseconds. */
const handshakeMs = 60_000;
/** Maximum time for an engine to finish a container that is no longer wanted, in ms. */
const unwantedMs = 10_000;
/** Pause between two checks whether the node listens, in milliseconds: a new socket file sends no event. */
const intervalMs = 25;
/** A container is made within this time after its folder, in milliseconds. */
const youngMs = 60_000;
/** Times that a start is tried when another process has meanwhile taken the port that the engine chose. */
const portTries = 3;
/** A file in a node's folder that says whose it is: the folder may outlive the container. */
const ownerName = 'owner';
const nodeHome = '/var/lib/pwp';

/** Folders of sockets: one below it for each node's container, of the same name. */
function foldersPath(): string {
  // Not the name of the user: a number need not have one. Windows has no numbers, and a folder for each user's files.
  return join(tmpdir(), `pwp-nodes-${process.getuid?.() ?? 0}`);
}

/** A node's container. */
export interface ContainerPlace {
  readonly container: Docker.Container;
  /** Its folder on this machine. */
  readonly folder: string;
}

/** One that runs, and the connection to it. */
export interface NodeContainer extends ContainerPlace {
  readonly node: RemoteNode;
}

interface StartContainerOptions extends Omit<RemoteNodeOptions, 'root'> {
  readonly engine: Docker;
  readonly image: NodeParts;
  /** Ways to connect to the node: the next is tried where one does not lead to this engine's containers. */
  readonly connectors: readonly NodeConnector[];
  /** Finds roots for the sandboxes of a container. Default: its node has none. */
  readonly rootFor?: (place: ContainerPlace) => FetchAgentRoot;
}

/**
 * Starts a container and waits for the handshake of the node in it.
 * Errors: `node-failed` with what it said, `node-unreachable`, `port-in-use`, `docker-silent`.
 */
export async function startContainer(
  options: StartContainerOptions,
  signal: AbortSignal,
): Promise<NodeContainer> {
  for (const connector of options.connectors) {
    try {
      return await startConnected(options, connector, signal);
    } catch (error) {
      if (!(error instanceof OtherKernelError)) throw error;
    }
  }
  throw new PwpError('node-unreachable', "the engine's containers are not on this machine's kernel", {
    help: 'Leave PWP_NODE_TRANSPORT unset, or set it to websocket.',
  });
}

async function startConnected(
  options: StartContainerOptions,
  connector: NodeConnector,
  signal: AbortSignal,
): Promise<NodeContainer> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryStart(options, connector, signal);
    } catch (error) {
      if (!(error instanceof PwpError && error.code === 'port-in-use') || tries === portTries) throw error;
    }
  }
}

async function tryStart(
  options: StartContainerOptions,
  connector: NodeConnector,
  signal: AbortSignal,
): Promise<NodeContainer> {
  const { engine } = options;
  const name = `pwp-node-${randomBytes(4).toString('hex')}`;
  const folder = join(foldersPath(), name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, ownerName), await formatOwner(), { mode: 0o600 });
  await chmod(foldersPath(), 0o700);
  // By its name: an engine that is very slow may make it after it was given up.
  const container = engine.getContainer(name);
  try {
    const plan = await planContainer({ name, folder }, options, connector);
    await createContainer(engine, plan, signal);
    await connector.equip(container, { name, folder });
    using output = await collectOutput(engine, container);
    await runContainer(container, signal);
    return {
      container,
      folder,
      node: await awaitNode({ container, folder, output, connector }, options, signal),
    };
  } catch (error) {
    // What can't be removed now is left to the sweep: the reason is logged.
    await removeContainer(engine, name, folder).catch(() => undefined);
    throw error;
  }
}

async function createContainer(
  engine: Docker,
  plan: Docker.ContainerCreateOptions,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const make = (abortSignal: AbortSignal) => engine.createContainer({ ...plan, abortSignal });
  const made = askEngine("making the node's container", make);
  try {
    await raceSignal(made, signal);
  } catch (error) {
    // The engine does not cancel a request: it would make the container after this removed it.
    using limit = deadline('the unwanted container', unwantedMs);
    await raceSignal(made, limit.signal).catch(() => undefined);
    if (describeError(error).includes('bind source path does not exist')) throw new OtherKernelError();
    throw error;
  }
}

async function runContainer(container: Docker.Container, signal: AbortSignal): Promise<void> {
  const start = (abortSignal: AbortSignal) => container.start({ abortSignal });
  await askEngine("starting the node's container", start, { signal }).catch((cause: unknown) => {
    if (!/port is already allocated|address already in use/.test(describeError(cause))) throw cause;
    const help = 'Set PWP_NODE_PORT to another port, or unset it.';
    throw new PwpError('port-in-use', `the node's port is taken: ${describeError(cause)}`, { help, cause });
  });
}

/** Connects to the node of a container that runs, in the way that it was started with. */
export async function connectNode(
  container: Docker.Container,
  folder: string,
  options: RemoteNodeOptions,
  signal: AbortSignal,
): Promise<RemoteNode> {
  const byToken = await pathExists(hostTokenPath(folder));
  const connector = byToken ? websocketConnector() : socketConnector;
  return connectRemoteNode(await connector.connect(container, folder, signal), { ...options, signal });
}

/** Ends a container and all in it; a no-op for one that is gone. */
export async function removeContainer(engine: Docker, name: string, folder: string): Promise<void> {
  try {
    await forceRemove(engine, name);
  } catch (error) {
    if (!hasHttpStatus(error, 500)) throw error;
    const thawed = await thawContainer(engine, name).catch((cause: unknown) => cause);
    await forceRemove(engine, name).catch((cause: unknown) => {
      throw thawed === undefined ? cause : new AggregateError([cause, thawed], describeError(cause));
    });
  }
  await forgetNetwork(engine, name);
  // Only a folder of ours: the path comes from a label.
  if (folder === join(foldersPath(), basename(folder))) await rm(folder, { recursive: true, force: true });
}

async function forceRemove(engine: Docker, name: string): Promise<void> {
  const remove = (abortSignal: AbortSignal) =>
    engine.getContainer(name).remove({ force: true, v: true, abortSignal });
  await askEngine("removing the node's container", remove).catch((error: unknown) => {
    // 409: it is being removed already.
    if (!hasHttpStatus(error, 404, 409)) throw error;
  });
}

async function planContainer(
  planned: PlannedContainer,
  { engine, image: { tag, layers, languages } }: StartContainerOptions,
  connector: NodeConnector,
): Promise<Docker.ContainerCreateOptions> {
  const { name, folder } = planned;
  const part = await connector.prepare(engine, planned);
  return {
    name,
    Image: tag,
    Labels: { [nodeLabel]: 'container', [ownerLabel]: await formatOwner(), [folderLabel]: folder },
    Env: [...part.env, ...(languages.length > 0 ? [`PWP_WITH=${languages.join(',')}`] : [])],
    ExposedPorts: Object.fromEntries(Object.keys(part.ports).map((port) => [port, {}])),
    HostConfig: {
      AutoRemove: true,
      // Sandboxes are in namespaces of their own, and the node itself needs a network only to be reached.
      NetworkMode: part.networkMode,
      PortBindings: part.ports,
      // All capabilities for making sandboxes, but not --privileged: of the machine's devices only loops, by which the
      // disks of sandboxes are mounted; and engines without SYS_RESOURCE themselves can't give it.
      CapAdd: ['ALL'],
      CapDrop: ['SYS_RESOURCE'],
      DeviceCgroupRules: ['b 7:* rmw', 'c 10:237 rmw'],
      SecurityOpt: ['seccomp=unconfined', 'apparmor=unconfined'],
      // Restoring processes under their numbers needs /proc/sys to be writable. Sandboxes still see it read-only.
      ReadonlyPaths: [],
      Binds: ['/dev:/dev'],
      // Overlays of sandboxes can't be written on the container's own overlay. Anonymous: goes with the container.
      Mounts: [
        ...part.mounts,
        ...layers.map(mountLayer),
        // Those of an engine elsewhere have layers of their own, and only root has images.
        ...(layers.length > 0 && canRunLocally() ? [await mountRoots(nodeHome)] : []),
        {
          Type: 'volume',
          Source: '',
          Target: nodeHome,
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

/** Each layer separately, so that the engine can report which ones are in use. */
function mountLayer(rootfs: string): Docker.MountSettings {
  const folder = dirname(rootfs);
  return { Type: 'bind', Source: folder, Target: `${nodeHome}/images/${basename(folder)}`, ReadOnly: true };
}

/** The last of what a container writes, collected until it is disposed. */
interface ContainerOutput extends Disposable {
  readonly text: () => string;
}

async function collectOutput(engine: Docker, container: Docker.Container): Promise<ContainerOutput> {
  const stream = (await container.attach({ stream: true, stdout: true, stderr: true })) as Duplex;
  const output = new PassThrough();
  let text = '';
  output.setEncoding('utf8').on('data', (more: string) => (text = clipEnd(text + more, 4000)));
  engine.modem.demuxStream(stream, output, output);
  return { text: () => text.trim(), [Symbol.dispose]: () => stream.destroy() };
}

interface StartingContainer extends ContainerPlace {
  readonly output: ContainerOutput;
  readonly connector: NodeConnector;
}

async function awaitNode(
  starting: StartingContainer,
  { names, rootFor }: Pick<StartContainerOptions, 'names' | 'rootFor'>,
  signal: AbortSignal,
): Promise<RemoteNode> {
  const root = rootFor?.(starting);
  const options = { ...(names && { names }), ...(root && { root }) };
  using limit = deadline('the start of the node', handshakeMs, signal);
  using end = watchEnd(starting);
  const either = AbortSignal.any([limit.signal, end.signal]);
  const probe = async (): Promise<Probe<RemoteNode | PwpError>> => {
    try {
      const transport = await starting.connector.connect(starting.container, starting.folder, either);
      return { done: true, value: await connectRemoteNode(transport, { ...options, signal: either }) };
    } catch (error) {
      // Another program answers there.
      if (error instanceof PwpError && error.code === 'not-admitted') return { done: true, value: error };
      throw error;
    }
  };
  try {
    const node = await poll('the node', probe, { intervalMs, signal: either });
    if (node instanceof PwpError) throw unreachableError(node);
    return node;
  } catch (error) {
    end.signal.throwIfAborted();
    signal.throwIfAborted();
    if (limit.signal.aborted && starting.connector.kind === 'websocket') throw unreachableError(error);
    throw error;
  }
}

function unreachableError(cause: unknown): PwpError {
  return new PwpError('node-unreachable', `the node runs, but can't be reached: ${describeError(cause)}`, {
    help: "Where the engine is another machine's, forward a port to its loopback by ssh -L and set PWP_NODE_PORT to it.",
    cause,
  });
}

/** Fires when the container ends, until it is disposed. */
function watchEnd({ container, output }: StartingContainer): { readonly signal: AbortSignal } & Disposable {
  const ended = new AbortController();
  // Given up after the handshake, so that it does not keep this process from ending.
  const watch = new AbortController();
  container.wait({ abortSignal: watch.signal }).then(
    ({ StatusCode }: { StatusCode: number }) => {
      const text = `the node's container has ended: ${output.text()}`;
      ended.abort(
        StatusCode === otherKernelExit ? new OtherKernelError() : new PwpError('node-failed', text),
      );
    },
    (error: unknown) => ended.abort(new PwpError('node-failed', describeError(error), { cause: error })),
  );
  return { signal: ended.signal, [Symbol.dispose]: () => watch.abort() };
}

/** Removes the network of a container; a no-op where it has none. */
async function forgetNetwork(engine: Docker, name: string): Promise<void> {
  await websocketConnector().forget(engine, name);
}

/** Removes the networks of containers that are gone: as with folders. */
export async function sweepNetworks(engine: Docker, names: ReadonlySet<string>): Promise<void> {
  const filters = { label: [`${nodeLabel}=network`] };
  const networks = await askEngine('its networks', (abortSignal) =>
    engine.listNetworks({ filters, abortSignal }),
  );
  for (const { Name, Created } of networks) {
    if (!names.has(Name) && Date.now() - Date.parse(Created ?? '') > youngMs)
      await forgetNetwork(engine, Name);
  }
}

/** Removes the socket folders of containers that are gone: a node that ends by itself can't remove its own. */
export async function sweepFolders(names: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(foldersPath()).catch(() => [])) {
    const folder = join(foldersPath(), name);
    const info = await stat(folder).catch(() => undefined);
    if (names.has(name) || !info) continue;
    // A young one may be waiting for its container, for as long as its owner is there.
    const owner = await readFile(join(folder, ownerName), 'utf8').catch(() => undefined);
    const young = Date.now() - info.mtimeMs < youngMs;
    if (young && (owner === undefined || (await isOwnerAlive(owner)))) continue;
    await rm(folder, { recursive: true, force: true });
  }
}
