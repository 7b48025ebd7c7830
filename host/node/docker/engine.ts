import type Docker from 'dockerode';
import { PwpError, deadline, messageOf } from '../../../bridge/lib/index.ts';
import { dialOptions } from './dial.ts';
import { dockerEndpoint } from './endpoint.ts';

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
  const endpoint = await dockerEndpoint(env);
  const options = await dialOptions(endpoint);
  // Loaded here: it takes a while, and most commands don't need it.
  const { default: Engine } = await import('dockerode');
  const engine = new Engine(options);
  const hello = answered('its version', (abortSignal) => abortable(engine).version({ abortSignal }), {
    timeoutMs,
  });
  const { ApiVersion, Version } = await hello.catch((cause: unknown) => {
    throw explain(cause, endpoint.host);
  });
  if (isOlder(ApiVersion, minimumApi)) {
    throw new PwpError('docker-too-old', `Docker ${Version} is too old`, {
      help: 'Install Docker Engine 20.10 or newer.',
    });
  }
  return engine;
}

/** Asks an engine for something. Errors: `docker-silent`, the signal's reason, the engine's own. */
export async function answered<T>(
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
interface Abortable {
  version(options: { abortSignal: AbortSignal }): Promise<Docker.DockerVersion>;
  info(options: { abortSignal: AbortSignal }): Promise<{ readonly OperatingSystem?: string }>;
}

export function abortable(engine: Docker): Abortable {
  return engine;
}

/** Compares versions such as `1.9` and `1.41` by their numbers. */
export function isOlder(version: string, minimum: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor = 0, minMinor = 0] = minimum.split('.').map(Number);
  return major < minMajor || (major === minMajor && minor < minMinor);
}

/** Whether an engine's error has this HTTP status. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): boolean {
  return statuses.includes((error as { statusCode?: number }).statusCode ?? 0);
}

function explain(cause: unknown, host: string | null): PwpError {
  if (cause instanceof PwpError) return cause;
  const at = host ?? "Docker's default socket";
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM') {
    const help = 'Run the same command with sudo, or join the group docker: sudo usermod -aG docker $USER';
    return new PwpError('docker-denied', `no permission to talk to ${at}`, { help, cause });
  }
  const help = 'Install and start Docker (apt-get install docker.io), or use --node local.';
  return new PwpError('docker-missing', `no Docker engine answers at ${at}: ${messageOf(cause)}`, {
    help,
    cause,
  });
}
