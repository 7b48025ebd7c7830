import * as vscode from 'vscode';
import { deadline, raceSignal } from '../../../bridge/lib/index.ts';
import {
  ErrorCode,
  RpcError,
  type ParamsOut,
  type ResultOf,
  type Task,
  type ide,
} from '../../../bridge/protocol/index.ts';
import { clipText } from '../lib/index.ts';
import { requireTrust } from './trust.ts';

/** Maximum milliseconds for extensions to list their tasks: one that hangs blocks all of them. */
const listMs = 10_000;

/** Answers `ide.tasks`. */
export async function tasks(
  { limit }: ParamsOut<typeof ide.tasks>,
  signal: AbortSignal,
): Promise<ResultOf<typeof ide.tasks>> {
  const all = await fetchTasks(signal);
  return { tasks: all.slice(0, limit).map(describeTask), omitted: Math.max(0, all.length - limit) };
}

/** Errors: `TimedOut`, and `restricted-mode` where VS Code would ask its user for trust before it answers. */
export async function fetchTasks(signal: AbortSignal): Promise<vscode.Task[]> {
  requireTrust('list of tasks');
  using limit = deadline('list of tasks', listMs, signal);
  try {
    return await raceSignal(Promise.resolve(vscode.tasks.fetchTasks()), limit.signal);
  } catch (error) {
    if (signal.aborted || !limit.signal.aborted) throw error;
    const why = `an extension did not list its tasks within ${listMs} ms`;
    throw new RpcError(ErrorCode.TimedOut, why, { cause: error });
  }
}

export function describeTask(task: vscode.Task): Task {
  const { name, source, definition, group, detail, isBackground } = task;
  return {
    name: clipText(name),
    source: clipText(source),
    type: clipText(definition.type),
    group: group?.id ?? null,
    detail: detail === undefined ? null : clipText(detail),
    background: isBackground,
    running: vscode.tasks.taskExecutions.some(({ task: one }) => sameTask(one, task)),
  };
}

export function sameTask(a: vscode.Task, b: vscode.Task): boolean {
  return a.name === b.name && a.source === b.source && a.definition.type === b.definition.type;
}
