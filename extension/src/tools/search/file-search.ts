import { join } from 'node:path';
import type { searchTools, ToolInput, ToolOutput } from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { lookOf } from '../../lib/index.ts';
import { pathText, place } from '../place/index.ts';
import { fuzzyScore } from './fuzzy.ts';
import { listFiles } from './list-files.ts';

type Search = typeof searchTools.fileSearch;

export async function fileSearch(
  input: ToolInput<Search>,
  { signal }: ToolContext,
): Promise<ToolOutput<Search>> {
  const where = await place('.');
  const { files, truncated } = await listFiles(where, input.include_ignored, signal);
  const fitting = files.flatMap((path) => {
    const score = fuzzyScore(lookOf(input.query), lookOf(path));
    return score === undefined ? [] : [{ path, score }];
  });
  const best = fitting.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1)).slice(0, input.limit);
  return {
    files: best.map(({ path, score }) => ({
      path: pathText(join(where.path, path)),
      score: Math.round(score * 100) / 100,
    })),
    matching: fitting.length,
    truncated: truncated || fitting.length > best.length,
  };
}
