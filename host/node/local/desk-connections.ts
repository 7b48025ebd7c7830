import { join } from 'node:path';
import {
  desktop,
  type Method,
  type ParamsIn,
  type ResultOf,
  type Service,
} from '../../../bridge/protocol/index.ts';
import type { Peer } from '../../../bridge/rpc/index.ts';
import type { CheckpointKind } from '../checkpoint.ts';
import { readContainerState, type SandboxPaths, type SandboxRecord } from '../container/index.ts';
import { leaseGraceMs } from '../control/index.ts';
import { connectDisplay, displayLimits, type XDisplay } from '../display/index.ts';
import { awaitDesktop, connectBridge, LazyConnection, requestFromBridge } from './bridge-connection.ts';

/** A batch that has to stop does so within this many milliseconds. */
const letGoSlackMs = 1000;

interface DeskConnectionsOptions {
  readonly record: SandboxRecord;
  readonly paths: SandboxPaths;
  /** Waits until a connection may be made. */
  readonly mayConnect: (signal: AbortSignal) => Promise<void>;
}

/** The connections to the bridge and the display of a sandbox, made when they are first needed. */
export class DeskConnections {
  readonly #options: DeskConnectionsOptions;
  readonly #bridge = new LazyConnection((signal) => this.#connectBridge(signal));
  readonly #screen = new LazyConnection((signal) => this.#connectDisplay(signal));
  readonly #listeners = new Set<(service: Service) => void>();

  constructor(options: DeskConnectionsOptions) {
    this.#options = options;
  }

  /** Waits until every part of the desktop is ready; as {@link awaitDesktop}. */
  ready(signal: AbortSignal): Promise<void> {
    return awaitDesktop(this.#options.record.id, this.#bridge, signal);
  }

  display(signal: AbortSignal): Promise<XDisplay> {
    return this.#screen.get(signal);
  }

  /** Asks the bridge once; as {@link requestFromBridge}. */
  async request<M extends Method>(method: M, params: ParamsIn<M>, signal: AbortSignal): Promise<ResultOf<M>> {
    const peer = await this.#bridge.get(signal);
    return requestFromBridge(peer, method, params, { isFrozen: this.#isFrozen, signal });
  }

  /** Calls the listener when a part of the desktop dies or comes back, as long as the bridge is connected. */
  onService(listener: (service: Service) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Ends the batch under way, and releases its keys and buttons. */
  async releaseKeys(signal: AbortSignal): Promise<void> {
    if (this.#options.record.role === 'bare') return;
    await (await this.#screen.get(signal)).letGo(leaseGraceMs + letGoSlackMs, signal);
  }

  /** Connects again after a restore. */
  async comeBack(kind: CheckpointKind, signal: AbortSignal): Promise<void> {
    if (kind === 'disk') await this.ready(signal);
    else await this.#bridge.get(signal);
    // Held keys belong to an abandoned course of events.
    await (await this.#screen.get(signal)).play([{ kind: 'release' }], signal);
  }

  /** Ends both; the next call connects again. */
  async drop(): Promise<void> {
    await Promise.all([this.#bridge.drop(), this.#screen.drop()]);
  }

  /** Ends both for good. */
  async close(): Promise<void> {
    await Promise.all([this.#bridge.close(), this.#screen.close()]);
  }

  async #connectBridge(signal: AbortSignal): Promise<Peer> {
    const { paths, mayConnect } = this.#options;
    await mayConnect(signal);
    const peer = await connectBridge(join(paths.desk, 'bridge.sock'), { isFrozen: this.#isFrozen, signal });
    peer.on(desktop.changed, (service) => {
      for (const listener of this.#listeners) listener(service);
    });
    return peer;
  }

  async #connectDisplay(signal: AbortSignal): Promise<XDisplay> {
    const { record, paths, mayConnect } = this.#options;
    await mayConnect(signal);
    const { width, height } = record.display;
    return await connectDisplay(join(paths.desk, 'X1'), signal, {
      memory: paths.screen,
      limits: { ...displayLimits, pixels: width * height },
      isFrozen: this.#isFrozen,
    });
  }

  readonly #isFrozen = async (): Promise<boolean> =>
    (await readContainerState(this.#options.record.id))?.status === 'paused';
}
