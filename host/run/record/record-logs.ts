import { createHash } from 'node:crypto';
import { appendFile, type FileHandle, mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, toJson } from '../../../bridge/text/index.ts';
import type { EventBody } from './record-events.ts';
import { privateFile, privateFolder, recordFiles } from './record-folder.ts';

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

/** The request to a model for one turn, and its answer. Pictures in it are `sha256:<hash>`, keys are `[key]`. */
export interface ModelExchange {
  readonly url: string;
  readonly request: unknown;
  readonly status: number | null;
  readonly response: unknown;
  /** Every try, failed ones included. */
  readonly tries: readonly unknown[];
  /** The number of pictures and turns of the conversation that were left out of the request. */
  readonly dropped: { readonly pictures: number; readonly turns: number };
  /** New pictures in this request, as they were sent. */
  readonly images: readonly { readonly bytes: Uint8Array; readonly mime: string }[];
}

/**
 * `exchanges.jsonl`: a line for each turn of a model. A conversation is sent again with each turn, so a list in a request
 * that begins like that of the request before has `{"as_before": n}` in place of its first n items. Pictures are files in
 * `sent/`.
 */
export class ExchangeLog {
  readonly #folder: string;
  #before: unknown = null;
  #last: Promise<void> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param step the step that the turn led to */
  add(step: number, exchange: ModelExchange): Promise<void> {
    const { images, request, ...rest } = exchange;
    const line = toJson({ step, ...rest, request: omitRepeated(request, this.#before) });
    this.#before = request;
    this.#last = this.#last.then(async () => {
      for (const image of images) await this.#keep(image);
      await appendFile(join(this.#folder, recordFiles.exchanges), `${line}\n`, { mode: privateFile });
    });
    return this.#last;
  }

  async #keep({ bytes, mime }: ModelExchange['images'][number]): Promise<void> {
    const folder = join(this.#folder, recordFiles.sent);
    await mkdir(folder, { recursive: true, mode: privateFolder });
    const hash = createHash('sha256').update(bytes).digest('hex');
    await writeFile(join(folder, `${hash}.${mime.slice('image/'.length)}`), bytes, { mode: privateFile });
  }
}

/** Only lists at the top of a request grow: `messages`, `input`, `contents`. */
function omitRepeated(request: unknown, before: unknown): unknown {
  if (!isJsonObject(request) || !isJsonObject(before)) return request;
  return Object.fromEntries(
    Object.entries(request).map(([name, value]) => [name, omitRepeatedItems(value, before[name])]),
  );
}

function omitRepeatedItems(now: unknown, before: unknown): unknown {
  if (!Array.isArray(now) || !Array.isArray(before)) return now;
  const same = now.findIndex((one, i) => !isDeepStrictEqual(one, before[i]));
  const count = same < 0 ? now.length : same;
  return count === 0 ? now : [{ as_before: count }, ...(now.slice(count) as unknown[])];
}
