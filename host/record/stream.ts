import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { streamForeign } from '../lib/index.ts';
import { PwpError, messageOf } from '../../bridge/lib/index.ts';
import type { RecordEvent } from './events.ts';
import { recordFiles } from './files.ts';
import { parseEvent } from './read.ts';

/** An event of a record, or why a line of it can't be read. */
export type StreamedLine = { readonly event: RecordEvent } | { readonly problem: string };

/** The maximum length of a line, in UTF-16 code units: far more than the largest step needs. */
const longest = 64 * 1024 * 1024;

/**
 * The events of a record one after the other, so that a record of any length takes the memory of a line. A line that
 * can't be read does not end it; one that is cut off, since it is being written, is left out. Errors: `no-record`;
 * `too-large` for a line that is longer than any of a record.
 */
export async function* streamRecord(folder: string): AsyncGenerator<StreamedLine> {
  const path = join(folder, recordFiles.events);
  let number = 0;
  for await (const line of wholeLines(folder, path)) yield parsed(line, `${path}:${(number += 1)}`);
}

function parsed(line: string, where: string): StreamedLine {
  try {
    return { event: parseEvent(line, where) };
  } catch (error) {
    if (error instanceof PwpError && error.code === 'bad-record') return { problem: messageOf(error) };
    throw error;
  }
}

async function* wholeLines(folder: string, path: string): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  try {
    for await (const chunk of streamForeign(folder, recordFiles.events)) {
      // Only the new chunk: otherwise the beginning of a long line would be searched again and again.
      const [end = '', ...lines] = decoder.write(chunk).split('\n');
      lines.unshift(rest + end);
      rest = lines.pop() ?? '';
      yield* lines;
      if (rest.length > longest) break;
    }
  } catch (cause) {
    throw new PwpError('no-record', `can't read ${path}`, { cause });
  }
  if (rest.length > longest)
    throw new PwpError('too-large', `${path} has a line of more than ${longest} characters`, {
      help: 'No record has such lines: the file is damaged.',
    });
}
