import {
  type Cancellable,
  deadline,
  describeError,
  imagePrograms,
  neverAborted,
  PwpError,
} from '../../../bridge/lib/index.ts';
import { dom, workspaceMethods } from '../../../bridge/protocol/index.ts';
import { clipEnd } from '../../../bridge/text/index.ts';
import type { CheckpointInfo, ForkOptions, Node, Sandbox, SandboxSpec } from '../../node/index.ts';
import { withUnixLineEnds } from '../../tasks/index.ts';
import { type BootTurns, findBootTurns } from './boot-turns.ts';
import { readGoldenKey, WarmPool } from './golden-checkpoint.ts';

/** A sandbox in its initial state, ready. */
interface StartedSandbox {
  readonly sandbox: Sandbox;
  readonly from: 'cold' | 'golden';
  /** Milliseconds until it was ready, the wait for other boots included. */
  readonly startMs: number;
  /** The checkpoint it was restored from, or that was taken of it; null for neither. */
  readonly checkpoint: string | null;
  readonly notes: readonly string[];
}

interface SandboxStarterOptions {
  readonly node: Node;
  /** Boots each one, and takes no golden checkpoint. */
  readonly cold: boolean;
  /** The longest time from the start of a sandbox until its IDE is ready, in milliseconds. */
  readonly bootMs: number;
  /** Sandboxes restored ahead. */
  readonly warm: number;
  /** A script that is run inside once the IDE is up; what it leaves is part of the initial state. Default: none. */
  readonly setup?: string | undefined;
  /** Default: those that all starters of this process share on the node. */
  readonly turns?: BootTurns;
}

/** A restored IDE is ready at once; one that isn't after this many milliseconds never will be. */
const restoredMs = 30_000;

/** Errors that a boot avoids; any other, such as a machine without memory, would stop a boot, too. */
const badCheckpoint = [
  'no-such-checkpoint',
  'checkpoint-damaged',
  'checkpoint-other-image',
  'restore-failed',
];

/**
 * Brings up sandboxes in an initial state: booted the first time, then restored from the golden checkpoint that was
 * taken after that boot. Others of the same state that begin meanwhile wait for it. If the node can't make live
 * checkpoints, each one is booted.
 */
export class SandboxStarter implements AsyncDisposable {
  readonly #options: SandboxStarterOptions;
  readonly #turns: BootTurns;
  readonly #pool: WarmPool;

  constructor(options: SandboxStarterOptions) {
    this.#options = options;
    this.#turns = options.turns ?? findBootTurns(options.node);
    this.#pool = new WarmPool(options.node, options.warm);
  }

