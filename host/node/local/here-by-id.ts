import { access } from 'node:fs/promises';
import { pwpHome } from '../../lib/index.ts';
import { checkpointPaths, isCheckpointId, storePaths } from './checkpoint-store/index.ts';
import { readRecord } from './record.ts';

/** Whether a sandbox or a checkpoint of this machine has an id. */
export async function isHere(id: string): Promise<boolean> {
  if (!isCheckpointId(id)) return (await readRecord(id)) !== null;
  const { folder } = checkpointPaths(storePaths(pwpHome()), id);
  return access(folder).then(
    () => true,
    () => false,
  );
}
