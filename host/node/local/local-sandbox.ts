import { join } from 'node:path';
import { type Cancellable, isTimeout, neverAborted, PwpError } from '../../../bridge/lib/index.ts';
import {
  desktop,
  dom,
  ide,
  type Method,
  type ParamsIn,
  type Refusal,
  type ResultOf,
  type Service,
  type Usage,
} from '../../../bridge/protocol/index.ts';
import type { Peer } from '../../../bridge/rpc/index.ts';
import type { CheckpointInfo, CheckpointKind, CheckpointOptions } from '../checkpoint.ts';
import { type Checkpointer, CheckpointYield, claimSandbox } from '../checkpoint/index.ts';
import {
  archiveInside,
  destroySandbox,
  execInside,
  explainSandboxFailure,
  findSandboxRecord,
  identifyThisProcess,
  listProcessIds,
  readContainerState,
  readCpuMs,
  readInside,
  readProcessorWaitMs,
  readSandboxUsage,
  resolveSandboxPaths,
  runWhileFrozen,
  SandboxFreezer,
  type SandboxPaths,
  type SandboxRecord,
  unpackSeed,
  writeSandboxRecord,
} from '../container/index.ts';
import { leaseGraceMs, LocalLease, LocalQuestions, playInTurn, takeBatchRight } from '../control/index.ts';
import { connectDisplay, displayLimits, takeChangedPicture, type XDisplay } from '../display/index.ts';
import type { InputCommand, InputResult } from '../input-commands.ts';
import type { SandboxNetwork } from '../network/index.ts';
import type {
  Capture,
  CaptureOptions,
  ExecResult,
  ExecSpec,
  HashOptions,
  InputOptions,
  LimitHits,
  Sandbox,
  Settled,
  SettleOptions,
} from '../node.ts';
import type { Display, Seed, StreamedSeed } from '../sandbox-spec.ts';
import type { PictureOptions, ScreenPicture, ScreenUpdate, UpdateOptions } from '../screen-picture.ts';
import { awaitSettled, BackgroundActivity, readProcessUse, type SettleSources } from '../settle/index.ts';
import { readClock } from '../shared-state.ts';
import {
  askInSlices,
  awaitDesktop,
  connectBridge,
  LazyConnection,
  requestFromBridge,
} from './bridge-connection.ts';
import { FileHashes } from './file-hashes.ts';
import { SharedLock } from './shared-lock.ts';

/** A batch that has to stop does so within this many milliseconds. */
const letGoSlackMs = 1000;

/** A runc sandbox on this machine, driven from this process. */
export class LocalSandbox implements Sandbox {
  readonly id: string;
  readonly image: string;
  readonly display: Display;
  readonly lease: LocalLease;
  readonly questions: LocalQuestions;
  /** As it was when this object was made. */
  readonly #record: SandboxRecord;
  readonly #paths: SandboxPaths;
  readonly #stopsWithUs: boolean;
  readonly #bridge: LazyConnection<Peer>;
  readonly #screen: LazyConnection<XDisplay>;
  readonly #network: SandboxNetwork | undefined;
  readonly #checkpointer: Checkpointer;
  readonly #freezer: SandboxFreezer;
  readonly #aside: CheckpointYield;
  readonly #hashes = new FileHashes();
  readonly #background: BackgroundActivity;
  readonly #lock = new SharedLock();
  /** Fires when it is stopped. */
  readonly #ending = new AbortController();
  /** Whether this object has the exclusive right to the sandbox. */
  #claimed = false;
  /** A checkpoint or a restore that is under way. */
  #apart: Promise<unknown> | undefined;
  readonly #listeners = new Set<(service: Service) => void>();
  #stopping: Promise<void> | undefined;
  /** Counts that the kernel no longer reports: forks refused in groups that are gone, looks that found a full disk. */
  #hits: Pick<LimitHits, 'pids' | 'disk'> = { pids: 0, disk: 0 };
  /** Resolves when this object can no longer be used: stopped or disconnected. */
  readonly over: Promise<void>;
  #setOver: () => void = () => undefined;

