import type { Cancellable } from '../../bridge/lib/index.ts';
import type { Display, Limits, NetworkPolicy } from './spec.ts';

/**
 * `live`: everything, running processes included. `disk`: the file system alone; a restore starts the sandbox anew on
 * it, and VS Code brings back what it saves for that.
 */
export type CheckpointKind = 'live' | 'disk';

/** What a node can do, and by what means. */
export interface CheckpointSupport {
  /** The best kind that this node can do. */
  readonly kind: CheckpointKind;
  /** The CRIU in use; null where there is none that works. */
  readonly criu: { readonly version: string; readonly path: string } | null;
  /** Why it is not live, or which features of the kernel were found. */
  readonly notes: readonly string[];
}

/** One checkpoint in a node's store. */
export interface CheckpointInfo {
  /** `ck-` and 8 hexadecimal digits. */
  readonly id: string;
  /** For people. */
  readonly name: string | null;
  /** The checkpoint that the sandbox was last restored from or was last taken of it; null for a first one. */
  readonly parent: string | null;
  readonly kind: CheckpointKind;
  readonly role: 'ide' | 'bare';
  /** Key of the sandbox's image: it is restored on the same one only. */
  readonly image: string;
  /** What it is found by where it stands for a start, e.g. the content key of a task's set-up. */
  readonly key: string | null;
  readonly display: Display;
  readonly limits: Limits;
  readonly network: NetworkPolicy;
  /** ISO 8601. */
  readonly takenAt: string;
  /** How long the sandbox stood still, in milliseconds. */
  readonly frozenMs: number;
  /** On disk now, in bytes. */
  readonly bytes: number;
  readonly state: 'hot' | 'packed';
}

/** For sorting: the oldest first. */
export function byAge(a: CheckpointInfo, b: CheckpointInfo): number {
  return Date.parse(a.takenAt) - Date.parse(b.takenAt);
}

/** Something that went wrong while a node looked after its checkpoints in the background, where no caller waits. */
export interface CheckpointProblem {
  /** ISO 8601. */
  readonly at: string;
  /** What was being done, e.g. `packing ck-0123abcd`. */
  readonly what: string;
  /** Why it failed. */
  readonly why: string;
}

export interface CheckpointOptions {
  /** For people, 200 characters at most. */
  readonly name?: string;
  readonly key?: string;
  /** Default: the best that the node can do. Errors: `unsupported` for `live` where it can't. */
  readonly kind?: CheckpointKind;
}

export interface ForkOptions {
  /** As of `SandboxSpec`. */
  readonly name: string;
  readonly keep: boolean;
}

/** What a sandbox can do with checkpoints. */
export interface Checkpointable {
  /**
   * Keeps all that the sandbox is now. It stands still for a moment and goes on, also where this fails. Two asked for
   * at once are taken one after the other. Errors: `checkpoint-failed`, `disk-full`, `unsupported`, `sandbox-stopped`.
   */
  checkpoint(options?: CheckpointOptions & Cancellable): Promise<CheckpointInfo>;
  /**
   * Back to a checkpoint, in place: same id, same object, same listeners; the connections are closed before and made
   * again after, and keys and buttons that are held are let go. Errors: `no-such-checkpoint`, `checkpoint-damaged`,
   * `checkpoint-other-image`, `restore-failed`: then the sandbox has ended, the checkpoint stays.
   */
  restore(id: string, options?: Cancellable): Promise<void>;
}

/** What a node keeps. */
export interface Checkpoints<Forked> {
  checkpointSupport(options?: Cancellable): Promise<CheckpointSupport>;
  /** The oldest first. */
  checkpoints(): Promise<CheckpointInfo[]>;
  /** The one that a key stands for: the youngest that has been restored, else the youngest; null where there is none. */
  findCheckpoint(key: string): Promise<CheckpointInfo | null>;
  /** What went wrong in the background lately, the oldest first. */
  checkpointProblems(): Promise<CheckpointProblem[]>;
  /** A new sandbox from a checkpoint. Errors: those of `restore` and of `start`. */
  fork(id: string, options: ForkOptions & Cancellable): Promise<Forked>;
  /** Errors: `no-such-checkpoint`, `checkpoint-in-use`. */
  deleteCheckpoint(id: string): Promise<void>;
  /** Writes one file on the caller's machine. Errors: `no-such-checkpoint`, `checkpoint-damaged`, `disk-full`. */
  exportCheckpoint(id: string, path: string, options?: Cancellable): Promise<void>;
  /** Reads such a file. Errors: `checkpoint-damaged`, `disk-full`. */
  importCheckpoint(path: string, options?: Cancellable): Promise<CheckpointInfo>;
}
