import { PwpError, Shared } from '../../../../bridge/lib/index.ts';
import type {
  CheckpointInfo,
  CheckpointKind,
  CheckpointOptions,
  CheckpointProblem,
  CheckpointSupport,
} from '../../checkpoint.ts';
import { languagesOfKey } from '../image/index.ts';
import type { Making } from '../lifecycle.ts';
import { pathsOf, type SandboxRecord } from '../record.ts';
import { runDetached } from '../runc.ts';
import { watchersHelp } from '../watch-limits.ts';
import { findCriu, folderOf } from './criu.ts';
import { readyForRest, removeLeftovers } from './disk.ts';
import { dump } from './dump.ts';
import { awaitNobodyOutside, letOthersGo } from './outside.ts';
import { partsOf } from './parts.ts';
import { ProblemLog } from './problems.ts';
import type { SandboxNetwork } from '../../network/index.ts';
import { resumeProcesses, restoreFiles, renewNetwork, takeDown } from './rebuild.ts';
import { CheckpointStore, newCheckpointId, type HeldCheckpoint } from '../checkpoint-store/index.ts';

/** Takes checkpoints of one node's sandboxes and puts them back. */
export class Checkpointer implements AsyncDisposable {
  readonly #home: string;
  readonly #problems: ProblemLog;
  readonly #support: Shared<CheckpointSupport>;
  readonly #store: Shared<CheckpointStore>;
  readonly #closing = new AbortController();

  constructor(home: string) {
    this.#home = home;
    this.#problems = new ProblemLog(home);
    this.#support = new Shared((signal) => findCriu(home, signal));
    this.#store = new Shared((signal) => this.#open(signal));
  }

  /** Opened once; after a failure the next caller tries again. Errors: `node-closed`. */
  store(): Promise<CheckpointStore> {
    return this.#store.get(this.#closing.signal);
  }

  /** Failures of background work, in all processes; the oldest first. */
  problems(): Promise<CheckpointProblem[]> {
    return this.#problems.list();
  }

  /** Found out once; after a failure the next caller tries again. */
  support(signal: AbortSignal): Promise<CheckpointSupport> {
    return this.#support.get(signal);
  }

