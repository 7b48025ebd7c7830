import * as vscode from 'vscode';
import { deadline, raceSignal } from '../../../../bridge/lib/index.ts';
import { sameTask } from '../../state/index.ts';

/** A task's process exists within this many milliseconds, or the task has none. */
const startMs = 15_000;
/** Maximum time for a task to end after a request to, in milliseconds. */
const stopMs = 5000;

/** One run of a task, followed from before its start. Dispose it. */
export class TaskRun implements Disposable {
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
    using limit = deadline(`start of the task ${task.name}`, startMs, signal);
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
      using stopping = deadline('end of the task', stopMs);
      await raceSignal(this.ended, stopping.signal).catch(() => undefined);
      signal.throwIfAborted();
      return false;
    }
  }

  [Symbol.dispose](): void {
    for (const listener of this.#listeners) listener.dispose();
  }
}
