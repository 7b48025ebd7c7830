import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Service, ServiceName } from '../../protocol/index.ts';
import { desk, places } from '../config.ts';

export function logPath(name: ServiceName): string {
  return join(name === 'code-server' ? places.logs : desk.logs, `${name}.log`);
}

/** The end of a part's log; empty if it has no log. */
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

/** A part's state as a line of the bridge's own log. */
export function lineOf({ name, state, restarts, detail }: Service): string {
  return `${name} ${state}${restarts ? ` (restarts: ${restarts})` : ''}${detail ? `: ${detail}` : ''}`;
}
