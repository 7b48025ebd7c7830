import { PwpError } from '../../../bridge/lib/index.ts';
import { rootUser } from '../agent-root.ts';
import { chooseUser } from './container-processes.ts';
import { makeFolderInside, type Owner } from './files-inside.ts';
import type { SandboxPaths, SandboxRecord } from './sandbox-record.ts';

const profileFolder = '/ide';

/** The owner of what is put at a path of a sandbox from outside: its user in workspace, home and profile, else root. */
export function findOwner(record: Pick<SandboxRecord, 'role' | 'root' | 'workspace'>, path: string): Owner {
  const user = chooseUser(record);
  const own = [record.workspace, user.home, profileFolder];
  return own.some((folder) => `${path}/`.startsWith(`${folder}/`)) ? user : rootUser;
}

/**
 * Makes the workspace and the home of an IDE's user in a root in which nothing runs, where its image does not have them.
 * Errors: `unsafe-path` if a link is on the way to the workspace.
 */
export async function makeOwnFolders(record: SandboxRecord, { merged }: SandboxPaths): Promise<void> {
  const user = chooseUser(record);
  await makeFolderInside(merged, record.workspace, user);
  await makeFolderInside(merged, user.home, user).catch((error: unknown) => {
    // Then the image has it.
    if (!(error instanceof PwpError)) throw error;
  });
}
