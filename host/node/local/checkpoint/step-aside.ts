import { watch, type FSWatcher } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename } from 'node:path';
import { poll } from '../../../../bridge/lib/index.ts';
import type { SandboxPaths } from '../paths.ts';
import { isClaimedByDead } from './claim.ts';

/** Pause between two looks whether a sandbox is whole again, in milliseconds. */
const lookMs = 25;

/**
 * Lets go of a sandbox while somebody else takes a checkpoint of it or restores it, in this process or another: no
 * connection from outside can be part of a checkpoint. Dispose it to look no longer.
 */
export class StepAside implements Disposable {
  readonly #paths: SandboxPaths;
  #watcher: FSWatcher | undefined;

  constructor(paths: SandboxPaths) {
    this.#paths = paths;
  }

  /**
   * Calls `letGo` whenever somebody has claimed the sandbox; begins with the first call, later ones do nothing.
   * @param letGo never rejects
   */
  begin(letGo: () => Promise<void>): void {
    if (this.#watcher) return;
    const file = basename(this.#paths.turn);
    this.#watcher = watch(this.#paths.run, { persistent: false }, (_, name) => {
      if (name === file) void isClaimed(this.#paths).then((claimed) => (claimed ? letGo() : undefined));
    });
    // The folder may go away with its sandbox.
    this.#watcher.on('error', () => undefined);
  }

  /** Waits until nobody has claimed the sandbox. */
  async untilFree(signal: AbortSignal): Promise<void> {
    const probe = async () =>
      (await isClaimed(this.#paths))
        ? ({ done: false, saw: 'a checkpoint or a restore' } as const)
        : ({ done: true, value: undefined } as const);
    await poll('the end of a checkpoint or a restore by another', probe, { intervalMs: lookMs, signal });
  }

  [Symbol.dispose](): void {
    this.#watcher?.close();
  }
}

async function isClaimed(paths: SandboxPaths): Promise<boolean> {
  const there = await access(paths.turn).then(
    () => true,
    () => false,
  );
  // Half written, it is somebody's who lives.
  return there && (await isClaimedByDead(paths).catch(() => null)) === null;
}