  async start(spec: SandboxSpec, signal: AbortSignal): Promise<StartedSandbox> {
    return (await this.#restores(signal))
      ? this.#byGolden(spec, 'checkpoint', signal)
      : this.#bootInTurn(spec, signal);
  }

  /**
   * The same for a workspace that is unlikely to be used again in this state: an IDE with an empty one is restored or
   * booted, and the files are put in. So there is no checkpoint of the initial state.
   * @param spec its seeds are files of the workspace
   */
  async startOnFolder(spec: SandboxSpec, signal: AbortSignal): Promise<StartedSandbox> {
    if (!(await this.#restores(signal))) return this.#bootInTurn(spec, signal);
    const start = performance.now();
    const started = await this.#byGolden({ ...spec, seeds: [] }, 'own', signal);
    await stopOnFailure(started.sandbox, () => applyWorkspaceFiles(started.sandbox, spec.seeds, signal));
    return { ...started, checkpoint: null, startMs: performance.now() - start };
  }

  async #restores(signal: AbortSignal): Promise<boolean> {
    const { node, cold } = this.#options;
    return !cold && (await node.checkpointSupport({ signal })).kind === 'live';
  }

  async #byGolden(
    spec: SandboxSpec,
    origin: ForkOptions['origin'],
    signal: AbortSignal,
  ): Promise<StartedSandbox> {
    const start = performance.now();
    const { node } = this.#options;
    const key = await readGoldenKey(node, spec, signal, this.#options.setup);
    const notes: string[] = [];
    const options = { name: spec.name, keep: spec.keep, origin };
    const unusable = new Set<string>();
    const find = async () => {
      const golden = await node.findCheckpoint(key);
      return golden && !unusable.has(golden.id) ? golden : null;
    };
    for (;;) {
      using flight = await this.#turns.flight(key, signal);
      const golden = await find();
      if (!golden) {
        using turn = await this.#turns.boot(signal);
        void turn;
        // Another may have made it meanwhile.
        if (await find()) continue;
        const booted = await this.#boot(spec, signal, start);
        const checkpoint = await stopOnFailure(booted.sandbox, () =>
          keepGolden(booted.sandbox, key, spec.name, notes, signal),
        );
        if (checkpoint !== null) this.#pool.fill(checkpoint, options);
        return { ...booted, checkpoint, notes };
      }
      // Any number may restore it at once.
      flight[Symbol.dispose]();
      const restored = await this.#restore(golden, options, notes, signal);
      if (restored) return { ...restored, startMs: performance.now() - start, notes };
      unusable.add(golden.id);
    }
  }

  async #bootInTurn(spec: SandboxSpec, signal: AbortSignal): Promise<StartedSandbox> {
    const start = performance.now();
    using turn = await this.#turns.boot(signal);
    void turn;
    return await this.#boot(spec, signal, start);
  }

  #boot(spec: SandboxSpec, signal: AbortSignal, start: number): Promise<StartedSandbox> {
    const { node, bootMs, setup } = this.#options;
    return bootSandbox(node, spec, { start, bootMs, setup, signal });
  }

  /** Ends the sandboxes that were restored ahead. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
  }

  /** Undefined if the checkpoint can't be used: it is deleted, and the notes say so. */
  async #restore(
    { id }: CheckpointInfo,
    options: ForkOptions,
    notes: string[],
    signal: AbortSignal,
  ): Promise<Omit<StartedSandbox, 'startMs' | 'notes'> | undefined> {
    const { node } = this.#options;
    try {
      const sandbox = (await this.#pool.take(id)) ?? (await node.fork(id, { ...options, signal }));
      await awaitRestored(sandbox, signal);
      this.#pool.fill(id, options);
      return { sandbox, from: 'golden', checkpoint: id };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PwpError) || !badCheckpoint.includes(error.code)) throw error;
      notes.push(`golden checkpoint ${id} can't be used, so the IDE was booted: ${describeError(error)}`);
      // A checkpoint in use stays, and the next reset tries it again.
      await node.deleteCheckpoint(id).catch(() => undefined);
      return undefined;
    }
  }
}

interface BootOptions {
  readonly start: number;
  readonly bootMs: number;
  readonly setup: string | undefined;
  readonly signal: AbortSignal;
}

/** Errors: those of `Node.start` and `Sandbox.ready`; `setup-failed`. */
async function bootSandbox(
  node: Node,
  spec: SandboxSpec,
  { start, bootMs, setup, signal }: BootOptions,
): Promise<StartedSandbox> {
  const sandbox = await node.start(spec, { signal });
  await stopOnFailure(sandbox, async () => {
    using limit = deadline(`boot of ${spec.name}`, bootMs, signal);
    await sandbox.ready({ signal: limit.signal });
    if (setup !== undefined) await runSetUpScript(sandbox, setup, bootMs, limit.signal);
  });
  return { sandbox, from: 'cold', startMs: performance.now() - start, checkpoint: null, notes: [] };
}

/** A sandbox that was to be kept would stay behind without its id being known. */
async function stopOnFailure<T>(sandbox: Sandbox, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await endSandbox(sandbox);
    throw error;
  }
}

