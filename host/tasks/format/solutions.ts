import { join } from 'node:path';
import { describeError } from '../../../bridge/lib/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import type { ArchiveEntry } from './archive.ts';
import { badTask, type TaskFiles, withUnixLineEnds } from './task-files.ts';

/** A written way through a task. */
export interface Solution {
  /** File name without its ending, e.g. `solve`. */
  readonly name: string;
  /**
   * `shell`: one bash script, run inside the sandbox. `xdotool`, `tools`: one step a line, an xdotool line or a tool's
   * name and its arguments in JSON; empty lines and `#` lines aside.
   */
  readonly kind: 'shell' | 'xdotool' | 'tools';
  readonly text: string;
}

/** A solution that looks right and must score 0. */
export interface FalseSolution extends Solution {
  /** Why it must fail: its first comment line. */
  readonly why: string;
}

const solutionEndings = { '.sh': 'shell', '.xdotool': 'xdotool', '.tools': 'tools' } as const;

/** The solutions in one of a task's folders, sorted by name; none where the folder doesn't exist. */
export async function readSolutions(task: TaskFiles, folder: string): Promise<Solution[]> {
  const entries = (await task.tree(folder)).sort((a, b) => (a.path < b.path ? -1 : 1));
  return entries.flatMap((entry) => {
    const solution = parseSolution(entry);
    if (!solution) return [];
    const filled = { ...solution, text: task.filledIn(join(folder, entry.path), solution.text) };
    assertPlayable(join(task.path, folder, entry.path), filled);
    return [filled];
  });
}

/** As {@link readSolutions}, each with why it must fail. Errors: `bad-task` if one doesn't say why. */
export async function readFalseSolutions(task: TaskFiles): Promise<FalseSolution[]> {
  const folder = 'false-solutions';
  const solutions = await readSolutions(task, folder);
  return solutions.map((solution) => ({ ...solution, why: readReason(join(task.path, folder), solution) }));
}

function parseSolution(entry: ArchiveEntry): Solution | undefined {
  if (entry.kind !== 'file' || entry.path.includes('/')) return undefined;
  for (const [ending, kind] of Object.entries(solutionEndings)) {
    if (entry.path.endsWith(ending))
      return {
        name: entry.path.slice(0, -ending.length),
        kind,
        text: withUnixLineEnds(Buffer.from(entry.content).toString()),
      };
  }
  return undefined;
}

function assertPlayable(file: string, solution: Solution): void {
  try {
    if (solution.kind === 'tools') readWrittenCalls(solution);
  } catch (cause) {
    throw badTask(file, describeError(cause), cause);
  }
}

function readReason(folder: string, { name, kind, text }: Solution): string {
  const first = text.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#!'));
  const why = /^#\s*(\S.*)$/.exec(first ?? '')?.[1];
  if (why !== undefined) return why.trim();
  const file = join(folder, `${name}.${kind === 'shell' ? 'sh' : kind}`);
  throw badTask(file, 'first line: expected a comment that says why it must fail, found none');
}

/** A tool of the registry with its arguments. */
interface WrittenCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The lines of a solution that are one step each. */
export function readSolutionSteps(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** The calls of a solution of kind `tools`. Throws for any other line; whether a tool exists shows in the IDE. */
export function readWrittenCalls({ text }: { readonly text: string }): WrittenCall[] {
  return readSolutionSteps(text).map((line) => {
    const [, name = '', given = ''] = /^(\w+)\s+(\{.*\})$/.exec(line) ?? [];
    try {
      return { name, arguments: JSON.parse(given) as Readonly<Record<string, unknown>> };
    } catch (cause) {
      throw new Error(`expected a tool and its arguments in JSON, found ${clip(line, 200)}`, { cause });
    }
  });
}
