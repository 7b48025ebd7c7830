import { createHash } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { homedir, networkInterfaces, release } from 'node:os';
import { join } from 'node:path';
import type Docker from 'dockerode';
import * as z from 'zod';
import { deadline, describeError, PwpError } from '../../../bridge/lib/index.ts';
import { ignoreMissing } from '../../lib/index.ts';
import { findImage } from '../image/index.ts';
import { canRunLocally } from '../local/index.ts';

/** The API of Docker Engine 20.10, the oldest version that was tried. */
const minimumApi = '1.41';
/** Time for an engine to report its version, in milliseconds. */
const helloMs = 15_000;
/** Time in which it does anything else that takes no build, in milliseconds: disks are slow at times. */
const answerMs = 120_000;

/**
 * Connects to the Docker Engine and asks whether it answers.
 * Errors: `docker-missing`, `docker-denied`, `docker-too-old`, `docker-remote`, `docker-context`, `docker-silent`.
 */
export async function connectEngine(
  env: NodeJS.ProcessEnv = process.env,
  timeoutMs: number = helloMs,
): Promise<Docker> {
  const endpoint = await findDockerEndpoint(env);
  const options = await toDialOptions(endpoint);
  // Loaded here: it takes a while, and most commands don't need it.
  const { default: Engine } = await import('dockerode');
  const engine = new Engine(options);
  const hello = askEngine('its version', (abortSignal) => withAbortSignals(engine).version({ abortSignal }), {
    timeoutMs,
  });
  const { ApiVersion, Version } = await hello.catch((cause: unknown) => {
    throw explainNoEngine(cause, endpoint.host);
  });
  if (isOlderVersion(ApiVersion, minimumApi)) {
    throw new PwpError('docker-too-old', `Docker ${Version} is too old`, {
      help: 'Install Docker Engine 20.10 or newer.',
    });
  }
  return engine;
}

/** Asks an engine for something. Errors: `docker-silent`, the signal's reason, the engine's own. */
export async function askEngine<T>(
  what: string,
  ask: (signal: AbortSignal) => Promise<T>,
  { timeoutMs = answerMs, signal }: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
): Promise<T> {
  using limit = deadline(what, timeoutMs, signal);
  try {
    return await ask(limit.signal);
  } catch (cause) {
    signal?.throwIfAborted();
    if (!limit.signal.aborted) throw cause;
    const text = `Docker's engine has not answered for ${timeoutMs / 1000} s: ${what}`;
    throw new PwpError('docker-silent', text, { help: 'Look at its log; restart it if it hangs.', cause });
  }
}

/** Members that dockerode's types leave out. */
interface AbortableEngine {
  version(options: { abortSignal: AbortSignal }): Promise<Docker.DockerVersion>;
  info(options: { abortSignal: AbortSignal }): Promise<{ readonly OperatingSystem?: string }>;
}

export function withAbortSignals(engine: Docker): AbortableEngine {
  return engine;
}

/** Compares versions such as `1.9` and `1.41` by their numbers. */
function isOlderVersion(version: string, minimum: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor = 0, minMinor = 0] = minimum.split('.').map(Number);
  return major < minMajor || (major === minMajor && minor < minMinor);
}

/** Whether an engine's error has this HTTP status. */
export function hasHttpStatus(error: unknown, ...statuses: readonly number[]): boolean {
  return statuses.includes((error as { statusCode?: number }).statusCode ?? 0);
}

function explainNoEngine(cause: unknown, host: string | null): PwpError {
  if (cause instanceof PwpError) return cause;
  const at = host ?? "Docker's default socket";
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM') {
    const help = 'Run the same command with sudo, or join the group docker: sudo usermod -aG docker $USER';
    return new PwpError('docker-denied', `no permission to talk to ${at}`, { help, cause });
  }
  const help = 'Install and start Docker (apt-get install docker.io), or use --node local.';
  return new PwpError('docker-missing', `no Docker engine answers at ${at}: ${describeError(cause)}`, {
    help,
    cause,
  });
}