  /** Lets background work end; kept sandboxes and checkpoints stay. */
  async [Symbol.asyncDispose](): Promise<void> {
    const reason = new PwpError('node-closed', 'the node is closed');
    this.#closing.abort(reason);
    await (await this.#store.close(reason))?.[Symbol.asyncDispose]();
  }

  /** This process must not be connected to the sandbox. Errors: `checkpoint-failed`, `disk-full`, `unsupported`. */
  async take(
    record: SandboxRecord,
    options: CheckpointOptions,
    signal: AbortSignal,
  ): Promise<CheckpointInfo> {
    const { kind, criuFolder } = await this.#means(options.kind, signal);
    const paths = pathsOf(record);
    if (kind === 'live') await awaitNobodyOutside(record.id, signal);
    else await readyForRest(record, signal);
    const id = newCheckpointId();
    await using draft = await (await this.store()).begin(id);
    const frozenMs = await dump({ id: record.id, paths }, draft.folder, criuFolder, signal);
    signal.throwIfAborted();
    const { role, image, display, limits, network, checkpoint: parent, origin, keep: kept } = record;
    return await draft.commit({
      ...{ name: options.name ?? null, parent, kind, role, image, key: options.key ?? null },
      ...{ display, limits, network, origin, kept, takenAt: new Date().toISOString(), frozenMs },
    });
  }

  /**
   * Puts a checkpoint in the place of what a sandbox is now. Where this fails the sandbox has ended, but another
   * checkpoint can still be put there.
   * @param network its way out, which is opened again. Errors: those of `Sandbox.restore`.
   */
  async putBack(
    record: SandboxRecord,
    id: string,
    network: SandboxNetwork | undefined,
    signal: AbortSignal,
  ): Promise<CheckpointKind> {
    await using held = await (await this.store()).hold(id, signal);
    requireSame(record, held);
    const { fill, start } = await this.making(record, held, signal);
    const paths = pathsOf(record);
    await letOthersGo(record.id, signal);
    // Programs that still run in the old network do not keep the new one waiting.
    await Promise.all([
      takeDown(record.id, paths).then(() => fill(paths, signal)),
      renewNetwork(paths, signal).then(() => network?.reopen(signal)),
    ]);
    await start(paths, signal);
    return held.meta.kind;
  }

  /** How a sandbox is made from a checkpoint. Errors: `checkpoint-other-image`, `unsupported`. */
  async making(
    record: SandboxRecord,
    held: HeldCheckpoint,
    signal: AbortSignal,
  ): Promise<Omit<Making, 'egressFor'>> {
    requireImage(record, held);
    const { criuFolder } = await this.#means(held.meta.kind, signal);
    const parts = partsOf(held.folder);
    return {
      spec: record,
      fill: async (paths) => {
        await restoreFiles(paths, record.layers, parts, signal);
        if (criuFolder === null) await removeLeftovers(paths);
      },
      start: (paths) =>
        criuFolder === null
          ? runDetached(record.id, paths.bundle, paths.runcLog, signal)
          : resumeProcesses(record.id, paths, parts, criuFolder),
    };
  }

  async #open(signal: AbortSignal): Promise<CheckpointStore> {
    const onProblem = (error: unknown, what: string) => this.#problems.add(error, what);
    await using stack = new AsyncDisposableStack();
    const store = stack.use(await CheckpointStore.open(this.#home, { onProblem }));
    // Else its background work would never end.
    signal.throwIfAborted();
    stack.move();
    return store;
  }

  /** Errors: `unsupported`. */
  async #means(
    asked: CheckpointKind | undefined,
    signal: AbortSignal,
  ): Promise<{ kind: CheckpointKind; criuFolder: string | null }> {
    if (asked === 'disk') return { kind: 'disk', criuFolder: null };
    const { criu, notes } = await this.support(signal);
    if (criu) return { kind: 'live', criuFolder: folderOf(criu) };
    if (asked === undefined) return { kind: 'disk', criuFolder: null };
    const why = notes.at(-1) ?? '';
    throw new PwpError('unsupported', `this node can't do live checkpoints: ${why}`, {
      help: (await watchersHelp(why)) ?? 'See what is missing: pwp doctor',
    });
  }
}

function requireImage(record: SandboxRecord, { id, meta: { image } }: HeldCheckpoint): void {
  if (record.image === image) return;
  throw new PwpError(
    'checkpoint-other-image',
    `checkpoint ${id} is of image ${image}, and this sandbox is of ${record.image}`,
    { help: helpWith(image, record.image) },
  );
}

/** How to get the image of a checkpoint, as far as the two keys show it. */
function helpWith(wanted: string, given: string): string {
  const [languages, others] = [wanted, given].map((key) => languagesOfKey(key).join(','));
  if (languages === others) return 'Restore it with the version of this program that took it.';
  return languages === ''
    ? 'It has no extra languages: restore it without --with.'
    : `It has extra languages: restore it with --with ${languages}.`;
}

function requireSame(record: SandboxRecord, held: HeldCheckpoint): void {
  requireImage(record, held);
  const { id, meta } = held;
  const { width, height, audio = false } = meta.display;
  const { display, role } = record;
  const isSame = display.width === width && display.height === height && (display.audio ?? false) === audio;
  if (role === meta.role && isSame) return;
  throw new PwpError(
    'restore-failed',
    `checkpoint ${id} is of a sandbox of role ${meta.role} with a screen of ${width}x${height}${audio ? ' and sound' : ''}`,
    { help: `Make a new sandbox from it: pwp fork ${id}` },
  );
}
