import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import * as vscode from 'vscode';
import { deadline, raceSignal, clip } from '../../../../bridge/lib/index.ts';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { ignoredFolders } from '../place/index.ts';

/** A search that takes longer is aborted. */
const searchMs = 60_000;
/** Maximum UTF-16 code units that are kept of the error output of one search. */
const maxComplaints = 10_000;

export interface RipgrepRun {
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
export async function ripgrep(
  { args, cwd, input, onLine, end = '\n' }: RipgrepRun,
  signal: AbortSignal,
): Promise<string[]> {
  using limit = deadline('the search', searchMs, signal);
  const child = spawn(await program(), ['--no-config', ...args], { cwd, stdio: 'pipe' });
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
export function scopeArgs(includeIgnored: boolean): string[] {
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
let found: string | undefined;

async function program(): Promise<string> {
  const before = found;
  return (found = before !== undefined && (await isProgram(before)) ? before : await look());
}

/** The ripgrep on the PATH, else VS Code's own. */
async function look(): Promise<string> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const modules = join(vscode.env.appRoot, 'node_modules');
  const own = [
    join(modules, '@vscode/ripgrep-universal/bin', `${process.platform}-${process.arch}`, name),
    join(modules, '@vscode/ripgrep/bin', name),
    join(`${modules}.asar.unpacked`, '@vscode/ripgrep/bin', name),
  ];
  for (const path of [...folders.map((folder) => join(folder, name)), ...own]) {
    if (await isProgram(path)) return path;
  }
  throw toolError('no-search-program', 'ripgrep (rg) is neither on the path nor part of this VS Code', {
    help: 'Install ripgrep, or search with a shell command',
  });
}

function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
