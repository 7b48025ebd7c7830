import { relative, sep } from 'node:path';
import type { Place } from '../place/index.ts';
import { ripgrep, scopeArgs } from './ripgrep.ts';

/** Maximum number of files. */
const maxFiles = 200_000;

/** All files of a folder, relative to it, with `/`. */
export async function listFiles(
  { path }: Place,
  includeIgnored: boolean,
  signal: AbortSignal,
): Promise<{ files: string[]; truncated: boolean }> {
  const files: string[] = [];
  const onLine = (line: string) => files.push(relative(path, line).split(sep).join('/')) <= maxFiles;
  const args = ['--files', '--null', ...scopeArgs(includeIgnored), '--', path];
  await ripgrep({ args, cwd: path, onLine, end: '\0' }, signal);
  return { files: files.slice(0, maxFiles), truncated: files.length > maxFiles };
}
