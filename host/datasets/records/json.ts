import { messageOf, clip } from '../../../bridge/lib/index.ts';
import { badData } from '../errors.ts';
import { readText } from './bytes.ts';

/** The lines of a JSONL file, empty ones left out, each with its number from 1. Errors: `bad-data`. */
export async function readJsonLines(file: string): Promise<{ raw: unknown; line: number }[]> {
  const lines = (await readText(file)).split('\n');
  return lines.flatMap((text, index) =>
    text.trim() === '' ? [] : [{ raw: parsed(text, `${file}, line ${index + 1}`), line: index + 1 }],
  );
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
