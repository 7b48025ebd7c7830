import type { Entry } from '../../tasks/index.ts';
import { badData } from '../errors.ts';
import { readBytes } from './bytes.ts';

/**
 * A picture as a file of a workspace.
 * @param path in the workspace
 * @param file the picture. Errors: `bad-data` if it is not a PNG.
 */
export async function pngEntry(path: string, file: string): Promise<Entry> {
  const content = await readBytes(file);
  if (content.subarray(1, 4).toString('latin1') !== 'PNG') throw badData(file, 'expected a picture in PNG');
  return { kind: 'file', path, content, executable: false };
}
