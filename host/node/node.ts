import type { Cancellable } from '../../bridge/lib/index.ts';
import type {
  Box,
  Method,
  NodeLoad,
  ParamsIn,
  Refusal,
  RefusalReason,
  ResultOf,
  Service,
  Usage,
} from '../../bridge/protocol/index.ts';
import type { AgentRootInfo } from './agent-root.ts';
import type { Checkpointable, Checkpoints } from './checkpoint.ts';
import type { InputCommand, InputResult } from './input-commands.ts';
import type { Lease, Questions } from './lease.ts';
import type { Display, SandboxSpec, Seed, StreamedSeed } from './sandbox-spec.ts';
import type {
  Picture,
  PictureOptions,
  ScreenPicture,
  ScreenUpdate,
  UpdateOptions,
  ViewOptions,
} from './screen-picture.ts';

export type { NodeLoad, Refusal, RefusalReason, Usage };
/** How often each limit was hit since the start of a sandbox. */
export type LimitHits = Usage['hits'];

/**
 * Makes and drives sandboxes on one Linux machine. Everything here is plain data in and out, so that the same interface
 * is served in the host's own process and, over rpc, from inside a container.
 */
export interface Node extends AsyncDisposable, Checkpoints<Sandbox> {
  readonly kind: 'local' | 'docker';
  /**
   * Key of what a sandbox is made from, by its content: the image, and that of the agent's root where it is another one.
   * Builds or fetches them if they do not exist.
   */
  image(options?: ImageOptions): Promise<string>;
  /** An image as the root of an agent's side; fetched or built if it does not exist. Errors: those of `fetchRootImage`. */
  agentRoot(image: string, options?: Cancellable): Promise<AgentRootInfo>;
  /**
   * Creates and starts a sandbox. It ends with this node unless `spec.keep` is set. While the machine has no memory for
   * it, it waits in the node's admission queue, first come, first served. Rejects with a `PwpError`.
   */
  start(spec: SandboxSpec, options?: Cancellable): Promise<Sandbox>;
  /** Connects to a sandbox that is running, e.g. one that was started with `keep`. Errors: `no-such-sandbox`. */
  open(id: string, options?: Cancellable): Promise<Sandbox>;
  /** All sandboxes of this machine and user, of any process. */
  list(): Promise<SandboxInfo[]>;
  /** How busy this node is. */
  load(): Promise<NodeLoad>;
  /** Stops a sandbox by id, of any process. Errors: `no-such-sandbox`. */
  stop(id: string): Promise<void>;
  /** Removes what owners that are gone have left behind: processes, mounts, namespaces, folders. */
  sweep(): Promise<SweepReport>;
}

export interface ImageOptions extends Cancellable {
  /** As in a {@link SandboxSpec}. */
  readonly root?: string | undefined;
}

export interface SandboxInfo {
  readonly id: string;
  readonly name: string;
  readonly role: 'ide' | 'bare';
  readonly state: 'running' | 'paused' | 'stopped';
  /** ISO 8601. */
  readonly startedAt: string;
  readonly keep: boolean;
  /** Process id of the owner on this machine; whether it still runs. */
  readonly owner: { readonly pid: number; readonly alive: boolean };
  readonly display: Display;
  /**
   * Id of the sandbox that it, or the checkpoint it comes from, began as: all with the same origin began with the same
   * files. Null if it is not known.
   */
  readonly origin: string | null;
  /** Null when it does not run. */
  readonly usage: Usage | null;
}

