import { stat } from 'node:fs/promises';
import {
  type searchTools,
  toolError,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { formatPath, resolvePlace, type WorkspacePlace } from '../workspace-place.ts';
import { extractKeywords, type FoundLine, isDefinition, parseFoundLine } from './match-text.ts';
import { convertToGlobs, makeScopeArguments, runRipgrep } from './ripgrep.ts';

type CodebaseSearch = typeof searchTools.codebaseSearch;
type FoundPlace = ToolOutput<CodebaseSearch>['places'][number];

/** Maximum number of ranked lines; lines shown around a match; matches that are further apart are separate places. */
const codebaseLimits = { lines: 20_000, around: 3, apart: 12 };

/** Ranks places by how many of the keywords they have, the rare ones first. */
export async function codebaseSearch(
  input: ToolInput<CodebaseSearch>,
  { signal }: ToolContext,
): Promise<ToolOutput<CodebaseSearch>> {
  const words = extractKeywords(input.query);
  if (words.length === 0)
    throw toolError('bad-arguments', 'codebase_search: the query has no word to look for', {
      help: 'Use grep_search',
    });
  const { folders, globs } = await resolveScope(input.target_directories);
  const lines: FoundLine[] = [];
  const args = [
    '--json',
    '--ignore-case',
    '--fixed-strings',
    `--context=${codebaseLimits.around}`,
    '--max-filesize=1M',
    ...words.map((word) => `--regexp=${word}`),
    ...globs.map((glob) => `--glob=${glob}`),
    ...makeScopeArguments(false),
    '--',
    ...folders.map(({ path }) => path),
  ];
  const onLine = (json: string) => lines.push(...parseFoundLine(json)) <= codebaseLimits.lines;
  await runRipgrep({ args, cwd: (await resolvePlace('.')).path, onLine }, signal);
  const groups = groupLines(lines);
  const weights = weighWords(words, groups);
  const ranked = groups.map((group) => rankPlaces(group, weights)).sort((a, b) => b.score - a.score);
  return {
    words,
    places: spreadOverFiles(ranked).slice(0, input.limit),
    truncated: lines.length > codebaseLimits.lines,
  };
}

/**
 * Folders and files to search in, and globs of what to search there: agents name either. Errors: those of `place`,
 * `not-found`.
 */
async function resolveScope(
  given: readonly string[],
): Promise<{ folders: WorkspacePlace[]; globs: string[] }> {
  const here = await resolvePlace('.');
  const whole = [here];
  const cwd = here.path;
  if (given.length === 0) return { folders: whole, globs: [] };
  const found = await Promise.all(
    given.map(async (name) => {
      if (!/[*?[{]/.test(name)) return { name, where: await resolvePlace(name), glob: false };
      const there = await resolvePlace(name).then(
        async (where) => ((await stat(where.real).catch(() => undefined)) ? where : undefined),
        () => undefined,
      );
      return { name, where: there, glob: there === undefined };
    }),
  );
  const globsIn = async (names: readonly string[]) =>
    (await Promise.all(names.map((name) => convertToGlobs(name, cwd)))).flat();
  const globs = await globsIn(found.filter(({ glob }) => glob).map(({ name }) => name));
  const folders = found.flatMap(({ where }) => (where ? [where] : []));
  for (const { real, path } of folders)
    if (!(await stat(real).catch(() => undefined)))
      throw toolError('not-found', `there is no folder ${formatPath(path)}`);
  // With a glob and a folder: everything that is in either.
  if (globs.length === 0) return { folders, globs };
  return { folders: whole, globs: [...globs, ...(await globsIn(folders.map(({ path }) => path)))] };
}

/** Lines of one file that are close together. */
function groupLines(lines: readonly FoundLine[]): FoundLine[][] {
  const groups: FoundLine[][] = [];
  for (const line of lines) {
    const last = groups.at(-1)?.at(-1);
    const first = groups.at(-1)?.[0];
    const near =
      last?.path === line.path &&
      line.line === last.line + 1 &&
      line.line - (first?.line ?? 0) < codebaseLimits.apart;
    if (near) groups.at(-1)?.push(line);
    else groups.push([line]);
  }
  return groups.filter((group) => group.some(({ kind }) => kind === 'match'));
}

/** A word in few places is more significant than one in many. */
function weighWords(words: readonly string[], groups: readonly FoundLine[][]): Map<string, number> {
  return new Map(
    words.map((word) => {
      const count = groups.filter((group) =>
        group.some(({ text }) => text.toLowerCase().includes(word)),
      ).length;
      return [word, Math.log(1 + groups.length / (1 + count)) + 0.1];
    }),
  );
}

function rankPlaces(group: readonly FoundLine[], weights: ReadonlyMap<string, number>): FoundPlace {
  const [first] = group;
  const path = first?.path ?? '';
  const text = group.map((one) => one.text.toLowerCase()).join('\n');
  const found = [...weights].filter(([word]) => text.includes(word));
  const defined = group
    .filter((one) => one.kind === 'match' && isDefinition(one.text))
    .map((one) => one.text.toLowerCase());
  const score = found.reduce((sum, [word, weight]) => {
    const byName = path.toLowerCase().includes(word) ? 0.5 : 0;
    const byDefinition = defined.some((line) => line.includes(word)) ? 1 : 0;
    return sum + weight * (1 + byName + byDefinition);
  }, 0);
  return {
    path: formatPath(path),
    start_line: first?.line ?? 1,
    end_line: group.at(-1)?.line ?? 1,
    score: Math.round(score * 100) / 100,
    words: found.map(([word]) => word),
    text: clip(group.map((one) => `${one.line}\t${one.text}`).join('\n'), 10_000),
  };
}

/** At most three places of one file, so that one file does not push out all others. */
function spreadOverFiles(places: readonly FoundPlace[]): FoundPlace[] {
  const seen = new Map<string, number>();
  return places.filter(({ path }) => {
    const count = (seen.get(path) ?? 0) + 1;
    seen.set(path, count);
    return count <= 3;
  });
}
