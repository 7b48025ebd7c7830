import type { Progress } from '../../../lib/index.ts';

/** How one read-only layer of a file system is made. */
export interface LayerRecipe {
  /** Short word for people and for the folder's name, e.g. `base`. */
  readonly name: string;
  /** Changes when anything changes that goes into the layer. Hexadecimal. */
  readonly key: string;
  /** Fills `workshop.rootfs`. */
  readonly fill: (workshop: Workshop) => Promise<void>;
}

/** The folders and the runner that a recipe works with while its layer is built. */
export interface Workshop {
  /** An empty folder: the root of the layer. */
  readonly rootfs: string;
  /** An empty folder for temporary files; removed afterwards. */
  readonly scratch: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Runs a program and keeps its output in the build log. Rejects with `image-build-failed` and its last lines. */
  readonly run: (argv: readonly string[], options?: RunOptions) => Promise<void>;
}

export interface RunOptions {
  readonly cwd?: string;
  /** The whole environment; without it PATH, HOME and the proxy variables of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /**
   * Runs it as root in mount and pid namespaces of its own, which end with it and with this process, however it ends:
   * its mounts and processes can't be left behind.
   */
  readonly isolated?: boolean;
}

/** An existing layer. */
export interface Layer {
  readonly name: string;
  readonly key: string;
  /** Its root folder, for the `lowerdir` of an overlay. Never to be written to. */
  readonly rootfs: string;
  /** ISO 8601. */
  readonly builtAt: string;
  /** 0 where it was not built here. */
  readonly buildSeconds: number;
}
