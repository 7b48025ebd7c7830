import type { ServiceName } from '../../protocol/index.ts';

/** A part of the desktop that runs. Disposing it stops it and resolves when it is gone. */
export interface RunningPart extends AsyncDisposable {
  /** Resolves with why it ended; never rejects. */
  readonly ended: Promise<string>;
  /** Another window than the one before: its predecessor ended with that one, and did not die. */
  readonly reloaded?: boolean;
}

/**
 * Time for a part to become ready, in milliseconds. Generous: on a machine where many sandboxes start at once it takes
 * a multiple of its usual seconds, and a restart would only begin that again. A part that dies is seen at once.
 */
export const START_MS = 300_000;

/** How one part of the desktop is started. */
export interface Part {
  readonly name: ServiceName;
  /** Parts that must be ready before this one starts. When one of them ends, this one is restarted as well. */
  readonly needs: readonly ServiceName[];
  /** It may take this many milliseconds to become ready. */
  readonly startMs: number;
  /** Of {@link startMs}, only those count in which VS Code does nothing. Default: all. */
  readonly mayWork?: true;
  /** Starts it and resolves when it is ready; leaves nothing behind when it rejects. */
  start(signal: AbortSignal): Promise<RunningPart>;
}