  /**
   * @param checkpointer where its checkpoints go
   * @param stopsWithUs this process started it and did not mean it to stay: disposing it ends it
   * @param network its way out, which it owns from now on
   */
  constructor(
    record: SandboxRecord,
    checkpointer: Checkpointer,
    stopsWithUs: boolean,
    network?: SandboxNetwork,
  ) {
    this.over = new Promise((resolve) => (this.#setOver = resolve));
    this.id = record.id;
    this.image = record.image;
    this.display = record.display;
    this.#record = record;
    this.#checkpointer = checkpointer;
    this.#stopsWithUs = stopsWithUs;
    this.#paths = resolveSandboxPaths(record);
    this.#network = network;
    this.#freezer = new SandboxFreezer(record.id);
    this.#background = new BackgroundActivity(this.#paths.lasting);
    this.#aside = new CheckpointYield(this.#paths);
    this.#bridge = new LazyConnection((signal) => this.#dial(signal));
    this.#screen = new LazyConnection((signal) => this.#connectDisplay(signal));
    const letGo = (signal: AbortSignal) => this.#lock.shared(signal, () => this.#releaseKeys(signal));
    this.lease = new LocalLease({ paths: this.#paths, process: identifyThisProcess, letGo });
    this.questions = new LocalQuestions(this.#paths.questions, identifyThisProcess);
  }

  async ready({ signal = neverAborted }: Cancellable = {}): Promise<void> {
    try {
      await awaitDesktop(this.id, this.#bridge, signal);
    } catch (error) {
      if (!isTimeout(signal.reason)) signal.throwIfAborted();
      const usage = await this.usage().catch(() => null);
      throw await explainSandboxFailure(this.id, this.#paths, error, usage);
    }
  }

  input(
    commands: readonly InputCommand[],
    { hold, signal = neverAborted }: InputOptions = {},
  ): Promise<InputResult> {
    return this.#lock.shared(signal, async () => {
      const display = await this.#screen.get(signal);
      const letGo = (within: AbortSignal) => this.#releaseKeys(within);
      return playInTurn(this.lease, display, commands, { hold, graceMs: leaseGraceMs, letGo, signal });
    });
  }

  capture({ view, signal = neverAborted }: CaptureOptions = {}): Promise<Capture> {
    return this.#lock.shared(signal, async () => (await this.#screen.get(signal)).capture(signal, view));
  }

  picture({
    after,
    signal = neverAborted,
    ...options
  }: PictureOptions & Cancellable = {}): Promise<ScreenPicture> {
    return this.#changed((display) => display.picture(options), after, signal);
  }

  update({ signal = neverAborted, ...options }: UpdateOptions & Cancellable = {}): Promise<ScreenUpdate> {
    return this.#changed((display) => display.update(options), options.after, signal);
  }

  settle({ signal = neverAborted, ...options }: SettleOptions & Cancellable): Promise<Settled> {
    return this.#lock.shared(signal, async () =>
      awaitSettled(options, await this.#settleSources(signal), signal),
    );
  }

  async #settleSources(signal: AbortSignal): Promise<SettleSources> {
    return {
      display: await this.#screen.get(signal),
      background: this.#background,
      activity: (within) => this.#request(dom.activity, {}, within),
      work: async (within) => (await this.#request(ide.work, {}, within)).running,
      cpuMs: () => readCpuMs(this.id),
      waitMs: () => readProcessorWaitMs(this.id),
      processes: async () => readProcessUse(await listProcessIds(this.id)),
      now: () => readClock().ms,
    };
  }

  call<M extends Method>(
    method: M,
    params: ParamsIn<M>,
    { signal = neverAborted }: Cancellable = {},
  ): Promise<ResultOf<M>> {
    const ask = (given: ParamsIn<M>) => this.#lock.shared(signal, () => this.#request(method, given, signal));
    return askInSlices(method, params, ask);
  }

  onService(listener: (service: Service) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  onRefusal(listener: (refusal: Refusal) => void): Disposable {
    return this.#network?.onRefusal(listener) ?? { [Symbol.dispose]: () => undefined };
  }

  exec(command: ExecSpec, { signal = neverAborted }: Cancellable = {}): Promise<ExecResult> {
    const onRefused = (refused: number) => {
      this.#hits = { ...this.#hits, pids: this.#hits.pids + refused };
    };
    return this.#lock.shared(signal, () =>
      execInside(this.#record, command, this.#paths.run, signal, onRefused),
    );
  }

  async usage({ signal = neverAborted }: Cancellable = {}): Promise<Usage> {
    signal.throwIfAborted();
    const now = await readSandboxUsage(this.id, this.#paths);
    const { pids, disk } = this.#hits;
    const hits = { ...now.hits, pids: now.hits.pids + pids, disk: now.hits.disk + disk };
    this.#hits = { pids, disk: hits.disk };
    return { ...now, hits };
  }

  readFile(path: string, maxBytes: number): Promise<Uint8Array | null> {
    return readInside(this.#paths.merged, path, maxBytes);
  }

  archive<T>(
    path: string,
    read: (tar: AsyncIterable<Uint8Array>) => Promise<T>,
    { signal = neverAborted }: Cancellable = {},
  ): Promise<T> {
    return runWhileFrozen(this, () => read(archiveInside(this.#paths.merged, path, signal)));
  }

  async hashes(
    path: string,
    { signal = neverAborted, ...options }: HashOptions & Cancellable,
  ): Promise<ReadonlyMap<string, string>> {
    const read = (isFrozen: boolean) =>
      this.#hashes.read(this.#paths.merged, path, { ...options, isFrozen, signal });
    const found = await this.#lock.shared(signal, () => read(false));
    const all = found ?? (await runWhileFrozen(this, () => read(true)));
    if (all) return all;
    throw new PwpError(
      'disk-failed',
      `${path} of ${this.id} can't be read: it changes although all is frozen`,
    );
  }

  unpack(seed: Seed | StreamedSeed, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    return runWhileFrozen(this, () => unpackSeed(this.#paths.merged, seed, signal));
  }

  async beginBatch({ signal = neverAborted }: Cancellable = {}): Promise<AsyncDisposable> {
    const within = AbortSignal.any([signal, this.#ending.signal]);
    const turn = await takeBatchRight(this.#paths.batch, await identifyThisProcess(), within);
    try {
      await this.#lock.shared(within, () => this.#background.look(() => this.#settleSources(within), within));
      return turn;
    } catch (error) {
      await turn[Symbol.asyncDispose]();
      throw error;
    }
  }

  async freeze(): Promise<AsyncDisposable> {
    if (this.#stopping) throw new PwpError('sandbox-stopped', `sandbox ${this.id} is stopped`);
    const turn = await this.#lock.acquireShared(this.#ending.signal);
    try {
      const frozen = await this.#freezer.freeze();
      const release = async () => {
        try {
          await frozen[Symbol.asyncDispose]();
        } finally {
          turn[Symbol.dispose]();
        }
      };
      return { [Symbol.asyncDispose]: release };
    } catch (error) {
      turn[Symbol.dispose]();
      throw error;
    }
  }

  checkpoint({
    signal = neverAborted,
    ...options
  }: CheckpointOptions & Cancellable = {}): Promise<CheckpointInfo> {
    return this.#withExclusiveAccess('checkpoint', signal, async (record, within) => {
      const info = await this.#checkpointer.take(record, options, within);
      await writeSandboxRecord({ ...record, checkpoint: info.id });
      return info;
    });
  }

  restore(id: string, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    return this.#withExclusiveAccess('restore', signal, async (record, within) => {
      const { origin } = await (await this.#checkpointer.store()).get(id);
      const kind = await this.#checkpointer.putBack(record, id, this.#network, within);
      this.#hashes.forget();
      await writeSandboxRecord({ ...record, checkpoint: id, origin });
      if (record.role === 'ide') await this.#comeBack(kind, within);
      await (await this.#checkpointer.store()).prove(id);
    });
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

  /** Waiting does not hold the lock: a caller that watches a still screen keeps no checkpoint waiting. */
  #changed<T extends { readonly serial: number }>(
    take: (display: XDisplay) => Promise<T>,
    after: number | undefined,
    signal: AbortSignal,
  ): Promise<T> {
    let used: XDisplay | undefined;
    const taken = async () => take((used = await this.#screen.get(signal)));
    const wait = async () => used?.changed(signal);
    return takeChangedPicture(() => this.#lock.shared(signal, taken), after, wait);
  }

  /** Works on the sandbox while no other process or object does, and while no process is connected to it. */
  #withExclusiveAccess<T>(
    what: 'checkpoint' | 'restore',
    signal: AbortSignal,
    work: (record: SandboxRecord, within: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const within = AbortSignal.any([signal, this.#ending.signal]);
    return this.#lock.exclusive(within, async () => {
      // Before the claim: another one may hold it, and waits for us.
      await this.#hangUp();
      const claimed = await claimSandbox(this.#paths, what, within);
      this.#claimed = true;
      try {
        const record = await findSandboxRecord(this.id);
        const apart = this.#hangUp().then(() => work(record, within));
        this.#apart = apart;
        return await apart;
      } finally {
        this.#apart = undefined;
        await claimed[Symbol.asyncDispose]();
        this.#claimed = false;
      }
    });
  }

  async #comeBack(kind: CheckpointKind, signal: AbortSignal): Promise<void> {
    if (kind === 'disk') await awaitDesktop(this.id, this.#bridge, signal);
    else await this.#bridge.get(signal);
    // Held keys belong to an abandoned course of events.
    await (await this.#screen.get(signal)).play([{ kind: 'release' }], signal);
  }

  async #releaseKeys(signal: AbortSignal): Promise<void> {
    if (this.#record.role === 'bare') return;
    await (await this.#screen.get(signal)).letGo(leaseGraceMs + letGoSlackMs, signal);
  }

  async #hangUp(): Promise<void> {
    this.#network?.hangUp();
    await Promise.all([this.#bridge.drop(), this.#screen.drop()]);
  }

  async #request<M extends Method>(
    method: M,
    params: ParamsIn<M>,
    signal: AbortSignal,
  ): Promise<ResultOf<M>> {
    const peer = await this.#bridge.get(signal);
    return requestFromBridge(peer, method, params, { isFrozen: this.#isFrozen, signal });
  }

  async #end(): Promise<void> {
    this.#ending.abort(new PwpError('sandbox-stopped', `sandbox ${this.id} is stopped`));
    // CRIU is never ended midway; what is under way ends by itself or heeds the signal.
    await this.#apart?.catch(() => undefined);
    // The processes go first: a frozen or hanging one could keep a farewell waiting.
    await destroySandbox(this.id, this.#paths);
    await this.#disconnect();
  }

  async #disconnect(): Promise<void> {
    this.questions[Symbol.dispose]();
    // It needs the display once more.
    await this.lease[Symbol.asyncDispose]();
    this.#aside[Symbol.dispose]();
    await Promise.all([this.#bridge.close(), this.#screen.close(), this.#network?.[Symbol.asyncDispose]()]);
    this.#setOver();
  }

  /**
   * Before a connection: another process may be at work on the sandbox, and may now or later ask this one to let go.
   */
  async #mayConnect(signal: AbortSignal): Promise<void> {
    this.#aside.begin(() => this.#letGo().catch(() => undefined));
    if (!this.#claimed) await this.#aside.untilFree(signal);
  }

  /** Work under way ends first; new work waits. */
  async #letGo(): Promise<void> {
    if (this.#claimed) return;
    const over = new AbortController();
    const free = this.#aside.untilFree(this.#ending.signal).finally(() => over.abort());
    // If the work under way here takes longer than the other process waits, all goes on as before.
    const aside = this.#lock.exclusive(over.signal, async () => {
      await Promise.all([this.#bridge.drop(), this.#screen.drop()]);
      await free;
    });
    await Promise.allSettled([free, aside]);
  }

  async #connectDisplay(signal: AbortSignal): Promise<XDisplay> {
    await this.#mayConnect(signal);
    const { width, height } = this.display;
    return await connectDisplay(join(this.#paths.desk, 'X1'), signal, {
      memory: this.#paths.screen,
      limits: { ...displayLimits, pixels: width * height },
      isFrozen: this.#isFrozen,
    });
  }

  async #dial(signal: AbortSignal): Promise<Peer> {
    await this.#mayConnect(signal);
    const socket = join(this.#paths.desk, 'bridge.sock');
    const peer = await connectBridge(socket, { isFrozen: this.#isFrozen, signal });
    peer.on(desktop.changed, (service) => {
      for (const listener of this.#listeners) listener(service);
    });
    return peer;
  }

  readonly #isFrozen = async (): Promise<boolean> => (await readContainerState(this.id))?.status === 'paused';
}
