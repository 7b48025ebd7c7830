import { open, type FileHandle } from 'node:fs/promises';
import { toJson } from '../../bridge/lib/index.ts';
import type { EventBody } from './events.ts';
import { privateFile } from './files.ts';

/**
 * The lines of `events.jsonl`. Each is handed to the kernel before `append` resolves, so that a killed run keeps all lines
 * until then. They keep the order of the calls, even if those overlap.
 */
export class EventLog {
  readonly #file: FileHandle;
  readonly #started = performance.now();
  #last: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Errors: `EEXIST` if the file already exists. */
  static async create(path: string): Promise<EventLog> {
    return new EventLog(await open(path, 'ax', privateFile));
  }

  append(body: EventBody): Promise<void> {
    const ms = Math.round(performance.now() - this.#started);
    const line = toJson({ at: new Date().toISOString(), ms, ...body });
    this.#last = this.#last.then(() => this.#file.appendFile(`${line}\n`));
    return this.#last;
  }

  async close(): Promise<void> {
    await this.#last.catch(() => undefined);
    await this.#file.close();
  }
}