/** A running sandbox. Disposing it stops it unless it was started with `keep`, then it only disconnects. */
export interface Sandbox extends AsyncDisposable, Checkpointable {
  readonly id: string;
  /** Key of the image it was made from. */
  readonly image: string;
  readonly display: Display;
  /** The image that is the root of its agent's side; null for our own. */
  readonly root: string | null;
  /** Absolute path of its workspace. */
  readonly workspace: string;
  /** Absolute path of the home of its agent's user. */
  readonly home: string;
  /** Who may act. */
  readonly lease: Lease;
  /** Questions of agents to people. */
  readonly questions: Questions;
  /** Resolves when X, VS Code and the extension are ready. Errors: `sandbox-failed` with the last lines of the log. */
  ready(options?: Cancellable): Promise<void>;
  /**
   * Plays input commands in order, from outside the wall; stops at the first that can't be played. Errors: `control-held`
   * while a person has the lease, `control-lost` for a lease that has ended.
   */
  input(commands: readonly InputCommand[], options?: InputOptions): Promise<InputResult>;
  /** Waits until the screen, the page and the processes are at rest, or until the cap. Never rejects for the cap. */
  settle(options: SettleOptions & Cancellable): Promise<Settled>;
  /**
   * The screen with the pointer, as PNG; and once more as {@link CaptureOptions.view} asks.
   * Errors: `bad-picture` for a view of a region off the screen.
   */
  capture(options?: CaptureOptions): Promise<Capture>;
  /**
   * The screen with the pointer in another format, smaller, or a part of it. Later captures are not compared with it.
   * Errors: `bad-picture` for a region off the screen.
   */
  picture(options?: PictureOptions & Cancellable): Promise<ScreenPicture>;
  /** The differences from an earlier update of the screen with the pointer, for people who watch it live. */
  update(options?: UpdateOptions & Cancellable): Promise<ScreenUpdate>;
  /** Asks the bridge, which is not trusted: results are validated and bounded. Errors: `RpcError`. */
  call<M extends Method>(method: M, params: ParamsIn<M>, options?: Cancellable): Promise<ResultOf<M>>;
  /** Calls `listener` when a part of the desktop dies or comes back. */
  onService(listener: (service: Service) => void): Disposable;
  /** Calls `listener` for every refused connection, including earlier ones; for at most 1000. */
  onRefusal(listener: (refusal: Refusal) => void): Disposable;
  /** Runs a program inside, started from outside the wall; it needs no bridge. */
  exec(command: ExecSpec, options?: Cancellable): Promise<ExecResult>;
  /** Reads a file from the sandbox's file system from outside, regardless of what runs inside. Null if missing. */
  readFile(path: string, maxBytes: number): Promise<Uint8Array | null>;
  /**
   * Packs a file, or what is in a folder, from outside as an uncompressed tar archive, while every process is frozen. All
   * in it is the agent's: names, links, sizes. Errors: `no-such-file`, `unsafe-path` for a link on the way.
   * @param read reads the archive as it is packed; the sandbox goes on when this settles
   */
  archive<T>(
    path: string,
    read: (tar: AsyncIterable<Uint8Array>) => Promise<T>,
    options?: Cancellable,
  ): Promise<T>;
  /**
   * The contents of a folder at one moment, by path, read from outside: `folder`; `->` and the target of a link; else
   * the SHA-256 of the content, with `x` in front if executable. Only what has changed since the last call is read.
   * Processes are frozen only where they keep changing it. Errors: `no-such-file`, `unsafe-path`, `too-large`.
   */
  hashes(path: string, options: HashOptions & Cancellable): Promise<ReadonlyMap<string, string>>;
  /** Unpacks an archive from outside, while every process is frozen. Errors: `bad-seed`, `seed-too-large`, `unsafe-path`. */
  unpack(seed: Seed | StreamedSeed, options?: Cancellable): Promise<void>;
  /** Resource usage, and which limits were hit. Errors: `sandbox-stopped`. */
  usage(options?: Cancellable): Promise<Usage>;
  /**
   * Waits for the right to play one batch of an agent and to judge its effects. One session has it at a time, in this
   * process or another, until it disposes the result or ends. Input is played without it as well; people have the
   * lease. Errors: `batch-under-way` after two minutes, `sandbox-stopped`.
   */
  beginBatch(options?: Cancellable): Promise<AsyncDisposable>;
  /** Freezes every process until the result is disposed. */
  freeze(): Promise<AsyncDisposable>;
  /** Ends the sandbox and removes everything it left. Idempotent. */
  stop(): Promise<void>;
}

/** Which part of a folder {@link Sandbox.hashes} reads. */
export interface HashOptions {
  /** Files, links and folders at most. */
  readonly entries: number;
  /** All files together, at most. */
  readonly bytes: number;
  /** Names that are passed over wherever they are, with what is below them. */
  readonly except: readonly string[];
}

export interface InputOptions extends Cancellable {
  /** The lease of the person who acts: `Taken.hold`. Default: an agent acts. */
  readonly hold?: string | undefined;
}

export interface SettleOptions {
  /** Give up after this many milliseconds. */
  readonly capMs: number;
  /** The last input was only pointer motion: hovers appear late, so wait longer for the first change. */
  readonly pointerOnly: boolean;
}

export interface Settled {
  readonly ms: number;
  readonly reason: 'quiet' | 'cap';
  /**
   * The parts that were still busy when the cap ended it, e.g. `screen`, `dom`, `cpu 38 %`, `progress bar`; where it is
   * quiet, what was busy before the input and is not waited for: programs, a part of the screen in which something
   * moves, and progress bars that have been shown for 10 s and the cap at least.
   */
  readonly busy: readonly string[];
}

export interface CaptureOptions extends Cancellable {
  /** A second picture beside the PNG of the whole screen, e.g. a smaller one for a model. Default: none. */
  readonly view?: ViewOptions | undefined;
}

/** The whole screen with the pointer, as a PNG. */
export interface Capture extends Picture {
  readonly mime: 'image/png';
  readonly pointer: { readonly x: number; readonly y: number };
  /**
   * The box of everything that differs from the previous capture; null if nothing does; the whole screen the first
   * time.
   */
  readonly changed: Box | null;
  /**
   * The same in more detail: boxes that don't overlap and together contain every difference. Empty if nothing differs.
   */
  readonly changes: readonly Box[];
  /** Only where one was requested. */
  readonly view?: ScreenPicture;
}

export interface ExecSpec {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Its standard input, at most `limits.inputText` UTF-16 code units. Default: nothing. */
  readonly input?: string | undefined;
  readonly timeoutMs: number;
  /** Bytes of each output stream. */
  readonly maxOutputBytes: number;
}

export interface ExecResult {
  /** Null if a signal or the time-out ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly timedOut: boolean;
}

export interface SweepReport {
  /** Ids of the sandboxes that were removed. */
  readonly removed: readonly string[];
}

/** Whether a node has what outlives the processes that made it: sandboxes that are kept, and checkpoints of them. */
export async function hasLastingState(node: Pick<Node, 'list' | 'checkpoints'>): Promise<boolean> {
  if ((await node.list()).some(({ keep, state }) => keep && state !== 'stopped')) return true;
  return (await node.checkpoints()).some(({ kept }) => kept);
}
