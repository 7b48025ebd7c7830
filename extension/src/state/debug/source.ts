import { fileURLToPath } from 'node:url';

/**
 * The file of a source as an adapter names it: a path, or the URI of one, in the window of a remote machine as well.
 * What is no file of this machine, as Node.js's own modules, is answered as it was named.
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
