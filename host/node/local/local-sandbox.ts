import { type Cancellable, isTimeout, neverAborted, PwpError } from '../../../bridge/lib/index.ts';
import {
  dom,
  ide,
  type Method,
  type ParamsIn,
  type Refusal,
  type ResultOf,
  type Service,
  type Usage,
} from '../../../bridge/protocol/index.ts';
import { identifyThisProcess } from '../../lib/index.ts';
import { rootUser } from '../agent-root.ts';
import type { CheckpointInfo, CheckpointOptions } from '../checkpoint.ts';
import type { Checkpointer } from '../checkpoint/index.ts';
import {
  archiveInside,
  destroySandbox,
  execInside,
  explainSandboxFailure,
  findOwner,
  findSandboxRecord,
  listProcessIds,
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
import { takeChangedPicture, type XDisplay } from '../display/index.ts';
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
import { askInSlices } from './bridge-connection.ts';
import { DeskConnections } from './desk-connections.ts';
import { FileHashes } from './file-hashes.ts';
import { SandboxAccess } from './sandbox-access.ts';

/** A runc sandbox on this machine, driven from this process. */
export class LocalSandbox implements Sandbox {
  readonly id: string;
  readonly image: string;
  readonly display: Display;
  readonly root: string | null;
  readonly workspace: string;
  readonly home: string;
  readonly lease: LocalLease;
  readonly questions: LocalQuestions;
  /** As it was when this object was made. */
  readonly #record: SandboxRecord;
  readonly #paths: SandboxPaths;
  readonly #stopsWithUs: boolean;
  readonly #desk: DeskConnections;
  readonly #access: SandboxAccess;
  readonly #network: SandboxNetwork | undefined;
  readonly #checkpointer: Checkpointer;
  readonly #freezer: SandboxFreezer;
  readonly #hashes = new FileHashes();
  readonly #background: BackgroundActivity;
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
    this.root = record.root?.image ?? null;
    this.workspace = record.workspace;
    this.home = (record.root?.user ?? rootUser).home;
    this.#record = record;
    this.#checkpointer = checkpointer;
    this.#stopsWithUs = stopsWithUs;
    this.#paths = resolveSandboxPaths(record);
    this.#network = network;
    this.#freezer = new SandboxFreezer(record.id);
    this.#background = new BackgroundActivity(this.#paths.lasting);
    const mayConnect = (signal: AbortSignal) => this.#access.mayConnect(signal);
    this.#desk = new DeskConnections({ record, paths: this.#paths, mayConnect });
    const disconnect = () => this.#desk.drop();
    const hangUp = () => this.#hangUp();
    this.#access = new SandboxAccess({ id: record.id, turn: this.#paths.turn, disconnect, hangUp });
    const letGo = (signal: AbortSignal) => this.#access.shared(signal, () => this.#desk.releaseKeys(signal));
    this.lease = new LocalLease({ paths: this.#paths, process: identifyThisProcess, letGo });
    this.questions = new LocalQuestions(this.#paths.questions, identifyThisProcess);
  }

  async ready({ signal = neverAborted }: Cancellable = {}): Promise<void> {
    try {
      await this.#desk.ready(signal);
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
    return this.#access.shared(signal, async () => {
      const display = await this.#desk.display(signal);
      const letGo = (within: AbortSignal) => this.#desk.releaseKeys(within);
      return playInTurn(this.lease, display, commands, { hold, graceMs: leaseGraceMs, letGo, signal });
    });
  }

  capture({ view, signal = neverAborted }: CaptureOptions = {}): Promise<Capture> {
    return this.#access.shared(signal, async () => (await this.#desk.display(signal)).capture(signal, view));
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
    return this.#access.shared(signal, async () =>
      awaitSettled(options, await this.#settleSources(signal), signal),
    );
  }

  async #settleSources(signal: AbortSignal): Promise<SettleSources> {
    return {
      display: await this.#desk.display(signal),
      background: this.#background,
      activity: (within) => this.#desk.request(dom.activity, {}, within),
      work: async (within) => (await this.#desk.request(ide.work, {}, within)).running,
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
    const ask = (given: ParamsIn<M>) =>
      this.#access.shared(signal, () => this.#desk.request(method, given, signal));
    return askInSlices(method, params, ask);
  }

  onService(listener: (service: Service) => void): Disposable {
    return this.#desk.onService(listener);
  }

  onRefusal(listener: (refusal: Refusal) => void): Disposable {
    return this.#network?.onRefusal(listener) ?? { [Symbol.dispose]: () => undefined };
  }

  exec(command: ExecSpec, { signal = neverAborted }: Cancellable = {}): Promise<ExecResult> {
    const onRefused = (refused: number) => {
      this.#hits = { ...this.#hits, pids: this.#hits.pids + refused };
    };
    return this.#access.shared(signal, () =>
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
    const found = await this.#access.shared(signal, () => read(false));
    const all = found ?? (await runWhileFrozen(this, () => read(true)));
    if (all) return all;
    throw new PwpError(
      'disk-failed',
      `${path} of ${this.id} can't be read: it changes although all is frozen`,
    );
  }

  unpack(seed: Seed | StreamedSeed, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    const owner = findOwner(this.#record, seed.path);
    return runWhileFrozen(this, () => unpackSeed(this.#paths.merged, seed, owner, signal));
  }

  async beginBatch({ signal = neverAborted }: Cancellable = {}): Promise<AsyncDisposable> {
    const within = AbortSignal.any([signal, this.#access.ending]);
    const turn = await takeBatchRight(this.#paths.batch, await identifyThisProcess(), within);
    try {
      await this.#access.shared(within, () =>
        this.#background.look(() => this.#settleSources(within), within),
      );
      return turn;
    } catch (error) {
      await turn[Symbol.asyncDispose]();
      throw error;
    }
  }

  async freeze(): Promise<AsyncDisposable> {
    if (this.#stopping) throw new PwpError('sandbox-stopped', `sandbox ${this.id} is stopped`);
    const turn = await this.#access.acquireShared(this.#access.ending);
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
    return this.#access.exclusive('checkpoint', signal, async (within) => {
      const record = await findSandboxRecord(this.id);
      const info = await this.#checkpointer.take(record, options, within);
      await writeSandboxRecord({ ...record, checkpoint: info.id });
      return info;
    });
  }

  restore(id: string, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    return this.#access.exclusive('restore', signal, async (within) => {
      const record = await findSandboxRecord(this.id);
      const { origin } = await (await this.#checkpointer.store()).get(id);
      const kind = await this.#checkpointer.putBack(record, id, this.#network, within);
      this.#hashes.forget();
      await writeSandboxRecord({ ...record, checkpoint: id, origin });
      if (record.role === 'ide') await this.#desk.comeBack(kind, within);
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
    const taken = async () => take((used = await this.#desk.display(signal)));
    const wait = async () => used?.changed(signal);
    return takeChangedPicture(() => this.#access.shared(signal, taken), after, wait);
  }

  async #hangUp(): Promise<void> {
    this.#network?.hangUp();
    await this.#desk.drop();
  }

  async #end(): Promise<void> {
    await this.#access.end();
    // The processes go first: a frozen or hanging one could keep a farewell waiting.
    await destroySandbox(this.id, this.#paths);
    await this.#disconnect();
  }

  async #disconnect(): Promise<void> {
    this.questions[Symbol.dispose]();
    // It needs the display once more.
    await this.lease[Symbol.asyncDispose]();
    this.#access[Symbol.dispose]();
    await Promise.all([this.#desk.close(), this.#network?.[Symbol.asyncDispose]()]);
    this.#setOver();
  }
}
