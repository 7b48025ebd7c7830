import { randomUUID } from 'node:crypto';
import * as z from 'zod';

const reply = z.looseObject({ episode: z.string().optional(), reward: z.number().nullish() });
const failed = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
type Reply = z.output<typeof reply>;

/** The server answered with an error. */
export class ServedError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** A client of `pwp serve --task`, with nothing of this project in it. */
export class ServedClient {
  readonly #origin: string;
  readonly #token: string;
  readonly #signal: AbortSignal;

  constructor(origin: string, token: string, signal: AbortSignal) {
    this.#origin = origin;
    this.#token = token;
    this.#signal = signal;
  }

  /** Id of a new episode. */
  async open(): Promise<string> {
    const { episode = '' } = await this.#send('POST', '/episodes', { picture: 'none' });
    return episode;
  }

  /** @param signal aborted when the client leaves in the middle */
  call(episode: string, name: string, body: object = {}, signal: AbortSignal = this.#signal): Promise<Reply> {
    return this.#send('POST', `/episodes/${episode}/${name}`, { request: randomUUID(), ...body }, signal);
  }

  async close(episode: string): Promise<void> {
    await this.#send('DELETE', `/episodes/${episode}`);
  }

  async #send(
    method: string,
    path: string,
    body?: object,
    signal: AbortSignal = this.#signal,
  ): Promise<Reply> {
    const response = await fetch(`${this.#origin}${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.#token}` },
      signal,
      ...(body && { body: JSON.stringify(body) }),
    });
    const value: unknown = await response.json();
    if (response.ok) return reply.parse(value);
    const { code, message } = failed.parse(value).error;
    throw new ServedError(code, message);
  }
}
