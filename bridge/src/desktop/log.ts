import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceName } from '../../protocol/index.ts';
import { places } from '../config.ts';

export function logPath(name: ServiceName): string {
  return join(places.logs, `${name}.log`);
}

/** The end of a part's log; empty if it has written none. */
export async function logTail(name: ServiceName, maxBytes: number): Promise<string> {
  const file = await open(logPath(name), 'r').catch(() => undefined);
  if (!file) return '';
  try {
    const { size } = await file.stat();
    const length = Math.min(size, maxBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
