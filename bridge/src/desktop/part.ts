import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Child, type ChildOptions, type Exit, type Probe, startChild } from '../../lib/index.ts';
import type { Service, ServiceName } from '../../protocol/index.ts';
import { agentPaths, desktopPaths } from '../config.ts';

/** A part of the desktop that runs. Disposing it stops it and resolves when it is gone. */
export interface RunningDesktopPart extends AsyncDisposable {
  /** Resolves with the reason for its end; never rejects. */
  readonly ended: Promise<string>;
  /** It runs in another window than its predecessor, which ended with its window and did not crash. */
  readonly reloaded?: boolean;
}

/**
 * Time for a part to become ready, in milliseconds. Generous: on a machine where many sandboxes start at once, it takes
 * a multiple of its usual seconds, and a restart would only begin that again. A part that dies is noticed at once.
 */
export const PART_START_MS = 300_000;

/** How one part of the desktop is started. */
export interface DesktopPart {
  readonly name: ServiceName;
  /** Parts that must be ready before this one starts. When one of them ends, this one is restarted as well. */
  readonly needs: readonly ServiceName[];
  /** Maximum milliseconds until it is ready. */
  readonly startMs: number;
  /** Only time in which VS Code does nothing counts towards {@link startMs}. Default: all time. */
  readonly mayWork?: true;
  /** Starts it and resolves when it is ready; leaves nothing behind when it rejects. */
  start(signal: AbortSignal): Promise<RunningDesktopPart>;
}

/** The state of every part, for callers that ask, wait or listen. */
export class PartStates {
  readonly #services: Map<ServiceName, Service>;
  readonly #listeners = new Set<(service: Service) => void>();

  constructor(names: readonly ServiceName[]) {
    this.#services = new Map(names.map((name) => [name, { name, state: 'waiting', restarts: 0 }]));
  }

  get services(): Service[] {
    return [...this.#services.values()];
  }

  get(name: ServiceName): Service {
    return this.#services.get(name) ?? { name, state: 'waiting', restarts: 0 };
  }

  /** Sets a part's state and notifies the listeners. */
  set(service: Service): void {
    this.#services.set(service.name, service);
    for (const listener of this.#listeners) listener(service);
  }

  on(listener: (service: Service) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Resolves as soon as `done` holds; looks again after every change. Rejects with the signal's reason. */
  until(done: (services: readonly Service[]) => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        listening[Symbol.dispose]();
        signal.removeEventListener('abort', onAbort);
        settle();
      };
      const onAbort = () => finish(() => reject(signal.reason as Error));
      const look = () => {
        if (done(this.services)) finish(resolve);
      };
      const listening = this.on(look);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      else look();
    });
  }
}

/** Starts a program of the desktop, with its log in the usual place. */
export function startDesktopProgram(
  name: ServiceName,
  argv: readonly [string, ...string[]],
  options: Pick<ChildOptions, 'env' | 'cwd' | 'pipes' | 'piped'>,
): Promise<Child> {
  const [file, ...args] = argv;
  return startChild(file, args, { ...options, log: findLogPath(name) });
}

export function describeExit(name: ServiceName, { code, signal }: Exit): string {
  return `${name} ended ${signal ? `by ${signal}` : `with exit code ${code ?? 'unknown'}`}`;
}

/** Resolves with `ready`'s value, or rejects as soon as the program ends. */
export async function whileAlive<T>(name: ServiceName, child: Child, ready: Promise<T>): Promise<T> {
  const died = child.stopped.then((exit) => {
    throw new Error(describeExit(name, exit));
  });
  return Promise.race([ready, died]);
}

function findLogPath(name: ServiceName): string {
  return join(name === 'code-server' ? agentPaths.logs : desktopPaths.logs, `${name}.log`);
}

/** The end of a part's log; empty if it has no log. */
export async function readLogTail(name: ServiceName, maxBytes: number): Promise<string> {
  const file = await open(findLogPath(name), 'r').catch(() => undefined);
  if (!file) return '';
  try {
    const { size } = await file.stat();
    const length = Math.min(size, maxBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** A part's state as a line of the bridge's own log. */
export function formatPartState({ name, state, restarts, detail }: Service): string {
  return `${name} ${state}${restarts ? ` (restarts: ${restarts})` : ''}${detail ? `: ${detail}` : ''}`;
}

/** Whether a server listens on a Unix socket. */
export function probeSocket(path: string): Promise<Probe<true>> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve({ done: true, value: true });
    });
    socket.once('error', ({ message }) => resolve({ done: false, saw: message }));
  });
}
