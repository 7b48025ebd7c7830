import { access, constants } from 'node:fs/promises';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { pathText, type Place } from '../place/index.ts';

/**
 * Refuses a file that may not be written, before anything is changed: VS Code would keep the change unsaved in its editor,
 * and a file may be replaced although its own mode forbids to write it. Errors: `write-failed`.
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
