import * as vscode from 'vscode';
import { deadline, raceSignal, clip } from '../../../../bridge/lib/index.ts';
import { runTools, toolError, type ToolInput, type ToolOutput } from '../../../../bridge/protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { clipMiddle, clipText } from '../../lib/index.ts';
import {
  describeTask,
  fetchTasks,
  sameTask,
  type Command,
  type TerminalEntry,
  type Terminals,
} from '../../state/index.ts';
import { TaskRun } from './task-run.ts';

type Run = typeof runTools;
const most = 500;
/** Maximum time for a task to end after a request to, in milliseconds. */
const stopMs = 5000;

/** Adds VS Code's tasks. */
export function addTasks(handlers: ToolHandlers, terminals: Terminals): ToolHandlers {
  return handlers
    .add(runTools.listTasks, (_, context) => list(context))
    .add(runTools.runTask, (input, context) => run(terminals, input, context))
    .add(runTools.stopTask, stop);
}

async function list({ signal }: ToolContext): Promise<ToolOutput<Run['listTasks']>> {
  const all = await fetchTasks(signal);
  return { tasks: all.slice(0, most).map(describeTask), truncated: all.length > most };
}

async function run(
  terminals: Terminals,
  input: ToolInput<Run['runTask']>,
  { signal }: ToolContext,
): Promise<ToolOutput<Run['runTask']>> {
  const task = pick(await fetchTasks(signal), input);
  refuseRunning(task);
  const began = performance.now();
  using started = await TaskRun.start(task, signal);
  const waits = input.wait ?? !task.isBackground;
  let status: 'exited' | 'running' | 'timed-out' = 'running';
  if (waits) status = (await started.awaitEnd(input.timeout_ms, signal)) ? 'exited' : 'timed-out';
  const entry = terminalOf(terminals, started.processId, task);
  if (status !== 'running') await outputComplete(entry?.last);
  const output = entry?.last ? outputOf(entry.last, input.max_output) : null;
  return {
    task: clipText(task.name),
    status,
    exit_code: started.exitCode,
    terminal: entry?.id ?? null,
    output: output?.text ?? null,
    truncated: output !== null && output.omitted > 0,
    duration_ms: performance.now() - began,
  };
}

async function stop(
  input: ToolInput<Run['stopTask']>,
  { signal }: ToolContext,
): Promise<ToolOutput<Run['stopTask']>> {
  const running = vscode.tasks.taskExecutions;
  const task = pick(
    running.map((one) => one.task),
    input,
  );
  const executions = running.filter((one) => sameTask(one.task, task));
  using run = new TaskRun(task);
  for (const execution of executions) execution.terminate();
  using limit = deadline('end of the task', stopMs, signal);
  const ended = await raceSignal(run.ended, limit.signal).then(
    () => true,
    () => false,
  );
  signal.throwIfAborted();
  return { task: clipText(task.name), ended };
}

/** Errors: `not-found`, `ambiguous-match`. */
function pick(
  tasks: readonly vscode.Task[],
  { name, source }: { name: string; source?: string | undefined },
): vscode.Task {
  const found = tasks.filter(
    (task) => task.name === name && (source === undefined || task.source === source),
  );
  const [first, second] = found;
  if (!first) {
    const names = tasks.map((task) => task.name).join(', ');
    const help = names === '' ? 'There are no tasks' : `There are ${clip(names, 2000)}`;
    throw toolError('not-found', `there is no such task as ${name}`, { help });
  }
  if (second && !sameTask(first, second))
    throw toolError('ambiguous-match', `several tasks are called ${name}`, {
      help: `Give the source: ${found.map((task) => task.source).join(', ')}`,
    });
  return first;
}

/** VS Code would ask the person in a dialog whether to restart it. */
function refuseRunning(task: vscode.Task): void {
  if (!vscode.tasks.taskExecutions.some((one) => sameTask(one.task, task))) return;
  throw toolError('terminal-busy', `the task ${task.name} runs already`, {
    help: 'Stop it first: stop_task',
  });
}

function terminalOf(
  terminals: Terminals,
  processId: number | undefined,
  task: vscode.Task,
): TerminalEntry | undefined {
  const newestFirst = [...terminals.all].reverse();
  return (
    newestFirst.find((entry) => processId !== undefined && entry.processId === processId) ??
    newestFirst.find(({ terminal }) => terminal.name === task.name)
  );
}

async function outputComplete(command: Command | undefined): Promise<void> {
  if (!command) return;
  using limit = deadline('end of the output', 1000);
  await raceSignal(command.ended, limit.signal).catch(() => undefined);
}

function outputOf(command: Command, max: number): { text: string; omitted: number } {
  const { text, omitted } = command.output();
  const clipped = clipMiddle(text, max);
  return { text: clipped.text, omitted: omitted + clipped.omitted };
}
