import { readFile, rename, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { damaged, isMissing } from './errors.ts';

const seal = z.object({ crc32: z.number(), content: z.string() });

/** A small JSON file that reveals a changed byte. */
export function sealed(value: unknown): string {
  const content = JSON.stringify(value);
  return JSON.stringify({ crc32: crc32(content), content });
}

/** Replaces the file as one step: a reader sees the old or the new one. */
export async function writeSealed(path: string, value: unknown): Promise<void> {
  await writeFile(`${path}.new`, sealed(value), { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

/** Null if there is no such file. Errors: `checkpoint-damaged`. */
export async function readSealed<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    const { content, ...stated } = seal.parse(JSON.parse(await readFile(path, 'utf8')));
    if (crc32(content) !== stated.crc32) throw damaged(`${basename(path)} has changed`);
    return schema.parse(JSON.parse(content));
  } catch (error) {
    if (isMissing(error)) return null;
    throw damaged(`${basename(path)} can't be read`, error);
  }
}
