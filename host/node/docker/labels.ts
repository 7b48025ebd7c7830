import { z } from 'zod';
import { identifyThisProcess, isProcessAlive, type ProcessIdentity } from '../../lib/index.ts';

/** On everything that is made here, so that it can be found again. */
export const nodeLabel = 'pwp.node';
export const ownerLabel = 'pwp.owner';
export const folderLabel = 'pwp.folder';

const ownerSchema = z.object({ pid: z.int().positive(), startTime: z.string() });

/** This process, as a label's text. */
export async function formatOwner(): Promise<string> {
  return JSON.stringify(await identifyThisProcess());
}

/** Null for a label that is not ours. */
export function parseOwner(text: string | undefined): ProcessIdentity | null {
  try {
    return ownerSchema.parse(JSON.parse(text ?? ''));
  } catch {
    return null;
  }
}

export async function isOwnerAlive(text: string | undefined): Promise<boolean> {
  const identity = parseOwner(text);
  return identity !== null && (await isProcessAlive(identity));
}
