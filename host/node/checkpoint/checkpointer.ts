import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pause, PwpError, SingleFlight } from '../../../bridge/lib/index.ts';
import { CheckpointStore, type HeldCheckpoint, newCheckpointId } from '../checkpoint-store/index.ts';
import type {
  CheckpointInfo,
  CheckpointKind,
  CheckpointOptions,
  CheckpointProblem,
  CheckpointSupport,
} from '../checkpoint.ts';
import {
  explainWatcherFailure,
  fillDesk,
  makeFolderInside,
  resolveSandboxPaths,
  type SandboxPaths,
  type SandboxPlan,
  type SandboxRecord,
  startRuncContainer,
} from '../container/index.ts';
import { dropRootFromKey } from '../agent-root.ts';
import { parseKeyLanguages } from '../image/index.ts';
import type { SandboxNetwork } from '../network/index.ts';
import { ProblemLog } from './checkpoint-problems.ts';
import { findCriu, locateCriuFolder } from './criu.ts';
import { dumpSandbox, locateCheckpointParts } from './dump.ts';
import { awaitNoOutsideConnections, giveOthersTimeToDisconnect } from './other-processes.ts';
import { renewNetwork, restoreFiles, resumeProcesses, takeSandboxDown } from './rebuild.ts';

/** Takes checkpoints of one node's sandboxes and puts them back. */
export class Checkpointer implements AsyncDisposable {
  readonly #home: string;
  readonly #problems: ProblemLog;
  readonly #support: SingleFlight<CheckpointSupport>;
  readonly #store: SingleFlight<CheckpointStore>;
  readonly #closing = new AbortController();

  constructor(home: string) {
    this.#home = home;
    this.#problems = new ProblemLog(home);
    this.#support = new SingleFlight((signal) => findCriu(home, signal));
    this.#store = new SingleFlight((signal) => this.#open(signal));
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
    const paths = resolveSandboxPaths(record);
    if (kind === 'live') await awaitNoOutsideConnections(record.id, signal);
    else await awaitHotExit(record, signal);
    const id = newCheckpointId();
    await using draft = await (await this.store()).begin(id);
    const frozenMs = await dumpSandbox({ ...record, paths }, draft.folder, criuFolder, signal);
    signal.throwIfAborted();
    const { role, image, root, display, limits, network, workspace } = record;
    const { checkpoint: parent, origin, keep: kept } = record;
    return await draft.commit({
      ...{ name: options.name ?? null, parent, kind, role, image, key: options.key ?? null },
      ...{ root: root?.image ?? null, display, limits, network, workspace, origin, kept },
      ...{ takenAt: new Date().toISOString(), frozenMs },
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
    requireSameSandbox(record, held);
    const { fill, start } = await this.making(record, held, signal);
    const paths = resolveSandboxPaths(record);
    await giveOthersTimeToDisconnect(record.id, signal);
    // Programs that still run in the old network do not keep the new one waiting.
    await Promise.all([
      takeSandboxDown(record.id, paths).then(() => fill(paths, signal)),
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
  ): Promise<Omit<SandboxPlan, 'egressFor'>> {
    requireSameImage(record, held);
    const { criuFolder } = await this.#means(held.meta.kind, signal);
    const parts = locateCheckpointParts(held.folder);
    return {
      fill: async (paths) => {
        await restoreFiles(paths, record, parts, signal);
        if (criuFolder === null) await removeStaleFiles(paths);
      },
      start: (paths) =>
        criuFolder === null
          ? startRuncContainer(record.id, paths.bundle, paths.runcLog, signal)
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
    if (criu) return { kind: 'live', criuFolder: locateCriuFolder(criu) };
    if (asked === undefined) return { kind: 'disk', criuFolder: null };
    const why = notes.at(-1) ?? '';
    throw new PwpError('unsupported', `this node can't do live checkpoints: ${why}`, {
      help: (await explainWatcherFailure(why)) ?? 'See what is missing: pwp doctor',
    });
  }
}

function requireSameImage(record: SandboxRecord, { id, meta: { image } }: HeldCheckpoint): void {
  if (record.image === image) return;
  throw new PwpError(
    'checkpoint-other-image',
    `checkpoint ${id} is of image ${image}, and this sandbox is of ${record.image}`,
    { help: explainOtherImage(image, record.image) },
  );
}

/** How to get the image of a checkpoint, as far as the two keys show it. */
function explainOtherImage(wanted: string, given: string): string {
  if (wanted !== given && dropRootFromKey(wanted) === dropRootFromKey(given))
    return 'The image of its agent has changed since, or is another one: restore it with the same --image.';
  const [languages, others] = [wanted, given].map((key) => parseKeyLanguages(key).join(','));
  if (languages === others) return 'Restore it with the version of this program that took it.';
  return languages === ''
    ? 'It has no extra languages: restore it without --with.'
    : `It has extra languages: restore it with --with ${languages}.`;
}

function requireSameSandbox(record: SandboxRecord, held: HeldCheckpoint): void {
  requireSameImage(record, held);
  const { id, meta } = held;
  const { width, height, audio = false } = meta.display;
  const { display, role } = record;
  const elsewhere = record.workspace === meta.workspace ? '' : ` and the workspace ${meta.workspace}`;
  const isSame = display.width === width && display.height === height && (display.audio ?? false) === audio;
  if (role === meta.role && isSame && elsewhere === '') return;
  throw new PwpError(
    'restore-failed',
    `checkpoint ${id} is of a sandbox of role ${meta.role} with a screen of ${width}x${height}${audio ? ' and sound' : ''}${elsewhere}`,
    { help: `Make a new sandbox from it: pwp fork ${id}` },
  );
}

/** VS Code saves unsaved text a second after the last change, and the browser writes it to disk soon after. Milliseconds. */
const hotExitMs = 1600;

/** Waits until VS Code has saved what it brings back after a restart. */
async function awaitHotExit(record: SandboxRecord, signal: AbortSignal): Promise<void> {
  if (record.role === 'ide') await pause(hotExitMs, signal);
}

/** By folder, leftovers of processes that never ended properly, which new processes would trip over: locks, sockets. */
const staleFiles = {
  '/tmp': /^vscode-.*\.sock$/,
  '/desk-profile/chromium': /^Singleton/,
};

/** Removes them from the root of a sandbox that does not run. */
async function removeStaleFiles(paths: SandboxPaths): Promise<void> {
  for (const [folder, pattern] of Object.entries(staleFiles)) {
    // Where a link is on the way, nothing is removed: the agent decides where a link leads.
    const at = await makeFolderInside(paths.merged, folder).catch(() => null);
    const names = at === null ? [] : await readdir(at);
    for (const name of names)
      if (at !== null && pattern.test(name)) await rm(join(at, name), { recursive: true, force: true });
  }
  await emptyFolder(paths.shared);
  if (!existsSync(paths.desk)) return;
  await emptyFolder(paths.desk);
  await fillDesk(paths);
}

async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}
