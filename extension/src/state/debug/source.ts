import { fileURLToPath } from 'node:url';

/**
 * The file of a source as an adapter names it: a path, or the URI of one, in the window of a remote machine as well.
 * A source that is not a file of this machine, such as Node.js's own modules, keeps the adapter's name.
 */
export function sourcePath(named: string): string {
  const remote = /^vscode-remote:\/+[^/]*(\/.*)$/.exec(named)?.[1];
  if (remote !== undefined) return decodeURIComponent(remote);
  if (!named.startsWith('file://')) return named;
  try {
    return fileURLToPath(named);
  } catch {
    return named;
  }
}
