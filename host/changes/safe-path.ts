/** Folders nested deeper are more than programs can walk. */
const deepest = 100;
const longestName = 255;
/** Bytes of a path, as Linux bounds it: what an agent nests by one folder at a time may be longer. */
const longestPath = 4096;
/** Characters that some file systems pass over in names. */
const passedOver = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
/** Names that lead elsewhere, or are not allowed, on Windows. */
const badOnWindows = /[\\:*?"<>|\u0000-\u001f]|[. ]$/;

/**
 * A path of an archive from a sandbox as it may be used below a folder of this machine; empty for the folder itself; null
 * for one that is absolute, has `..`, is not valid UTF-8 or is too long.
 */
export function safePath(path: string, platform: NodeJS.Platform = process.platform): string | null {
  if (Buffer.byteLength(path) > longestPath) return null;
  if (path.startsWith('/') || path.includes('\0') || path.includes('\ufffd')) return null;
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length > deepest || names.includes('..')) return null;
  if (names.some((name) => Buffer.byteLength(name) > longestName)) return null;
  if (platform === 'win32' && names.some((name) => badOnWindows.test(name))) return null;
  return names.join('/');
}

/** Whether a path is in a `.git` folder, however a file system spells that: Git runs programs that are named there. */
export function isInGit(path: string): boolean {
  return path.split('/').some((name) => {
    const plain = name
      .replaceAll(passedOver, '')
      .toLowerCase()
      .replace(/[. ]+$/, '');
    return plain === '.git' || plain === 'git~1';
  });
}

/** Whether the target of a link is not a path that begins at the link, on any system. */
export function isElsewhere(target: string): boolean {
  return target === '' || target.startsWith('/') || /^[a-z]:|\\/i.test(target);
}