const dockerConfigSchema = z.object({ currentContext: z.string().optional() });
const contextMetaSchema = z.object({
  Endpoints: z.object({ docker: z.object({ Host: z.string(), SkipTLSVerify: z.boolean().default(false) }) }),
});

/** Where an engine is. */
interface EngineEndpoint {
  /** E.g. `unix:///var/run/docker.sock`; null for Docker's default. */
  readonly host: string | null;
  /** Certificates and key for TLS; null without TLS. */
  readonly tls: EngineTls | null;
}

interface EngineTls {
  readonly ca: Buffer | undefined;
  readonly cert: Buffer | undefined;
  readonly key: Buffer | undefined;
  /** Whether the engine's certificate must be signed by the CA. */
  readonly verify: boolean;
}

/**
 * The engine that the `docker` command would talk to: `DOCKER_HOST`, else `DOCKER_CONTEXT`, else the context chosen in
 * Docker's configuration. Errors: `docker-context`.
 */
async function findDockerEndpoint(env: NodeJS.ProcessEnv = process.env): Promise<EngineEndpoint> {
  const folder = env['DOCKER_CONFIG'] ?? join(env['HOME'] ?? homedir(), '.docker');
  if (env['DOCKER_HOST']) return { host: env['DOCKER_HOST'], tls: await readEnvironmentTls(env, folder) };
  const name = env['DOCKER_CONTEXT'] ?? (await readCurrentContext(join(folder, 'config.json')));
  if (!name || name === 'default') return { host: null, tls: null };
  return readContext(join(folder, 'contexts'), name);
}

async function readEnvironmentTls(env: NodeJS.ProcessEnv, folder: string): Promise<EngineTls | null> {
  const verify = Boolean(env['DOCKER_TLS_VERIFY']);
  if (!verify && !env['DOCKER_TLS']) return null;
  return readTls(env['DOCKER_CERT_PATH'] ?? folder, verify);
}

async function readContext(contexts: string, name: string): Promise<EngineEndpoint> {
  const id = createHash('sha256').update(name).digest('hex');
  try {
    const text = await readFile(join(contexts, 'meta', id, 'meta.json'), 'utf8');
    const { Host: host, SkipTLSVerify: skip } = contextMetaSchema.parse(JSON.parse(text)).Endpoints.docker;
    const tls = await readTls(join(contexts, 'tls', id, 'docker'), !skip);
    const isTls = skip || Object.values(tls).some((value) => Buffer.isBuffer(value));
    return { host, tls: isTls ? tls : null };
  } catch (cause) {
    const help = 'List the contexts: docker context ls';
    const text = `can't read Docker's context ${name}: ${describeError(cause)}`;
    throw new PwpError('docker-context', text, { help, cause });
  }
}

/** Each of the files may be left out; one that can't be read may not. */
async function readTls(folder: string, verify: boolean): Promise<EngineTls> {
  const read = (name: string) => readFile(join(folder, name)).catch(ignoreMissing);
  const [ca, cert, key] = await Promise.all([read('ca.pem'), read('cert.pem'), read('key.pem')]);
  return { ca, cert, key, verify };
}

async function readCurrentContext(file: string): Promise<string | undefined> {
  try {
    return dockerConfigSchema.parse(JSON.parse(await readFile(file, 'utf8'))).currentContext;
  } catch {
    // No configuration, or one that `docker` itself complains of.
    return undefined;
  }
}

const enginePorts = { plain: '2375', tls: '2376' };

/** Dockerode's options, with one that its types leave out. */
type DialOptions = Docker.DockerOptions & { readonly agent?: Agent };

