import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { PwpError } from '../lib/index.ts';
import { places } from './config.ts';

/** The files that the window shows when it opens; written beside the IDE's profile when the sandbox was created. */
const start = z.strictObject({
  open: z
    .array(z.string().startsWith('/').max(4096))
    .max(50)
    .default([])
    .describe('files, as absolute paths'),
});

/** Errors: `bad-start`. */
export async function openFiles(): Promise<{ open: string[] }> {
  let text: string;
  try {
    text = await readFile(places.start, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return { open: [] };
    throw cause;
  }
  const checked = start.safeParse(JSON.parse(text));
  if (checked.success) return checked.data;
  throw new PwpError('bad-start', `${places.start}: ${z.prettifyError(checked.error)}`);
}
