import { spawn } from 'node:child_process';
import { delimiter, isAbsolute, join, relative } from 'node:path';
import * as vscode from 'vscode';
import { deadline, raceSignal } from '../../../../bridge/lib/index.ts';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { isOnDisk, isRunnable } from '../../lib/index.ts';
import { ignoredFolders } from '../workspace-place.ts';

/** A search that takes longer is aborted. */
const searchMs = 60_000;
/** Maximum UTF-16 code units that are kept of the error output of one search. */
const maxComplaints = 10_000;

interface RipgrepRun {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Text to search instead of files. */
  readonly input?: string;
  /** Called for every line of output; false: that was enough. */
  readonly onLine: (line: string) => boolean;
  /** The line terminator: file names may contain line ends themselves. Default `\n`. */
  readonly end?: '\n' | '\0';
}

/**
 * Runs ripgrep to its end or until the caller has enough. Resolves with its error output, e.g. for unreadable files.
 * Errors: `no-search-program`, `bad-pattern`, `timed-out`.
 */
export async function runRipgrep(
  { args, cwd, input, onLine, end = '\n' }: RipgrepRun,
  signal: AbortSignal,
): Promise<string[]> {
  using limit = deadline('the search', searchMs, signal);
  const child = spawn(await findRipgrep(), ['--no-config', ...args], { cwd, stdio: 'pipe' });
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = clip(complaints + text, maxComplaints);
  });
  // A program that has ended no longer reads.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');
  let enough = false;
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    const lines = (rest + piece).split(end);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (enough || onLine(line)) continue;
      enough = true;
      child.kill('SIGKILL');
    }
  });
  try {
    const code = await raceSignal(closed, limit.signal);
    if (!enough && code !== 0 && code !== 1) refuseBadPattern(complaints);
  } finally {
    child.kill('SIGKILL');
  }
  return complaints.split('\n').filter((line) => line !== '');
}

/** The common arguments of all file searches. */
export function makeScopeArguments(includeIgnored: boolean): string[] {
  if (includeIgnored) return ['--hidden', '--no-ignore'];
  const ignored = [...ignoredFolders].flatMap((folder) => ['--glob', `!**/${folder}/**`]);
  return ['--hidden', '--no-require-git', ...ignored];
}

function refuseBadPattern(complaints: string): void {
  if (
    /regex parse error|error parsing|PCRE|the literal .* is not allowed|compiled regex exceeds/i.test(
      complaints,
    )
  )
    throw toolError('bad-pattern', complaints.trim(), { help: 'Fix the pattern, or set regex to false' });
}

/** The path where it was found last. */
let lastFoundProgram: string | undefined;

async function findRipgrep(): Promise<string> {
  const before = lastFoundProgram;
  return (lastFoundProgram =
    before !== undefined && (await isRunnable(before)) ? before : await searchForRipgrep());
}

/** The ripgrep on the PATH, else VS Code's own. */
async function searchForRipgrep(): Promise<string> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const modules = join(vscode.env.appRoot, 'node_modules');
  const own = [
    join(modules, '@vscode/ripgrep-universal/bin', `${process.platform}-${process.arch}`, name),
    join(modules, '@vscode/ripgrep/bin', name),
    join(`${modules}.asar.unpacked`, '@vscode/ripgrep/bin', name),
  ];
  for (const path of [...folders.map((folder) => join(folder, name)), ...own]) {
    if (await isRunnable(path)) return path;
  }
  throw toolError('no-search-program', 'ripgrep (rg) is neither on the path nor part of this VS Code', {
    help: 'Install ripgrep, or search with a shell command',
  });
}

/**
 * Converts a caller's pattern to ripgrep's globs: literal paths, globs, or several of either with commas between them. A
 * folder means everything in it. `[id]` means the file of that name if it exists, else a glob.
 * @param cwd folder that ripgrep's globs are relative to
 * @param base the pattern may be relative to it as well
 */
export async function convertToGlobs(pattern: string, cwd: string, base = cwd): Promise<string[]> {
  const bases = [...new Set(['', relative(cwd, base)])].filter((one) => !one.startsWith('..'));
  const whole = await Promise.all(bases.map((one) => isOnDisk(join(cwd, one, pattern))));
  const parts = whole.includes(true) || isAbsolute(pattern) ? [pattern] : splitPattern(pattern);
  const found = await Promise.all(
    parts.flatMap((part) => bases.map((one) => convertPartToGlobs(part, cwd, one))),
  );
  const globs = [...new Set(found.flat())];
  if (globs.length > 0) return globs;
  throw toolError('bad-arguments', `the pattern ${JSON.stringify(pattern)} names no file of the workspace`, {
    help: 'Give a path or a glob in it, such as src/**/*.py',
  });
}

async function convertPartToGlobs(part: string, cwd: string, base: string): Promise<string[]> {
  const inside = isAbsolute(part) ? relative(cwd, part) : part;
  if (inside === '..' || inside.startsWith('../')) return [];
  const asIs = await isOnDisk(join(cwd, base, inside));
  // A Windows path: a backslash before a character that needs no escape.
  const path = asIs ? inside : inside.replaceAll(/\\(?=[\p{L}\p{N}_.-]|\*\*)/gu, '/');
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length === 0) return ['**'];
  const glob = (await escapeExistingNames(names, join(cwd, base))).join('/');
  const anchored = names.length > 1 || path.startsWith('./') || isAbsolute(part);
  const rooted = anchored
    ? `/${base === '' ? '' : `${base.split('/').map(makeLiteralGlob).join('/')}/`}${glob}`
    : `**/${glob}`;
  return rooted.endsWith('/**') ? [rooted] : [rooted, `${rooted}/**`];
}

/** Each name of a path as a glob: literal as far as it exists. */
async function escapeExistingNames(names: readonly string[], root: string): Promise<string[]> {
  const globs: string[] = [];
  let at: string | undefined = root;
  for (const name of names) {
    at = at === undefined ? undefined : join(at, name);
    if (at !== undefined && !(await isOnDisk(at))) at = undefined;
    globs.push(at === undefined ? name : makeLiteralGlob(name));
  }
  return globs;
}

function makeLiteralGlob(name: string): string {
  // At the end of a glob, spaces would be trimmed.
  return name.replaceAll(/[\\*?[\]{}!]/g, String.raw`\$&`).replaceAll(' ', '[ ]');
}

/** Splits at commas outside of braces and brackets. */
function splitPattern(pattern: string): string[] {
  const parts = pattern.match(/(?:\{[^}]*\}|\[[^\]]*\]|\\.|[^,])+/gs) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
