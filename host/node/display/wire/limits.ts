/** Bounds on what an X server may do. The program at its socket may be another one, started by code inside the wall. */
export interface DisplayLimits {
  /** Milliseconds until it has greeted and all that a connection begins with is answered. */
  readonly greetMs: number;
  /** Milliseconds until a request is answered. */
  readonly answerMs: number;
  /** Bytes of its greeting. */
  readonly greetingBytes: number;
  /** Bytes of one reply: the picture of the pointer is the longest. */
  readonly replyBytes: number;
  /** Events, replies and errors in one second. */
  readonly packetsPerSecond: number;
  /** Bytes of requests that it has not read yet. */
  readonly unreadBytes: number;
  /** Pixels of its screen. */
  readonly pixels: number;
}

export const displayLimits: DisplayLimits = {
  greetMs: 30_000,
  answerMs: 30_000,
  greetingBytes: 64 * 1024,
  replyBytes: 1024 * 1024,
  packetsPerSecond: 20_000,
  unreadBytes: 4 * 1024 * 1024,
  pixels: 7680 * 4320,
};
