import type { Cancellable } from '../../bridge/lib/index.ts';
import type { Display, Limits, NetworkPolicy } from './sandbox-spec.ts';

/**
 * `live`: everything, running processes included. `disk`: only the file system; a restore boots the sandbox on it, and
 * VS Code brings back what it saves for that.
 */
export type CheckpointKind = 'live' | 'disk';

/** Which kind of checkpoint a node can take, and how. */
export interface CheckpointSupport {
  /** The best kind that this node can do. */
  readonly kind: CheckpointKind;
  /** The CRIU in use; null if no CRIU works here. */
  readonly criu: { readonly version: string; readonly path: string } | null;
  /** Why it is not live, or which kernel features were found. */
  readonly notes: readonly string[];
  /** While this is the same, live checkpoints can be restored. It has no other meaning. */
  readonly lifetime: string;
}

/** One checkpoint in a node's store. */
export interface CheckpointInfo {
  /** `ck-` and 8 hexadecimal digits. */
  readonly id: string;
  /** For people. */
  readonly name: string | null;
  /** The checkpoint that the sandbox last took or was last restored from; null for the first one. */
  readonly parent: string | null;
  readonly kind: CheckpointKind;
  readonly role: 'ide' | 'bare';
  /** Key of the sandbox's image: it can only be restored on the same one. */
  readonly image: string;
  /** The image that is the root of its agent's side; null for our own. */
  readonly root: string | null;
  /** The key it is found by if it is the start of something, e.g. the content key of a task's initial state. */
  readonly key: string | null;
  readonly display: Display;
  readonly limits: Limits;
  readonly network: NetworkPolicy;
  /** As in `SandboxSpec`. */
  readonly workspace: string;
  /** As in `SandboxInfo`. */
  readonly origin: string | null;
  /** Taken of a sandbox that outlives the process that started it; the checkpoint then outlives it too. */
  readonly kept: boolean;
  /** ISO 8601. */
  readonly takenAt: string;
  /** How long the sandbox was frozen, in milliseconds. */
  readonly frozenMs: number;
  /** On disk now, in bytes. */
  readonly bytes: number;
  readonly state: 'hot' | 'packed';
}

/** For sorting: the oldest first. */
export function compareByAge(a: CheckpointInfo, b: CheckpointInfo): number {
  return Date.parse(a.takenAt) - Date.parse(b.takenAt);
}

/** A failure of a node's background work on its checkpoints. No caller waits for that work. */
export interface CheckpointProblem {
  /** ISO 8601. */
  readonly at: string;
  /** The work that failed, e.g. `packing ck-0123abcd`. */
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
  /** As in `SandboxSpec`. */
  readonly name: string;
  readonly keep: boolean;
  /**
   * The `origin` of the new sandbox: that of the checkpoint, or its own id, for one that gets files of its own before
   * anybody works in it. Default `checkpoint`.
   */
  readonly origin?: 'checkpoint' | 'own' | undefined;
}

/** The checkpoint operations of a sandbox. */
export interface Checkpointable {
  /**
   * Saves the whole sandbox. It is frozen for a moment and then continues, even if this fails. Two calls at once run
   * one after the other. Errors: `checkpoint-failed`, `disk-full`, `unsupported`, `sandbox-stopped`.
   */
  checkpoint(options?: CheckpointOptions & Cancellable): Promise<CheckpointInfo>;
  /**
   * Returns to a checkpoint, in place: same id, same object, same listeners. The connections are closed before and made
   * again after, and held keys and buttons are released. Errors: `no-such-checkpoint`, `checkpoint-damaged`,
   * `checkpoint-other-image`, `restore-failed`: then the sandbox has ended, the checkpoint stays.
   */
  restore(id: string, options?: Cancellable): Promise<void>;
}

/** The checkpoints of a node. */
export interface Checkpoints<Forked> {
  checkpointSupport(options?: Cancellable): Promise<CheckpointSupport>;
  /** The oldest first. */
  checkpoints(): Promise<CheckpointInfo[]>;
  /**
   * The checkpoint with this key: the youngest that has been restored, else the youngest; null if no checkpoint has it.
   */
  findCheckpoint(key: string): Promise<CheckpointInfo | null>;
  /** Recent failures of background work, the oldest first. */
  checkpointProblems(): Promise<CheckpointProblem[]>;
  /** A new sandbox from a checkpoint. Errors: those of `restore` and of `start`. */
  fork(id: string, options: ForkOptions & Cancellable): Promise<Forked>;
  /** Errors: `no-such-checkpoint`, `checkpoint-in-use`. */
  deleteCheckpoint(id: string): Promise<void>;
  /** Writes one file on the caller's machine. Errors: `no-such-checkpoint`, `checkpoint-damaged`, `disk-full`. */
  exportCheckpoint(id: string, path: string, options?: Cancellable): Promise<void>;
  /** Reads an exported file. Errors: `checkpoint-damaged`, `disk-full`. */
  importCheckpoint(path: string, options?: Cancellable): Promise<CheckpointInfo>;
}
