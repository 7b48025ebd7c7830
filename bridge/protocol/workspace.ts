/** The IDE's workspace inside a sandbox that names no other one: an absolute path. */
export const defaultWorkspace = '/workspace';

const maxWorkspaceLength = 200;

/** Letters, digits and `._-`: such a path is the same in URIs, in scripts and in CRIU's configuration. */
const workspacePattern = /^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._-]+)+$/;

/** Nothing of these may be in the agent's hands: our own folders, those of tests, and the system's. */
const reservedFolders = [
  ...['/.pwp', '/desk', '/desk-profile', '/ide', '/run/pwp', '/var/tmp/pwp-turn'],
  ...['/opt/code-server', '/opt/node', '/opt/pwp', '/opt/pyright'],
  ...['/logs', '/solution', '/tests'],
  ...['/bin', '/boot', '/dev', '/etc', '/lib', '/lib32', '/lib64', '/proc', '/sbin', '/sys'],
  ...['bin', 'lib', 'sbin', 'local/bin', 'local/lib', 'local/sbin'].map((name) => `/usr/${name}`),
];

/** Why a path can't be a workspace; undefined if it can. */
export function findWorkspaceProblem(path: string): string | undefined {
  if (path.length > maxWorkspaceLength) return `it is longer than ${maxWorkspaceLength} characters`;
  if (!workspacePattern.test(path))
    return 'expected an absolute path of letters, digits, dots, dashes and underscores, without "." and ".."';
  const reserved = reservedFolders.find((folder) => isWithin(path, folder) || isWithin(folder, path));
  return reserved === undefined ? undefined : `${reserved} is not for files of a workspace`;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
