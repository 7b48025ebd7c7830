import { access, constants } from 'node:fs/promises';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { pathText, type Place } from '../place/index.ts';

/**
 * Refuses a read-only file before anything is changed: VS Code would keep the change unsaved in its editor, and replacing
 * a file on disk works even if its own mode forbids writing. Errors: `write-failed`.
 */
export async function refuseReadOnly({ real, path }: Place): Promise<void> {
  const why = await access(real, constants.W_OK).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  );
  if (!why || !['EACCES', 'EPERM', 'EROFS'].includes(why.code ?? '')) return;
  throw toolError('write-failed', `${pathText(path)} is read-only; nothing was changed`, {
    help: 'If it is to be changed, make it writable first: chmod u+w in a shell',
    cause: why,
  });
}
