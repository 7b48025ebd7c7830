import * as z from 'zod';
import { type Cancellable, neverAborted, PwpError } from '../../../bridge/lib/index.ts';
import {
  checkpointMethods,
  ErrorCode,
  type Method,
  type ParamsIn,
  type Refusal,
  type ResultOf,
  RpcError,
  sandboxMethods,
  type Service,
  type Usage,
} from '../../../bridge/protocol/index.ts';
import type { Peer } from '../../../bridge/rpc/index.ts';
import type { CheckpointInfo, CheckpointOptions } from '../checkpoint.ts';
import type { InputCommand, InputResult } from '../input-commands.ts';
import type { Lease, Questions } from '../lease.ts';
import type {
  Capture,
  CaptureOptions,
  ExecResult,
  ExecSpec,
  HashOptions,
  InputOptions,
  Sandbox,
  Settled,
  SettleOptions,
} from '../node.ts';
import type { Display, Seed, StreamedSeed } from '../sandbox-spec.ts';
import type { PictureOptions, ScreenPicture, ScreenUpdate, UpdateOptions } from '../screen-picture.ts';
import { sendParts } from './byte-transfers.ts';
import { askForBytes, askNode, askWithStream } from './node-requests.ts';
import { RemoteLease, RemoteQuestions } from './remote-lease.ts';

const emptyBytes = Buffer.alloc(0);

interface StartedSandbox {
  readonly id: string;
  readonly image: string;
  readonly display: Display;
}

/** A sandbox of a node at the other end of a connection. */
export class RemoteSandbox implements Sandbox {
  readonly id: string;
  readonly image: string;
  readonly display: Display;
  readonly lease: Lease;
  readonly questions: Questions;
  readonly #peer: Peer;
  readonly #over: () => void;
  readonly #listeners = new Set<(service: Service) => void>();
  readonly #refusals: Refusal[] = [];
  readonly #refusalListeners = new Set<(refusal: Refusal) => void>();
  #ended: Promise<void> | undefined;

  /** @param over called when this object can no longer be used */
  constructor(peer: Peer, { id, image, display }: StartedSandbox, over: () => void) {
    this.id = id;
    this.image = image;
    this.display = display;
    this.lease = new RemoteLease(peer, id);
    this.questions = new RemoteQuestions(peer, id);
    this.#peer = peer;
    this.#over = over;
  }

