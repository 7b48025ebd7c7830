import { isUtf8 } from 'node:buffer';
import { lstat, readFile, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import * as vscode from 'vscode';
import {
  type searchTools,
  toolError,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { listUnicodeForms } from '../../lib/index.ts';
import { maxFileBytes } from '../file-text.ts';
import { formatPath, ignoredFolders, resolvePlace, type WorkspacePlace } from '../workspace-place.ts';
import { type FoundLine, parseFoundLine } from './match-text.ts';
import { convertToGlobs, makeScopeArguments, runRipgrep } from './ripgrep.ts';

type Grep = typeof searchTools.grepSearch;
type Match = ToolOutput<Grep>['matches'][number];

/** Maximum number of editors with unsaved text that are searched; more than anyone has. */
const maxUnsaved = 50;

/** Searches files on disk, and unsaved text of editors in place of theirs. */
export async function grepSearch(input: ToolInput<Grep>, { signal }: ToolContext): Promise<ToolOutput<Grep>> {
  const where = await resolvePlace(input.path);
  if (!(await lstat(where.real).catch(() => undefined)))
    throw toolError('not-found', `there is no file or folder ${formatPath(where.path)}`);
  const unsaved = listUnsavedIn(where);
  const skipped = new Set(unsaved.map(({ uri }) => uri.fsPath));
  const collect = new MatchCollector(input.limit);
  // Globs are relative to it.
  const { path: cwd } = await resolvePlace('.');
  const pattern = makePatternArguments(input);
  const scope: GrepScope = { files: await makeFileArguments(input, cwd, where), where, cwd, signal };
  for (const document of await filterSearched(unsaved, scope)) {
    const take = (line: string) => collect.take(parseFoundLine(line, document.uri.fsPath));
    await runRipgrep({ args: [...pattern, '-'], cwd, input: document.getText(), onLine: take }, signal);
  }
  const args = [...pattern, ...scope.files, '--', where.path];
  const notes = await runRipgrep(
    {
      args,
      cwd,
      onLine: (line) => collect.take(parseFoundLine(line).filter(({ path }) => !skipped.has(path))),
    },
    signal,
  );
  const others = await searchOtherEncoding(input, pattern, scope);
  collect.take(others.filter(({ path }) => !skipped.has(path)));
  const result = collect.result();
  const left = input.include_ignored ? [] : explainLeftOut(where);
  const unfit = result.matches.length === 0 ? await explainNoFileFits(input, scope) : [];
  return { ...result, notes: [...left, ...unfit, ...notes].slice(0, 20).map((note) => clip(note, 1000)) };
}

/** The scope of a search. */
interface GrepScope {
  /** Ripgrep's arguments for the files. */
  readonly files: readonly string[];
  readonly where: WorkspacePlace;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** The matches of a query with non-ASCII letters in files that are not UTF-8. */
async function searchOtherEncoding(
  { query, limit }: ToolInput<Grep>,
  pattern: readonly string[],
  { files, where, cwd, signal }: GrepScope,
): Promise<FoundLine[]> {
  const encoding = chooseOtherEncoding(query);
  if (encoding === undefined) return [];
  const lines: FoundLine[] = [];
  const args = [...pattern, `--encoding=${encoding}`, ...files, '--', where.path];
  const onLine = (line: string) => lines.push(...parseFoundLine(line)) <= limit * 41;
  await runRipgrep({ args, cwd, onLine }, signal);
  const isOther = makeNonUtf8Check();
  const kept = await Promise.all(lines.map(async (line) => ((await isOther(line.path)) ? [line] : [])));
  return kept.flat();
}

/** A note if the patterns leave no file to search: that is not the same as no match. */
async function explainNoFileFits(
  input: ToolInput<Grep>,
  { files, where, cwd, signal }: GrepScope,
): Promise<string[]> {
  const { include_pattern: include, exclude_pattern: exclude, include_ignored: all } = input;
  if (include === undefined && exclude === undefined) return [];
  const isAny = async (args: readonly string[]) => {
    let any = false;
    const onLine = () => !(any = true);
    await runRipgrep(
      { args: ['--files', '--null', ...args, '--', where.path], cwd, onLine, end: '\0' },
      signal,
    );
    return any;
  };
  if (await isAny(files)) return [];
  const patterns = [
    ...(include === undefined ? [] : [`include_pattern ${include}`]),
    ...(exclude === undefined ? [] : [`exclude_pattern ${exclude}`]),
  ];
  const note = `no file was searched: none in ${formatPath(where.path)} fits ${patterns.join(' and ')}`;
  const ignored =
    !all && (await isAny(await makeFileArguments({ ...input, include_ignored: true }, cwd, where)));
  return [ignored ? `${note} but such as are left out of searches: set include_ignored` : note];
}

/** A note for a place inside a folder of builds or dependencies: nothing in it was searched. */
function explainLeftOut({ path }: WorkspacePlace): string[] {
  const name = formatPath(path);
  const folder = name.split('/').find((part) => ignoredFolders.has(part));
  return folder === undefined ? [] : [`${folder} is left out of searches: set include_ignored`];
}

function makePatternArguments(input: ToolInput<Grep>): string[] {
  return [
    '--json',
    ...(input.regex ? [] : ['--fixed-strings']),
    input.case_sensitive ? '--case-sensitive' : '--ignore-case',
    ...(input.whole_word ? ['--word-regexp'] : []),
    ...(input.multiline ? ['--multiline'] : []),
    ...(input.context > 0 ? [`--context=${input.context}`] : []),
    // A `$` matches before a whole `\r\n`.
    '--crlf',
    ...listUnicodeForms(input.query).map((form) => `--regexp=${form}`),
  ];
}

/** Later globs win: those for ignored and excluded files come after those for files to search. */
async function makeFileArguments(
  { include_pattern: include, exclude_pattern: exclude, include_ignored: ignored }: ToolInput<Grep>,
  cwd: string,
  { path }: WorkspacePlace,
): Promise<string[]> {
  const included = include === undefined ? [] : await convertToGlobs(include, cwd, path);
  const excluded = exclude === undefined ? [] : await convertToGlobs(exclude, cwd);
  return [
    '--sort=path',
    ...included.map((glob) => `--glob=${glob}`),
    ...makeScopeArguments(ignored),
    ...excluded.map((glob) => `--glob=!${glob}`),
  ];
}

function listUnsavedIn({ path }: WorkspacePlace): vscode.TextDocument[] {
  const inside = vscode.workspace.textDocuments.filter(
    ({ uri, isDirty }) => isDirty && (uri.fsPath === path || uri.fsPath.startsWith(path + sep)),
  );
  return inside.slice(0, maxUnsaved);
}

/** The documents whose files the search covers. A file that is named directly would match despite any glob. */
async function filterSearched(
  documents: readonly vscode.TextDocument[],
  { files, where, cwd, signal }: GrepScope,
): Promise<vscode.TextDocument[]> {
  if (documents.length === 0) return [];
  const wanted = new Map(documents.map((document) => [document.uri.fsPath, document]));
  const found: vscode.TextDocument[] = [];
  const onLine = (path: string) => {
    const document = wanted.get(path);
    if (document) found.push(document);
    return found.length < documents.length;
  };
  const args = ['--files', '--null', ...files, '--', where.path];
  await runRipgrep({ args, cwd, onLine, end: '\0' }, signal);
  return found;
}

/** Collects matches with the lines around them, which come before and after them in the output. */
class MatchCollector {
  readonly #limit: number;
  readonly #lines: FoundLine[] = [];
  #matches = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False once there is one match more than requested, and the lines after the last one are known. */
  take(lines: readonly FoundLine[]): boolean {
    this.#lines.push(...lines);
    this.#matches += lines.filter(({ kind }) => kind === 'match').length;
    return this.#matches <= this.#limit;
  }

  result(): Pick<ToolOutput<Grep>, 'matches' | 'files' | 'truncated'> {
    const matches = this.#lines.flatMap((line, i) => (line.kind === 'match' ? [this.#match(line, i)] : []));
    const shown = takeFittingMatches(matches.slice(0, this.#limit));
    const files = new Set(shown.map(({ path }) => path)).size;
    return { matches: shown, files, truncated: matches.length > shown.length };
  }

  #match({ path, line, column, text }: FoundLine, at: number): Match {
    return {
      path: formatPath(path),
      line,
      column,
      text,
      before: this.#around(path, line, at, -1).reverse(),
      after: this.#around(path, line, at, 1),
    };
  }

  /** Lines around a match, up to the next one. */
  #around(path: string, line: number, at: number, step: 1 | -1): string[] {
    const texts: string[] = [];
    for (let distance = 1; texts.length < 20; distance += 1) {
      const next = this.#lines[at + step * distance];
      const follows = next?.kind === 'context' && next.path === path && next.line === line + step * distance;
      if (!follows) break;
      texts.push(next.text);
    }
    return texts;
  }
}

/** Maximum UTF-16 code units of all lines of an answer. */
const maxAnswerLength = 500_000;

function takeFittingMatches(matches: readonly Match[]): Match[] {
  let used = 0;
  return matches.filter(({ text, before, after }) => {
    used += [text, ...before, ...after].reduce((sum, one) => sum + one.length, 0);
    return used <= maxAnswerLength;
  });
}

/** Web names of encodings that differ from VS Code's names by more than a dash. */
const encodingLabels: Readonly<Record<string, string>> = {
  shiftjis: 'sjis',
  big5hkscs: 'big5',
  cp437: 'latin1',
};

/**
 * Ripgrep's name for the encoding in which `read_file` shows files that are not UTF-8, if a query has characters whose
 * bytes differ in other encodings; else undefined.
 */
function chooseOtherEncoding(query: string): string | undefined {
  if (/^[\0-\x7f]*$/.test(query)) return undefined;
  const chosen = vscode.workspace.getConfiguration('files').get('encoding', 'utf8');
  if (chosen.startsWith('utf')) return 'latin1';
  const dashed = chosen
    .replace(/^(windows|iso8859|iso|koi8|euc)-?(?=\w)/, '$1-')
    .replace('iso8859', 'iso-8859');
  return encodingLabels[chosen] ?? dashed;
}

/** Returns a function that checks whether a file is not UTF-8; it reads each file once. */
function makeNonUtf8Check(): (path: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return (path) => {
    const answer = known.get(path) ?? isNonUtf8File(path);
    known.set(path, answer);
    return answer;
  };
}

async function isNonUtf8File(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isFile() || stats.size > maxFileBytes) return false;
  const bytes = await readFile(path).catch(() => undefined);
  return bytes !== undefined && !isUtf8(bytes) && !bytes.subarray(0, 8192).includes(0);
}
