import { PwpError, deadline, messageOf } from '../../bridge/lib/index.ts';
import { debugTools, toolMethods } from '../../bridge/protocol/index.ts';
import { defaultLimits, type Node, type Sandbox } from '../node/index.ts';
import { archive, textEntry, type Task, type TaskSeed } from '../tasks/index.ts';

export interface AskOptions {
  readonly node: Node;
  /** The agent's sandbox. */
  readonly sandbox: Sandbox;
  readonly task: Task;
  readonly signal: AbortSignal;
}

/** Milliseconds until an IDE must have started and answered. */
const askMs = 180_000;
const settleCapMs = 10_000;

/**
 * What only an IDE can tell of what the agent left, as a file for the checks; undefined where the task doesn't ask.
 * A pristine IDE is booted on the task's own initial state and the agent's browser profile, in which VS Code keeps
 * what it has no file for. Nothing else of the agent's is in there, so that none of its programs can answer instead.
 */
export async function askIde(options: AskOptions): Promise<TaskSeed | undefined> {
  if (options.task.config.pwp.ask.length === 0) return undefined;
  const facts = await factsFor(options);
  return { path: '/opt/pwp/grade', tar: archive([textEntry('ide.json', JSON.stringify(facts))]) };
}

async function factsFor(options: AskOptions): Promise<object> {
  try {
    return await factsOf(options, true);
  } catch (error) {
    options.signal.throwIfAborted();
    // Either the machine can't boot an IDE, which is no score, or the agent has spoilt its profile, which is a score.
    await factsOf(options, false);
    return { problem: `VS Code does not start on what was left: ${messageOf(error)}` };
  }
}

async function factsOf({ node, sandbox, task, signal }: AskOptions, copy: boolean): Promise<object> {
  using limit = deadline('the IDE that grading asks', askMs, signal);
  await using ide = await startIde({ node, sandbox, task, signal: limit.signal }, copy);
  await ide.ready({ signal: limit.signal });
  // What the window brings back it tells the extensions a moment later.
  await ide.settle({ capMs: settleCapMs, pointerOnly: false, signal: limit.signal });
  const params = { name: debugTools.listBreakpoints.name, arguments: {} };
  const { result } = await ide.call(toolMethods.call, params, { signal: limit.signal });
  const checked = debugTools.listBreakpoints.output.safeParse(result);
  if (checked.success) return { breakpoints: checked.data.breakpoints };
  throw new PwpError('grading-failed', 'the IDE reported breakpoints in an unexpected form', {
    cause: checked.error,
  });
}

async function startIde({ node, sandbox, task, signal }: AskOptions, copy: boolean): Promise<Sandbox> {
  const seeds = await task.seeds();
  await using frozen = new AsyncDisposableStack();
  frozen.use(await sandbox.freeze());
  return await node.start(
    {
      name: 'ask',
      role: 'ide',
      seeds,
      copy: { from: sandbox.id, paths: copy ? ['/ide/chromium'] : [] },
      keep: false,
      display: sandbox.display,
      limits: { ...defaultLimits, diskMb: 2 * (task.config.environment.storage_mb ?? defaultLimits.diskMb) },
    },
    { signal },
  );
}
