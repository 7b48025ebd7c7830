import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { PwpError } from '../../lib/index.ts';
import { places, ports } from '../config.ts';

/** What the window shows when it opens; written beside the IDE's profile when the sandbox was made. */
const start = z.strictObject({
  open: z
    .array(z.string().startsWith('/').max(4096))
    .max(50)
    .default([])
    .describe('files, as absolute paths'),
});

/** The address of the workbench: its folder, and the files that are open at the start. */
export async function startUrl(): Promise<string> {
  const { open } = await readStart();
  const authority = `127.0.0.1:${ports.codeServer}`;
  const url = new URL(`http://${authority}/`);
  url.searchParams.set('folder', places.workspace);
  // VS Code's own way for a page to be opened with files: its smoke tests and `code-server -r` use it.
  const payload = open.map((path) => ['openFile', `vscode-remote://${authority}${encodeURI(path)}`]);
  if (payload.length > 0) url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}

async function readStart(): Promise<z.output<typeof start>> {
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
