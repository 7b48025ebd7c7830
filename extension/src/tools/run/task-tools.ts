import * as vscode from 'vscode';
import { deadline, raceSignal } from '../../../../bridge/lib/index.ts';
import { runTools, toolError, type ToolInput, type ToolOutput } from '../../../../bridge/protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { clipMiddle, clipText } from '../../lib/index.ts';
import {
  describeTask,
  fetchTasks,
  sameTask,
  type ShellCommand,
  type TerminalEntry,
  type Terminals,
} from '../../state/index.ts';

type TaskTools = typeof runTools;
const taskLimits = 500;
/** Maximum time for a task to end after a request to, in milliseconds. */
const taskStopMs = 5000;

/** Adds VS Code's tasks. */
export function addTaskTools(handlers: ToolHandlers, terminals: Terminals): ToolHandlers {
  return handlers
    .add(runTools.listTasks, (_, context) => listTasks(context))
    .add(runTools.runTask, (input, context) => runTask(terminals, input, context))
    .add(runTools.stopTask, stopTask);
}

async function listTasks({ signal }: ToolContext): Promise<ToolOutput<TaskTools['listTasks']>> {
  const all = await fetchTasks(signal);
  return { tasks: all.slice(0, taskLimits).map(describeTask), truncated: all.length > taskLimits };
}

async function runTask(
  terminals: Terminals,
  input: ToolInput<TaskTools['runTask']>,
  { signal }: ToolContext,
): Promise<ToolOutput<TaskTools['runTask']>> {
  const task = pickTask(await fetchTasks(signal), input);
  refuseRunning(task);
  const began = performance.now();
  using started = await TaskRun.start(task, signal);
  const waits = input.wait ?? !task.isBackground;
  let status: 'exited' | 'running' | 'timed-out' = 'running';
  if (waits) status = (await started.awaitEnd(input.timeout_ms, signal)) ? 'exited' : 'timed-out';
  const entry = findTaskTerminal(terminals, started.processId, task);
  if (status !== 'running') await awaitTaskOutput(entry?.last);
  const output = entry?.last ? readTaskOutput(entry.last, input.max_output) : null;
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

async function stopTask(
  input: ToolInput<TaskTools['stopTask']>,
  { signal }: ToolContext,
): Promise<ToolOutput<TaskTools['stopTask']>> {
  const running = vscode.tasks.taskExecutions;
  const task = pickTask(
    running.map((one) => one.task),
    input,
  );
  const executions = running.filter((one) => sameTask(one.task, task));
  using run = new TaskRun(task);
  for (const execution of executions) execution.terminate();
  using limit = deadline('end of the task', taskStopMs, signal);
  const ended = await raceSignal(run.ended, limit.signal).then(
    () => true,
    () => false,
  );
  signal.throwIfAborted();
  return { task: clipText(task.name), ended };
}

/** Errors: `not-found`, `ambiguous-match`. */
function pickTask(
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

function findTaskTerminal(
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

async function awaitTaskOutput(command: ShellCommand | undefined): Promise<void> {
  if (!command) return;
  using limit = deadline('end of the output', 1000);
  await raceSignal(command.ended, limit.signal).catch(() => undefined);
}

function readTaskOutput(command: ShellCommand, max: number): { text: string; omitted: number } {
  const { text, omitted } = command.output();
  const clipped = clipMiddle(text, max);
  return { text: clipped.text, omitted: omitted + clipped.omitted };
}

/** A task's process exists within this many milliseconds, or the task has none. */
const processStartMs = 15_000;
/** Maximum time for a task to end after a request to, in milliseconds. */
const processStopMs = 5000;

/** One run of a task, followed from before its start. Dispose it. */
class TaskRun implements Disposable {
  readonly ended: Promise<void>;
  processId: number | undefined;
  exitCode: number | null = null;
  readonly #started: Promise<void>;
  readonly #listeners: vscode.Disposable[];
  #execution: vscode.TaskExecution | undefined;

  constructor(task: vscode.Task) {
    const { tasks } = vscode;
    const ours = ({ execution }: { execution: vscode.TaskExecution }) => sameTask(execution.task, task);
    const started = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    this.#listeners = [
      tasks.onDidStartTaskProcess((event) => {
        if (!ours(event)) return;
        this.processId = event.processId;
        started.resolve();
      }),
      tasks.onDidEndTaskProcess((event) => {
        if (ours(event)) this.exitCode = event.exitCode ?? null;
      }),
      tasks.onDidEndTask((event) => {
        if (ours(event)) ended.resolve();
      }),
    ];
    this.#started = started.promise;
    this.ended = ended.promise;
  }

  /** Resolves when its process runs, or when it has ended. Errors: `timed-out`. */
  static async start(task: vscode.Task, signal: AbortSignal): Promise<TaskRun> {
    const run = new TaskRun(task);
    using limit = deadline(`start of the task ${task.name}`, processStartMs, signal);
    try {
      run.#execution = await raceSignal(Promise.resolve(vscode.tasks.executeTask(task)), limit.signal);
      await raceSignal(Promise.race([run.#started, run.ended]), limit.signal);
      return run;
    } catch (error) {
      run.#execution?.terminate();
      run[Symbol.dispose]();
      throw error;
    }
  }

  /** False if it was not over within `ms`, and was terminated. */
  async awaitEnd(ms: number, signal: AbortSignal): Promise<boolean> {
    using limit = deadline('the task', ms, signal);
    try {
      await raceSignal(this.ended, limit.signal);
      return true;
    } catch {
      this.#execution?.terminate();
      using stopping = deadline('end of the task', processStopMs);
      await raceSignal(this.ended, stopping.signal).catch(() => undefined);
      signal.throwIfAborted();
      return false;
    }
  }

  [Symbol.dispose](): void {
    for (const listener of this.#listeners) listener.dispose();
  }
}
