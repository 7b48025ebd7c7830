import { lstat } from 'node:fs/promises';
import { sep } from 'node:path';
import * as vscode from 'vscode';
import { clip } from '../../../../bridge/lib/index.ts';
import {
  toolError,
  type searchTools,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { ignoredFolders, pathText, place, type Place } from '../place/index.ts';
import { formsOf } from '../../lib/index.ts';
import { readFound, type FoundLine } from './found.ts';
import { globsOf } from './globs.ts';
import { nonUtf8, otherEncoding } from './other-encoding.ts';
import { ripgrep, scopeArgs } from './ripgrep.ts';

type Grep = typeof searchTools.grepSearch;
type Match = ToolOutput<Grep>['matches'][number];

/** Maximum number of editors with unsaved text that are searched; more than anyone has. */
const maxUnsaved = 50;

/** Searches files on disk, and unsaved text of editors in place of theirs. */
export async function grepSearch(input: ToolInput<Grep>, { signal }: ToolContext): Promise<ToolOutput<Grep>> {
  const where = await place(input.path);
  if (!(await lstat(where.real).catch(() => undefined)))
    throw toolError('not-found', `there is no file or folder ${pathText(where.path)}`);
  const unsaved = unsavedIn(where);
  const skipped = new Set(unsaved.map(({ uri }) => uri.fsPath));
  const collect = new Collector(input.limit);
  // Globs are relative to it.
  const { path: cwd } = await place('.');
  const pattern = patternArgs(input);
  const scope: Scope = { files: await fileArgs(input, cwd, where), where, cwd, signal };
  for (const document of await searched(unsaved, scope)) {
    const take = (line: string) => collect.take(readFound(line, document.uri.fsPath));
    await ripgrep({ args: [...pattern, '-'], cwd, input: document.getText(), onLine: take }, signal);
  }
  const args = [...pattern, ...scope.files, '--', where.path];
  const notes = await ripgrep(
    {
      args,
      cwd,
      onLine: (line) => collect.take(readFound(line).filter(({ path }) => !skipped.has(path))),
    },
    signal,
  );
  const others = await inOtherEncoding(input, pattern, scope);
  collect.take(others.filter(({ path }) => !skipped.has(path)));
  const result = collect.result();
  const left = input.include_ignored ? [] : leftOut(where);
  const unfit = result.matches.length === 0 ? await noFileFits(input, scope) : [];
  return { ...result, notes: [...left, ...unfit, ...notes].slice(0, 20).map((note) => clip(note, 1000)) };
}

/** The scope of a search. */
interface Scope {
  /** Ripgrep's arguments for the files. */
  readonly files: readonly string[];
  readonly where: Place;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** The matches of a query with non-ASCII letters in files that are not UTF-8. */
async function inOtherEncoding(
  { query, limit }: ToolInput<Grep>,
  pattern: readonly string[],
  { files, where, cwd, signal }: Scope,
): Promise<FoundLine[]> {
  const encoding = otherEncoding(query);
  if (encoding === undefined) return [];
  const lines: FoundLine[] = [];
  const args = [...pattern, `--encoding=${encoding}`, ...files, '--', where.path];
  const onLine = (line: string) => lines.push(...readFound(line)) <= limit * 41;
  await ripgrep({ args, cwd, onLine }, signal);
  const isOther = nonUtf8();
  const kept = await Promise.all(lines.map(async (line) => ((await isOther(line.path)) ? [line] : [])));
  return kept.flat();
}

/** A note if the patterns leave no file to search: that is not the same as no match. */
async function noFileFits(input: ToolInput<Grep>, { files, where, cwd, signal }: Scope): Promise<string[]> {
  const { include_pattern: include, exclude_pattern: exclude, include_ignored: all } = input;
  if (include === undefined && exclude === undefined) return [];
  const isAny = async (args: readonly string[]) => {
    let any = false;
    const onLine = () => !(any = true);
    await ripgrep({ args: ['--files', '--null', ...args, '--', where.path], cwd, onLine, end: '\0' }, signal);
    return any;
  };
  if (await isAny(files)) return [];
  const patterns = [
    ...(include === undefined ? [] : [`include_pattern ${include}`]),
    ...(exclude === undefined ? [] : [`exclude_pattern ${exclude}`]),
  ];
  const note = `no file was searched: none in ${pathText(where.path)} fits ${patterns.join(' and ')}`;
  const ignored = !all && (await isAny(await fileArgs({ ...input, include_ignored: true }, cwd, where)));
  return [ignored ? `${note} but such as are left out of searches: set include_ignored` : note];
}

/** A note for a place inside a folder of builds or dependencies: nothing in it was searched. */
function leftOut({ path }: Place): string[] {
  const name = pathText(path);
  const folder = name.split('/').find((part) => ignoredFolders.has(part));
  return folder === undefined ? [] : [`${folder} is left out of searches: set include_ignored`];
}

function patternArgs(input: ToolInput<Grep>): string[] {
  return [
    '--json',
    ...(input.regex ? [] : ['--fixed-strings']),
    input.case_sensitive ? '--case-sensitive' : '--ignore-case',
    ...(input.whole_word ? ['--word-regexp'] : []),
    ...(input.multiline ? ['--multiline'] : []),
    ...(input.context > 0 ? [`--context=${input.context}`] : []),
    // A `$` matches before a whole `\r\n`.
    '--crlf',
    ...formsOf(input.query).map((form) => `--regexp=${form}`),
  ];
}

/** Later globs win: those for ignored and excluded files come after those for files to search. */
async function fileArgs(
  { include_pattern: include, exclude_pattern: exclude, include_ignored: ignored }: ToolInput<Grep>,
  cwd: string,
  { path }: Place,
): Promise<string[]> {
  const included = include === undefined ? [] : await globsOf(include, cwd, path);
  const excluded = exclude === undefined ? [] : await globsOf(exclude, cwd);
  return [
    '--sort=path',
    ...included.map((glob) => `--glob=${glob}`),
    ...scopeArgs(ignored),
    ...excluded.map((glob) => `--glob=!${glob}`),
  ];
}

function unsavedIn({ path }: Place): vscode.TextDocument[] {
  const inside = vscode.workspace.textDocuments.filter(
    ({ uri, isDirty }) => isDirty && (uri.fsPath === path || uri.fsPath.startsWith(path + sep)),
  );
  return inside.slice(0, maxUnsaved);
}

/** The documents whose files the search covers. A file that is named directly would match despite any glob. */
async function searched(
  documents: readonly vscode.TextDocument[],
  { files, where, cwd, signal }: Scope,
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
  await ripgrep({ args, cwd, onLine, end: '\0' }, signal);
  return found;
}

/** Collects matches with the lines around them, which come before and after them in the output. */
class Collector {
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
    const shown = withinRoom(matches.slice(0, this.#limit));
    const files = new Set(shown.map(({ path }) => path)).size;
    return { matches: shown, files, truncated: matches.length > shown.length };
  }

  #match({ path, line, column, text }: FoundLine, at: number): Match {
    return {
      path: pathText(path),
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
const room = 500_000;

function withinRoom(matches: readonly Match[]): Match[] {
  let used = 0;
  return matches.filter(({ text, before, after }) => {
    used += [text, ...before, ...after].reduce((sum, one) => sum + one.length, 0);
    return used <= room;
  });
}
