import type { ServiceName } from '../../protocol/index.ts';

/** A part of the desktop that runs. Disposing it stops it and resolves when it is gone. */
export interface RunningPart extends AsyncDisposable {
  /** Resolves with the reason for its end; never rejects. */
  readonly ended: Promise<string>;
  /** It runs in another window than its predecessor, which ended with its window and did not crash. */
  readonly reloaded?: boolean;
}

/**
 * Time for a part to become ready, in milliseconds. Generous: on a machine where many sandboxes start at once, it takes
 * a multiple of its usual seconds, and a restart would only begin that again. A part that dies is noticed at once.
 */
export const START_MS = 300_000;

/** How one part of the desktop is started. */
export interface Part {
  readonly name: ServiceName;
  /** Parts that must be ready before this one starts. When one of them ends, this one is restarted as well. */
  readonly needs: readonly ServiceName[];
  /** Maximum milliseconds until it is ready. */
  readonly startMs: number;
  /** Only time in which VS Code does nothing counts towards {@link startMs}. Default: all time. */
  readonly mayWork?: true;
  /** Starts it and resolves when it is ready; leaves nothing behind when it rejects. */
  start(signal: AbortSignal): Promise<RunningPart>;
}
