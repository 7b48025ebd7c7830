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

/** Two transports connected in memory: each receives the other's messages in a later microtask. */
export function memoryPair(): [Transport, Transport] {
  const left = new MemoryTransport();
  const right = new MemoryTransport();
  left.peer = right;
  right.peer = left;
  return [left, right];
}

class MemoryTransport implements Transport {
  peer: MemoryTransport | undefined;
  #receive: ((message: string | Buffer) => void) | undefined;
  #end: ((reason: Error | undefined) => void) | undefined;
  #waiting: (string | Buffer)[] = [];
  #ended = false;
  #reason: Error | undefined;

  send(message: string | Buffer): void {
    const peer = this.peer;
    if (!this.#ended && peer) queueMicrotask(() => peer.#deliver(message));
  }

  onMessage(receive: (message: string | Buffer) => void): void {
    this.#receive = receive;
    for (const message of this.#waiting.splice(0)) receive(message);
  }

  onEnd(end: (reason: Error | undefined) => void): void {
    this.#end = end;
    if (this.#ended) end(this.#reason);
  }

  close(reason?: Error): Promise<void> {
    this.#finish(reason);
    const { peer } = this;
    if (peer) peer.#finish();
    return Promise.resolve();
  }

  #deliver(message: string | Buffer): void {
    if (this.#ended) return;
    if (this.#receive) this.#receive(message);
    else this.#waiting.push(message);
  }

  #finish(reason?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#reason = reason;
    this.#end?.(reason);
  }
}