/** The engine's address for dockerode. Errors: `docker-remote`, `docker-context`. */
async function toDialOptions({ host, tls }: EngineEndpoint): Promise<DialOptions> {
  if (host === null) return {};
  const path = /^(?:unix|npipe):\/\/(.+)$/.exec(host)?.[1];
  if (path !== undefined) return { socketPath: path };
  const url = URL.parse(host);
  if (url?.protocol === 'ssh:') throw remoteEngineError(host, url.hostname);
  if (url?.protocol !== 'tcp:' || url.hostname === '')
    throw new PwpError('docker-context', `${JSON.stringify(host)} is not the address of an engine`, {
      help: 'Write unix:///path/to/docker.sock or tcp://127.0.0.1:port.',
    });
  const name = url.hostname.replace(/^\[|\]$/g, '');
  if (!(await isThisMachine(name))) throw remoteEngineError(host, name);
  if (!tls) return { protocol: 'http', host: name, port: url.port || enginePorts.plain };
  return { protocol: 'https', host: name, port: url.port || enginePorts.tls, agent: createTlsAgent(tls) };
}

function createTlsAgent({ ca, cert, key, verify }: EngineTls): Agent {
  return new Agent({
    rejectUnauthorized: verify,
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
  });
}

/** An engine publishes a node's port on its own machine's loopback: elsewhere that can't be reached. */
function remoteEngineError(endpoint: string, name: string): PwpError {
  const forwards = `-L /tmp/docker.sock:/var/run/docker.sock -L 4300:127.0.0.1:4300`;
  return new PwpError('docker-remote', `Docker's engine at ${endpoint} is on another machine`, {
    help:
      `Bring its socket and a port here: ssh -nNT ${forwards} ${name}, ` +
      'then set DOCKER_HOST=unix:///tmp/docker.sock and PWP_NODE_PORT=4300.',
  });
}

async function isThisMachine(name: string): Promise<boolean> {
  if (name === 'localhost') return true;
  const addresses = await lookup(name, { all: true }).catch(() => []);
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.some(
    ({ address }) => own.some((each) => each.address === address) || /^127\./.test(address),
  );
}

/** The machine that an engine runs containers on. */
export interface EngineMachine {
  /** As Node names it, e.g. `x64`. */
  readonly arch: string;
  /** It is this machine: its files are the engine's. Not so with Docker Desktop and engines elsewhere. */
  readonly shared: boolean;
}

/**
 * Where a node's container has the layers of sandboxes from: `bound` from this machine's cache, or `complete`, in its
 * own image.
 */
export type LayerSource = 'bound' | 'complete';

const architectures: Readonly<Record<string, string>> = { x86_64: 'x64', aarch64: 'arm64' };

/** Errors: `docker-other-machine` if the engine's machine is of a kind that nothing is made for. */
export async function readEngineMachine(engine: Docker): Promise<EngineMachine> {
  const info = (await engine.info()) as EngineInfo;
  const arch = architectures[info.Architecture];
  if (info.OSType !== 'linux' || arch === undefined) {
    const what = `${info.OSType} containers on ${info.Architecture}`;
    throw new PwpError('docker-other-machine', `sandboxes can't be made in ${what}`, {
      help: 'Switch Docker to Linux containers, on a machine with an x86-64 or ARM64 processor.',
    });
  }
  return { arch, shared: isThisKernel(info) };
}

interface EngineInfo {
  readonly OSType: string;
  readonly Architecture: string;
  readonly KernelVersion: string;
  readonly OperatingSystem: string;
}

function isThisKernel({ KernelVersion, OperatingSystem }: EngineInfo): boolean {
  const desktop = OperatingSystem.startsWith('Docker Desktop');
  return process.platform === 'linux' && !desktop && KernelVersion === release();
}

/**
 * Layers of this machine where there are some or can be, since these cost no second copy; else those in the image.
 * `PWP_NODE_IMAGE` decides otherwise. Errors: `bad-setting`.
 */
export async function chooseLayerSource(
  machine: EngineMachine,
  env: NodeJS.ProcessEnv = process.env,
): Promise<LayerSource> {
  const wanted = env['PWP_NODE_IMAGE'] ?? '';
  if (wanted === 'bound' || wanted === 'complete') return wanted;
  if (wanted !== '') {
    throw new PwpError('bad-setting', `PWP_NODE_IMAGE is ${JSON.stringify(wanted)}`, {
      help: 'It is bound, complete, or not set.',
    });
  }
  if (!machine.shared) return 'complete';
  return canRunLocally() || (await findImage()) !== null ? 'bound' : 'complete';
}
