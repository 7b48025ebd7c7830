/** Carries whole messages, of text or of bytes, between two peers, in order. */
export interface Transport {
  /** Queues a message; its bytes must not change afterwards. A no-op after the end. */
  send(message: string | Buffer): void;
  /** Sets the one receiver; messages that came before are delivered to it first. */
  onMessage(receive: (message: string | Buffer) => void): void;
  /** Calls `end` once when the connection is over, at once if it already is; `reason` if it broke. */
  onEnd(end: (reason: Error | undefined) => void): void;
  /** Ends the connection; resolves when it is over. Idempotent. A reason is given to `onEnd` of this side. */
  close(reason?: Error): Promise<void>;
}
