import { PwpError, clip, messageOf } from '../../../bridge/lib/index.ts';
import { badData } from '../errors.ts';
import { readText } from './bytes.ts';

/** A record as it is in its file. */
export interface RawRecord {
  readonly raw: unknown;
  /** For errors, e.g. `HumanEval.jsonl, line 3`. */
  readonly where: string;
  /** Why `raw` is missing: the line is not JSON. */
  readonly problem?: PwpError;
}

/** The lines of a JSONL file, empty ones left out. Errors: `bad-data` for a file that can't be read. */
export async function readJsonLines(file: string): Promise<RawRecord[]> {
  return linesOf(file, await readText(file));
}

/** The records of a text that has one on each line. */
export function linesOf(file: string, text: string): RawRecord[] {
  return text.split('\n').flatMap((line, index): RawRecord[] => {
    const where = `${file}, line ${index + 1}`;
    if (line.trim() === '') return [];
    try {
      return [{ raw: parsed(line, where), where }];
    } catch (error) {
      if (error instanceof PwpError) return [{ raw: undefined, where, problem: error }];
      throw error;
    }
  });
}

/** A JSON file. Errors: `bad-data`. */
export async function readJson(file: string): Promise<unknown> {
  return parsed(await readText(file), file);
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badData(
      where,
      `expected JSON, found ${JSON.stringify(clip(text, 60))}: ${messageOf(cause)}`,
      cause,
    );
  }
}
