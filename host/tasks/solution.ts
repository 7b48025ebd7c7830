import { join } from 'node:path';
import { messageOf } from '../../bridge/lib/index.ts';
import type { Entry } from './archive.ts';
import { badTask } from './bad-task.ts';
import { scriptText } from './script-lines.ts';
import { toolCallsOf } from './steps.ts';
import type { TaskFiles } from './task-files.ts';

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

const endings = { '.sh': 'shell', '.xdotool': 'xdotool', '.tools': 'tools' } as const;

/** The solutions in one of a task's folders, sorted by name; none where the folder doesn't exist. */
export async function readSolutions(task: TaskFiles, folder: string): Promise<Solution[]> {
  const entries = (await task.tree(folder)).sort((a, b) => (a.path < b.path ? -1 : 1));
  return entries.flatMap((entry) => {
    const solution = solutionOf(entry);
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
  return solutions.map((solution) => ({ ...solution, why: whyOf(join(task.path, folder), solution) }));
}

function solutionOf(entry: Entry): Solution | undefined {
  if (entry.kind !== 'file' || entry.path.includes('/')) return undefined;
  for (const [ending, kind] of Object.entries(endings)) {
    if (entry.path.endsWith(ending))
      return {
        name: entry.path.slice(0, -ending.length),
        kind,
        text: scriptText(Buffer.from(entry.content).toString()),
      };
  }
  return undefined;
}

function assertPlayable(file: string, solution: Solution): void {
  try {
    if (solution.kind === 'tools') toolCallsOf(solution);
  } catch (cause) {
    throw badTask(file, messageOf(cause), cause);
  }
}

function whyOf(folder: string, { name, kind, text }: Solution): string {
  const first = text.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#!'));
  const why = /^#\s*(\S.*)$/.exec(first ?? '')?.[1];
  if (why !== undefined) return why.trim();
  const file = join(folder, `${name}.${kind === 'shell' ? 'sh' : kind}`);
  throw badTask(file, 'first line: expected a comment that says why it must fail, found none');
}