  async ready({ signal = neverAborted }: Cancellable = {}): Promise<void> {
    await askNode(this.#peer, sandboxMethods.ready, { id: this.id }, signal);
  }

  async input(
    commands: readonly InputCommand[],
    { hold, signal = neverAborted }: InputOptions = {},
  ): Promise<InputResult> {
    const played = await askNode(this.#peer, sandboxMethods.input, { id: this.id, commands, hold }, signal);
    return { ...played, failure: played.failure };
  }

  settle({ capMs, pointerOnly, signal = neverAborted }: SettleOptions & Cancellable): Promise<Settled> {
    return askNode(this.#peer, sandboxMethods.settle, { id: this.id, capMs, pointerOnly }, signal);
  }

  async capture({ view, signal = neverAborted }: CaptureOptions = {}): Promise<Capture> {
    const [{ view: viewed, ...capture }, [bytes = emptyBytes, ofView = emptyBytes]] = await askForBytes(
      this.#peer,
      sandboxMethods.capture,
      (stream) => ({ id: this.id, stream, ...(view && { view }) }),
      (result) => [result.bytes, ...(result.view ? [result.view.bytes] : [])],
      signal,
    );
    return { ...capture, bytes, ...(viewed && { view: { ...viewed, bytes: ofView } }) };
  }

  async picture({
    signal = neverAborted,
    ...options
  }: PictureOptions & Cancellable = {}): Promise<ScreenPicture> {
    const [picture, [bytes = emptyBytes]] = await askForBytes(
      this.#peer,
      sandboxMethods.picture,
      (stream) => ({ id: this.id, stream, ...options }),
      (result) => [result.bytes],
      signal,
    );
    return { ...picture, bytes };
  }

  async update({
    signal = neverAborted,
    ...options
  }: UpdateOptions & Cancellable = {}): Promise<ScreenUpdate> {
    const [{ serial, parts }, bytes] = await askForBytes(
      this.#peer,
      sandboxMethods.update,
      (stream) => ({ id: this.id, stream, ...options }),
      (result) => result.parts.map((part) => part.bytes),
      signal,
    );
    return { serial, parts: parts.map((part, i) => ({ ...part, bytes: bytes[i] ?? emptyBytes })) };
  }

  async call<M extends Method>(
    method: M,
    params: ParamsIn<M>,
    { signal = neverAborted }: Cancellable = {},
  ): Promise<ResultOf<M>> {
    const passed = { id: this.id, method: method.name, params };
    const { result } = await askNode(this.#peer, sandboxMethods.call, passed, signal);
    const checked = method.result.safeParse(result);
    if (checked.success) return checked.data as ResultOf<M>;
    throw new RpcError(
      ErrorCode.InternalError,
      `${method.name}: bad result: ${z.prettifyError(checked.error)}`,
    );
  }

  onService(listener: (service: Service) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  onRefusal(listener: (refusal: Refusal) => void): Disposable {
    for (const refusal of this.#refusals) listener(refusal);
    this.#refusalListeners.add(listener);
    return { [Symbol.dispose]: () => void this.#refusalListeners.delete(listener) };
  }

  async exec(command: ExecSpec, { signal = neverAborted }: Cancellable = {}): Promise<ExecResult> {
    const { argv, cwd, env, input, timeoutMs, maxOutputBytes } = command;
    const [result, [stdout = emptyBytes, stderr = emptyBytes]] = await askForBytes(
      this.#peer,
      sandboxMethods.exec,
      (stream) => ({ id: this.id, stream, argv, cwd, env, input, timeoutMs, maxOutputBytes }),
      (answer) => [answer.stdout, answer.stderr],
      signal,
    );
    return { ...result, stdout: stdout.toString('utf8'), stderr: stderr.toString('utf8') };
  }

  async readFile(path: string, maxBytes: number): Promise<Uint8Array | null> {
    const [{ bytes }, [content = emptyBytes]] = await askForBytes(
      this.#peer,
      sandboxMethods.readFile,
      (stream) => ({ id: this.id, stream, path, maxBytes }),
      (answer) => [answer.bytes ?? 0],
    );
    return bytes === null ? null : content;
  }

  async archive<T>(
    path: string,
    read: (tar: AsyncIterable<Uint8Array>) => Promise<T>,
    { signal = neverAborted }: Cancellable = {},
  ): Promise<T> {
    const request = { method: sandboxMethods.archive, direction: 'read', carry: read, signal } as const;
    const params = (stream: number) => ({ id: this.id, stream, path });
    return (await askWithStream(this.#peer, { ...request, params }))[1];
  }

  async hashes(
    path: string,
    { signal = neverAborted, ...options }: HashOptions & Cancellable,
  ): Promise<ReadonlyMap<string, string>> {
    const asked = { id: this.id, path, ...options, except: [...options.except] };
    const { hashes } = await askNode(this.#peer, sandboxMethods.hashes, asked, signal);
    return new Map(hashes);
  }

  async unpack(
    { path, tar }: Seed | StreamedSeed,
    { signal = neverAborted }: Cancellable = {},
  ): Promise<void> {
    await askWithStream(this.#peer, {
      method: sandboxMethods.unpack,
      direction: 'write',
      params: (stream) => ({ id: this.id, stream, path }),
      carry: (stream) => sendParts(stream, [tar]),
      signal,
    });
  }

  usage({ signal = neverAborted }: Cancellable = {}): Promise<Usage> {
    return askNode(this.#peer, sandboxMethods.usage, { id: this.id }, signal);
  }

  async beginBatch({ signal = neverAborted }: Cancellable = {}): Promise<AsyncDisposable> {
    const end = (begun: { readonly batch: number }) =>
      askNode(this.#peer, sandboxMethods.endBatch, begun).catch(ignoreLost);
    const asked = { id: this.id };
    const begun = await askNode(
      this.#peer,
      sandboxMethods.beginBatch,
      asked,
      signal,
      (late) => void end(late),
    );
    return { [Symbol.asyncDispose]: async () => void (await end(begun)) };
  }

  async freeze(): Promise<AsyncDisposable> {
    const { freeze } = await askNode(this.#peer, sandboxMethods.freeze, { id: this.id });
    let released: Promise<unknown> | undefined;
    return {
      [Symbol.asyncDispose]: async () => {
        released ??= askNode(this.#peer, sandboxMethods.release, { freeze }).catch(ignoreLost);
        await released;
      },
    };
  }

  checkpoint({
    signal = neverAborted,
    ...options
  }: CheckpointOptions & Cancellable = {}): Promise<CheckpointInfo> {
    return askNode(this.#peer, checkpointMethods.take, { sandbox: this.id, ...options }, signal);
  }

  async restore(id: string, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    await askNode(this.#peer, checkpointMethods.restore, { sandbox: this.id, id }, signal);
  }

  stop(): Promise<void> {
    return this.#end(sandboxMethods.stop);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#end(sandboxMethods.leave).catch(ignoreLost);
  }

  /** Passes a refused connection on; the node reports each at most once. */
  refused(refusal: Refusal): void {
    this.#refusals.push(refusal);
    for (const listener of this.#refusalListeners) listener(refusal);
  }

  /** Passes an event of the node on. */
  reportService(service: Service): void {
    for (const listener of this.#listeners) listener(service);
  }

  #end(how: typeof sandboxMethods.stop | typeof sandboxMethods.leave): Promise<void> {
    this.#ended ??= askNode(this.#peer, how, { id: this.id }).then(
      () => this.#over(),
      (error: unknown) => {
        this.#ended = undefined;
        throw error;
      },
    );
    return this.#ended;
  }
}

/** Ignores a lost node: everything that a connection holds ends with it. */
function ignoreLost(error: unknown): void {
  if (!(error instanceof PwpError) || error.code !== 'node-lost') throw error;
}
