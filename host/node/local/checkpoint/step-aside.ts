import { unwatchFile, watchFile } from 'node:fs';
import { access } from 'node:fs/promises';
import { poll } from '../../../../bridge/lib/index.ts';
import type { SandboxPaths } from '../paths.ts';
import { isClaimedByDead } from './claim.ts';

/** Pause between two looks whether a sandbox is whole again, in milliseconds. */
const lookMs = 25;
/** The same, whether somebody has claimed it, who waits as long. */
const claimMs = 100;

/**
 * Lets go of a sandbox while somebody else takes a checkpoint of it or restores it, in this process or another: no
 * connection from outside can be part of a checkpoint. Dispose it to look no longer.
 */
export class StepAside implements Disposable {
  readonly #paths: SandboxPaths;
  #listener: (() => void) | undefined;

  constructor(paths: SandboxPaths) {
    this.#paths = paths;
  }

  /**
   * Calls `letGo` whenever somebody has claimed the sandbox; begins with the first call, later ones do nothing.
   * @param letGo never rejects
   */
  begin(letGo: () => Promise<void>): void {
    if (this.#listener) return;
    this.#listener = () => void isClaimed(this.#paths).then((claimed) => (claimed ? letGo() : undefined));
    // Not by inotify: one sandbox that uses up what a user may have of it would end every step of all others.
    watchFile(this.#paths.turn, { persistent: false, interval: claimMs }, this.#listener);
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
    if (this.#listener) unwatchFile(this.#paths.turn, this.#listener);
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
