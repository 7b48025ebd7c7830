import { createHash } from 'node:crypto';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { isJsonObject, toJson } from '../../../bridge/text/index.ts';
import { privateFile, privateFolder, recordFiles } from './record-folder.ts';
import { parseRecorded, readLines } from './record-lines.ts';

/** The request to a model for one turn, and its answer. Pictures in it are `sha256:<hash>`, keys are `[key]`. */
const recordedExchange = z.object({
  step: z.int().nonnegative().describe('the step that the turn led to'),
  url: z.string(),
  status: z.int().nullable(),
  response: z.unknown(),
  tries: z.array(z.unknown()).readonly().describe('every try, failed ones included'),
  dropped: z
    .object({ pictures: z.int().nonnegative(), turns: z.int().nonnegative() })
    .describe('the number of pictures and turns of the conversation that were left out of the request'),
  request: z.unknown(),
});
export type RecordedExchange = Readonly<z.output<typeof recordedExchange>>;

export interface ModelExchange extends Omit<RecordedExchange, 'step'> {
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
  add(step: number, { images, request, ...rest }: ModelExchange): Promise<void> {
    const written: RecordedExchange = { step, ...rest, request: omitRepeated(request, this.#before) };
    this.#before = request;
    this.#last = this.#last.then(async () => {
      for (const image of images) await this.#keep(image);
      const path = join(this.#folder, recordFiles.exchanges);
      await appendFile(path, `${toJson(written)}\n`, { mode: privateFile });
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

/**
 * The requests to a model and its answers, each request in full. Errors: `no-record` for an agent that asked none;
 * `bad-record` with file, line and field.
 */
export async function readExchanges(folder: string): Promise<RecordedExchange[]> {
  let before: unknown = null;
  return (await readLines(folder, recordFiles.exchanges)).map(({ text, where }) => {
    const { request, ...rest } = parseRecorded(recordedExchange, text, where);
    before = restoreRepeated(request, before);
    return { ...rest, request: before };
  });
}

/** Only lists at the top of a request grow: `messages`, `input`, `contents`. */
function omitRepeated(request: unknown, before: unknown): unknown {
  return mapLists(request, before, (now, then) => {
    const differs = now.findIndex((one, i) => !isDeepStrictEqual(one, then[i]));
    const count = differs < 0 ? now.length : differs;
    return count === 0 ? now : [{ as_before: count }, ...now.slice(count)];
  });
}

function restoreRepeated(written: unknown, before: unknown): unknown {
  return mapLists(written, before, (now, then) => {
    const [first, ...rest] = now;
    const count = isJsonObject(first) ? first['as_before'] : undefined;
    return typeof count === 'number' ? [...then.slice(0, count), ...rest] : now;
  });
}

type List = readonly unknown[];

function mapLists(request: unknown, before: unknown, map: (now: List, then: List) => List): unknown {
  if (!isJsonObject(request) || !isJsonObject(before)) return request;
  const fields = Object.entries(request).map(([name, now]) => {
    const then = before[name];
    return [name, Array.isArray(now) && Array.isArray(then) ? map(now, then) : now];
  });
  return Object.fromEntries(fields) as unknown;
}
