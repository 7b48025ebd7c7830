import { statfs } from 'node:fs/promises';
import { PwpError } from '../../../../bridge/lib/index.ts';

const units: Readonly<Record<string, number>> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/**
 * The value of `PWP_CHECKPOINT_BUDGET` in bytes, e.g. `20G`; undefined if it is empty or not set. Errors: `bad-budget`.
 */
export function budgetFrom(env: NodeJS.ProcessEnv = process.env): number | undefined {
  const text = env['PWP_CHECKPOINT_BUDGET'];
  if (!text) return undefined;
  const [, number, unit] = /^(\d+(?:\.\d+)?)([KMGT]?)$/.exec(text) ?? [];
  if (number === undefined)
    throw new PwpError('bad-budget', `PWP_CHECKPOINT_BUDGET is ${JSON.stringify(text)}`, {
      help: 'Say how much disk checkpoints may use, e.g. 20G.',
    });
  return Math.round(Number(number) * (units[unit ?? ''] ?? 1));
}

/** Half of what the disk would have free without the checkpoints, in bytes. */
export async function fairShare(folder: string, usedBytes: number): Promise<number> {
  return (usedBytes + (await freeBytes(folder))) / 2;
}

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
