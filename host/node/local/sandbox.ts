import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import {
  desktop,
  dom,
  ide,
  type Method,
  type ParamsIn,
  type ResultOf,
  type Service,
} from '../../../bridge/protocol/index.ts';
import type { Peer } from '../../../bridge/rpc/index.ts';
import type { InputCommand, InputResult } from '../input.ts';
import type {
  Capture,
  Display,
  ExecResult,
  ExecSpec,
  LimitHits,
  Refusal,
  Sandbox,
  SettleOptions,
  Settled,
  Usage,
} from '../node.ts';
import type { Picture, PictureOptions, ViewOptions } from '../picture.ts';
import { awaitDesktop, connectBridge } from './bridge.ts';
import { cpuMs } from './cgroup.ts';
import { connectDisplay, type XDisplay } from './display/index.ts';
import { execInside } from './exec.ts';
import { Freezer } from './freezer.ts';
import { readInside } from './inside.ts';
import { destroySandbox } from './lifecycle.ts';
import { Link } from './link.ts';
import { sandboxFailed } from './logs.ts';
import type { SandboxNetwork } from './network/index.ts';
import type { SandboxPaths } from './paths.ts';
import { pathsOf, type SandboxRecord } from './record.ts';
import { settle } from './settle/index.ts';
import { readUsage } from './usage.ts';

/** A runc sandbox on this machine, driven from this process. */
export class LocalSandbox implements Sandbox {
  readonly id: string;
  readonly image: string;
  readonly display: Display;
  readonly #paths: SandboxPaths;
  readonly #stopsWithUs: boolean;
  readonly #bridge: Link<Peer>;
  readonly #screen: Link<XDisplay>;
  readonly #network: SandboxNetwork | undefined;
  readonly #freezer: Freezer;
  readonly #listeners = new Set<(service: Service) => void>();
  #stopping: Promise<void> | undefined;
  /** What the kernel no longer tells: forks refused in groups that are gone, looks that found a full disk. */
  #hits: Pick<LimitHits, 'pids' | 'disk'> = { pids: 0, disk: 0 };
  /** Resolves when this object is of no more use: stopped or disconnected. */
  readonly over: Promise<void>;
  #setOver: () => void = () => undefined;

  /**
   * @param stopsWithUs this process started it and did not mean it to stay: disposing it ends it
   * @param network its way out, which it owns from now on
   */
  constructor(record: SandboxRecord, stopsWithUs: boolean, network?: SandboxNetwork) {
    this.over = new Promise((resolve) => (this.#setOver = resolve));
    this.id = record.id;
    this.image = record.image;
    this.display = record.display;
    this.#stopsWithUs = stopsWithUs;
    this.#paths = pathsOf(record);
    this.#network = network;
    this.#freezer = new Freezer(record.id);
    this.#bridge = new Link((signal) => this.#dial(signal));
    this.#screen = new Link((signal) => connectDisplay(join(this.#paths.x11, 'X1'), signal));
  }

  async ready(signal: AbortSignal): Promise<void> {
    try {
      await awaitDesktop(this.id, this.#bridge, signal);
    } catch (error) {
      const usage = await this.usage(new AbortController().signal).catch(() => null);
      throw await sandboxFailed(this.id, this.#paths.shared, error, usage);
    }
  }

  async input(commands: readonly InputCommand[], signal: AbortSignal): Promise<InputResult> {
    return (await this.#screen.get(signal)).play(commands, signal);
  }

  async capture(signal: AbortSignal, view?: ViewOptions): Promise<Capture> {
    return (await this.#screen.get(signal)).capture(signal, view);
  }

  async picture(options: PictureOptions, signal: AbortSignal): Promise<Picture> {
    return (await this.#screen.get(signal)).picture(options, signal);
  }

  async settle(options: SettleOptions, signal: AbortSignal): Promise<Settled> {
    const sources = {
      display: await this.#screen.get(signal),
      activity: (within: AbortSignal) => this.call(dom.activity, {}, within),
      work: async (within: AbortSignal) => (await this.call(ide.work, {}, within)).running,
      cpuMs: () => cpuMs(this.id),
    };
    return settle(options, sources, signal);
  }

  async call<M extends Method>(method: M, params: ParamsIn<M>, signal: AbortSignal): Promise<ResultOf<M>> {
    return (await this.#bridge.get(signal)).request(method, params, signal);
  }

  onService(listener: (service: Service) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  onRefusal(listener: (refusal: Refusal) => void): Disposable {
    return this.#network?.onRefusal(listener) ?? { [Symbol.dispose]: () => undefined };
  }

  exec(command: ExecSpec, signal: AbortSignal): Promise<ExecResult> {
    return execInside(this.id, command, this.#paths.run, signal, (refused) => {
      this.#hits = { ...this.#hits, pids: this.#hits.pids + refused };
    });
  }

  async usage(signal: AbortSignal): Promise<Usage> {
    signal.throwIfAborted();
    const now = await readUsage(this.id, this.#paths);
    const { pids, disk } = this.#hits;
    const hits = { ...now.hits, pids: now.hits.pids + pids, disk: now.hits.disk + disk };
    this.#hits = { pids, disk: hits.disk };
    return { ...now, hits };
  }

  readFile(path: string, maxBytes: number): Promise<Uint8Array | null> {
    return readInside(this.#paths.merged, path, maxBytes);
  }

  freeze(): Promise<AsyncDisposable> {
    if (this.#stopping) throw new PwpError('sandbox-stopped', `sandbox ${this.id} is stopped`);
    return this.#freezer.freeze();
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#end().catch((error: unknown) => {
      this.#stopping = undefined;
      throw error;
    });
    return this.#stopping;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#stopsWithUs) await this.stop();
    else await this.#disconnect();
  }

  async #end(): Promise<void> {
    // The processes go first: a frozen or hanging one could keep a farewell waiting.
    await destroySandbox(this.id, this.#paths);
    await this.#disconnect();
  }

  async #disconnect(): Promise<void> {
    await Promise.all([this.#bridge.close(), this.#screen.close(), this.#network?.[Symbol.asyncDispose]()]);
    this.#setOver();
  }

  async #dial(signal: AbortSignal): Promise<Peer> {
    const peer = await connectBridge(join(this.#paths.shared, 'bridge.sock'), signal);
    peer.on(desktop.changed, (service) => {
      for (const listener of this.#listeners) listener(service);
    });
    return peer;
  }
}
