import { lstat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { toolError } from '../../../../bridge/protocol/index.ts';

/**
 * Converts a caller's pattern to ripgrep's globs: literal paths, globs, or several of either with commas between them. A
 * folder means everything in it. `[id]` means the file of that name if it exists, else a glob.
 * @param cwd folder that ripgrep's globs are relative to
 * @param base the pattern may be relative to it as well
 */
export async function globsOf(pattern: string, cwd: string, base = cwd): Promise<string[]> {
  const bases = [...new Set(['', relative(cwd, base)])].filter((one) => !one.startsWith('..'));
  const whole = await Promise.all(bases.map((one) => isThere(join(cwd, one, pattern))));
  const parts = whole.includes(true) || isAbsolute(pattern) ? [pattern] : partsOf(pattern);
  const found = await Promise.all(parts.flatMap((part) => bases.map((one) => globsOfPart(part, cwd, one))));
  const globs = [...new Set(found.flat())];
  if (globs.length > 0) return globs;
  throw toolError('bad-arguments', `the pattern ${JSON.stringify(pattern)} names no file of the workspace`, {
    help: 'Give a path or a glob in it, such as src/**/*.py',
  });
}

async function globsOfPart(part: string, cwd: string, base: string): Promise<string[]> {
  const inside = isAbsolute(part) ? relative(cwd, part) : part;
  if (inside === '..' || inside.startsWith('../')) return [];
  const asIs = await isThere(join(cwd, base, inside));
  // A Windows path: a backslash before a character that needs no escape.
  const path = asIs ? inside : inside.replaceAll(/\\(?=[\p{L}\p{N}_.-]|\*\*)/gu, '/');
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length === 0) return ['**'];
  const glob = (await escaped(names, join(cwd, base))).join('/');
  const anchored = names.length > 1 || path.startsWith('./') || isAbsolute(part);
  const rooted = anchored
    ? `/${base === '' ? '' : `${base.split('/').map(literal).join('/')}/`}${glob}`
    : `**/${glob}`;
  return rooted.endsWith('/**') ? [rooted] : [rooted, `${rooted}/**`];
}

/** Each name of a path as a glob: literal as far as it exists. */
async function escaped(names: readonly string[], root: string): Promise<string[]> {
  const globs: string[] = [];
  let at: string | undefined = root;
  for (const name of names) {
    at = at === undefined ? undefined : join(at, name);
    if (at !== undefined && !(await isThere(at))) at = undefined;
    globs.push(at === undefined ? name : literal(name));
  }
  return globs;
}

function literal(name: string): string {
  // At the end of a glob, spaces would be trimmed.
  return name.replaceAll(/[\\*?[\]{}!]/g, String.raw`\$&`).replaceAll(' ', '[ ]');
}

/** Splits at commas outside of braces and brackets. */
function partsOf(pattern: string): string[] {
  const parts = pattern.match(/(?:\{[^}]*\}|\[[^\]]*\]|\\.|[^,])+/gs) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
