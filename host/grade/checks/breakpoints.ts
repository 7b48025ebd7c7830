import { readFile } from 'node:fs/promises';
import { failed, passed, show, type Check } from './check.ts';
import { evaluate, type Variables } from './expression.ts';

/** A breakpoint as VS Code holds it, from a pristine IDE that was opened on what the agent left. */
export interface Breakpoint {
  /** Relative to the workspace; null if it is not in a file. */
  readonly path: string | null;
  /** From 1; null if it is not in a file. */
  readonly line: number | null;
  readonly enabled: boolean;
  /** Null for none; so are the next two. */
  readonly condition: string | null;
  readonly hit_condition: string | null;
  readonly log_message: string | null;
}

/** The IDE's answers when grading asked it: see `ask` in task.toml. */
export interface IdeFacts {
  /** Why it could not answer. */
  readonly problem?: string;
  readonly breakpoints?: readonly Breakpoint[];
  /** Ids, in lower case, of those that are enabled where all of the gallery are installed. */
  readonly extensions?: readonly string[];
}

/** Reads the IDE's answers. Throws if it was not asked: the task doesn't say `ask`. */
export async function readIdeFacts(path = '/opt/pwp/grade/ide.json'): Promise<IdeFacts> {
  return JSON.parse(await readFile(path, 'utf8')) as IdeFacts;
}

export interface WantedBreakpoint {
  /** Relative to the workspace. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** In Python's words. */
  readonly condition: string;
  /** Values for which the condition found must give the same result as the one wanted. */
  readonly over: readonly Variables[];
}

/** There is one breakpoint, enabled, on this line, that stops exactly when the condition holds. */
export function conditionalBreakpoint(
  { breakpoints, problem: failure }: IdeFacts,
  wanted: WantedBreakpoint,
): Check {
  const name = `breakpoint in ${wanted.path}`;
  if (failure !== undefined) return failed(name, failure);
  if (breakpoints === undefined) throw new Error('the IDE was not asked for breakpoints');
  const [only, ...more] = breakpoints.filter(({ path }) => path === wanted.path);
  if (only === undefined) return failed(name, 'there is no breakpoint');
  if (more.length > 0) return failed(name, `expected one, found ${more.length + 1}`);
  const problem = problemOf(only, wanted);
  if (problem !== undefined) return failed(name, problem);
  return passed(name, `stops on line ${wanted.line} when ${show(only.condition)}`);
}

function problemOf(found: Breakpoint, { line, condition, over }: WantedBreakpoint): string | undefined {
  if (found.line !== line) return `is on line ${found.line ?? 'none'}, expected ${line}`;
  if (!found.enabled) return 'is disabled';
  if (found.hit_condition !== null && found.hit_condition !== '')
    return `has a hit count, ${show(found.hit_condition)}`;
  if (found.log_message !== null && found.log_message !== '')
    return `logs ${show(found.log_message)} instead of stopping`;
  if (found.condition === null || found.condition.trim() === '') return 'has no condition';
  const text = found.condition;
  const differs = over.find((values) => !isSame(evaluate(text, values), evaluate(condition, values)));
  return differs && `stops when ${show(text)}, which differs from ${condition} for ${show(differs)}`;
}

/** Whether a debugger stops for both or for neither. */
function isSame(found: ReturnType<typeof evaluate>, wanted: ReturnType<typeof evaluate>): boolean {
  return found !== undefined && Boolean(found) === Boolean(wanted);
}
