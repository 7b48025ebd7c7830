import { unwatchFile, watchFile } from 'node:fs';
import { access } from 'node:fs/promises';
import { poll } from '../../../../bridge/lib/index.ts';
import type { SandboxPaths } from '../paths.ts';
import { isClaimedByDead } from './claim.ts';

/** Pause between two checks whether a sandbox is whole again, in milliseconds. */
const lookMs = 25;
/** The same for checks whether another process has claimed it; that process waits as long. */
const claimMs = 100;

/**
 * Lets go of a sandbox while it is checkpointed or restored elsewhere, in this process or another: no connection from
 * outside can be part of a checkpoint. Dispose it to stop watching.
 */
export class StepAside implements Disposable {
  readonly #paths: SandboxPaths;
  #listener: (() => void) | undefined;

  constructor(paths: SandboxPaths) {
    this.#paths = paths;
  }

  /**
   * Calls `letGo` whenever the sandbox is claimed; begins with the first call, later ones do nothing.
   * @param letGo never rejects
   */
  begin(letGo: () => Promise<void>): void {
    if (this.#listener) return;
    this.#listener = () => void isClaimed(this.#paths).then((claimed) => (claimed ? letGo() : undefined));
    // Not by inotify: one sandbox that uses up a user's share of it would end every step of all others.
    watchFile(this.#paths.turn, { persistent: false, interval: claimMs }, this.#listener);
  }

  /** Waits until the sandbox is not claimed. */
  async untilFree(signal: AbortSignal): Promise<void> {
    const probe = async () =>
      (await isClaimed(this.#paths))
        ? ({ done: false, saw: 'a checkpoint or a restore' } as const)
        : ({ done: true, value: undefined } as const);
    await poll('the end of a checkpoint or a restore by another', probe, { intervalMs: lookMs, signal });
  }

  [Symbol.dispose](): void {
    if (this.#listener) unwatchFile(this.#paths.turn, this.#listener);
  }
}

async function isClaimed(paths: SandboxPaths): Promise<boolean> {
  const there = await access(paths.turn).then(
    () => true,
    () => false,
  );
  // A half-written claim belongs to a living process.
  return there && (await isClaimedByDead(paths).catch(() => null)) === null;
}
