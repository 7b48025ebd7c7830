import { createHash } from 'node:crypto';

/** Identifies a text by its content: the same for a buffer and for the file that it is saved to. */
export function versionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