/** The earlier failure says more than why the sandbox could not be stopped: mostly because its node is gone. */
async function endSandbox(sandbox: Sandbox): Promise<void> {
  await sandbox.stop().catch(() => undefined);
}

async function awaitRestored(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
  using limit = deadline('restored IDE', restoredMs, signal);
  try {
    await sandbox.ready({ signal: limit.signal });
    // The bridge may well be ready while the window is not.
    await sandbox.call(dom.activity, {}, { signal: limit.signal });
  } catch (cause) {
    await endSandbox(sandbox);
    signal.throwIfAborted();
    throw new PwpError(
      'restore-failed',
      `the IDE was restored but does not answer: ${describeError(cause)}`,
      {
        cause,
      },
    );
  }
}

/** Null if no checkpoint could be taken: the episode continues without. */
async function keepGolden(
  sandbox: Sandbox,
  key: string,
  name: string,
  notes: string[],
  signal: AbortSignal,
): Promise<string | null> {
  try {
    // A state that is restored a hundred times should be at rest.
    await sandbox.settle({ capMs: settleCapMs, pointerOnly: false, signal });
    return (await sandbox.checkpoint({ key, name: `golden ${name}`, kind: 'live', signal })).id;
  } catch (error) {
    signal.throwIfAborted();
    notes.push(`no golden checkpoint could be taken: ${describeError(error)}`);
    return null;
  }
}

/** Milliseconds. */
const settleCapMs = 4000;

/** The longest that an IDE may take to start, under other load, in milliseconds. */
const folderBootMs = 600_000;

/**
 * A ready sandbox with an IDE on files. Once this machine has booted one like it, the sandbox is restored with an empty
 * workspace, and the files are put in. Errors: those of `Node.start` and `Sandbox.ready`; then no sandbox is left.
 * @param spec its seeds are files of the workspace
 */
export async function startOnFolder(
  node: Node,
  spec: SandboxSpec,
  { signal = neverAborted }: Cancellable = {},
): Promise<StartedSandbox> {
  // In Docker a checkpoint ends with its container, which is mostly gone before the next one asks.
  await using starter = new SandboxStarter({
    node,
    cold: node.kind === 'docker',
    bootMs: folderBootMs,
    warm: 0,
  });
  return await starter.startOnFolder(spec, signal);
}

const setUpVariables = { PATH: '/opt/node/bin:/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' };
const maxOutputBytes = 100_000;

/**
 * Runs a task's set-up script in its workspace, as the user that runs the agent's commands. The script itself is not
 * left inside. Errors: `setup-failed` with the end of what it printed.
 */
async function runSetUpScript(
  sandbox: Sandbox,
  script: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const argv = [imagePrograms.bash, '--noprofile', '--norc', '-e', '-s'];
  const command = {
    argv,
    cwd: sandbox.workspace,
    env: { ...(sandbox.root === null && setUpVariables), HOME: sandbox.home },
    input: withUnixLineEnds(script),
    timeoutMs,
    maxOutputBytes,
  };
  const { exitCode, stdout, stderr } = await sandbox.exec(command, { signal });
  if (exitCode === 0) return;
  const said = clipEnd(`${stdout}\n${stderr}`.trim(), 2000);
  throw new PwpError('setup-failed', `the set-up script of the task ended with ${exitCode}: ${said}`, {
    help: "It runs inside, without a network and without root's capabilities; see docs/tasks.md.",
  });
}

/**
 * Puts the files of a workspace under a window that is open on an empty one, so that its state is that of a window that
 * was opened on them. The window itself says whether it has to be reopened for that.
 */
async function applyWorkspaceFiles(
  sandbox: Sandbox,
  seeds: SandboxSpec['seeds'],
  signal: AbortSignal,
): Promise<void> {
  for (const seed of seeds) await sandbox.unpack(seed, { signal });
  const { newWindow } = await sandbox.call(workspaceMethods.takeIn, {}, { signal });
  if (newWindow !== null) await sandbox.call(workspaceMethods.reopen, {}, { signal });
}
