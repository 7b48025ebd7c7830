import { lstatSync, readdirSync, type BigIntStats } from 'node:fs';

export interface Entry {
  /** Below the folder that was walked, `.` for itself; as {@link bytesOf} reads it. */
  readonly path: string;
  readonly info: BigIntStats;
}

/**
 * Everything in a folder and the folder itself, each folder before what is in it, in the order of names. In one go: the
 * thousands of small asynchronous calls would take many times longer.
 */
export function walk(folder: string): Entry[] {
  const entries: Entry[] = [];
  const visit = (path: string) => {
    const full = bytesOf(folder, path);
    const info = lstatSync(full, { bigint: true });
    entries.push({ path, info });
    if (info.isDirectory())
      for (const name of readdirSync(full, 'latin1').sort()) visit(path === '.' ? name : `${path}/${name}`);
  };
  visit('.');
  return entries;
}

/** The place of a path that {@link walk} gave. Names inside a sandbox are any bytes: one character for each. */
export function bytesOf(folder: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
}
