import * as vscode from 'vscode';
import { deadline, poll, type Probe } from '../../../../bridge/lib/index.ts';
import { type debugTools, toolError, type ToolInput } from '../../../../bridge/protocol/index.ts';
import { askAdapter, type DebugEntry, type Debugging } from '../../state/index.ts';
import {
  awaitStop,
  type DebugPosition,
  findSession,
  findStoppedThread,
  readDebugPosition,
} from './debug-position.ts';

type Debug = typeof debugTools;

/** VS Code's own commands, so that its views follow. */
const stepCommands = {
  continue: 'workbench.action.debug.continue',
  over: 'workbench.action.debug.stepOver',
  into: 'workbench.action.debug.stepInto',
  out: 'workbench.action.debug.stepOut',
} as const;

/** Maximum time for VS Code to pass such a request on, in milliseconds. */
const passOnMs = 10_000;

export async function debugContinue(
  debugging: Debugging,
  input: ToolInput<Debug['debugContinue']>,
  signal: AbortSignal,
): Promise<DebugPosition> {
  return runUntilStop(debugging, input, 'continue', signal);
}

export async function debugStep(
  debugging: Debugging,
  input: ToolInput<Debug['debugStep']>,
  signal: AbortSignal,
): Promise<DebugPosition> {
  return runUntilStop(debugging, input, input.kind, signal);
}

export async function debugPause(
  debugging: Debugging,
  input: ToolInput<Debug['debugPause']>,
  signal: AbortSignal,
): Promise<DebugPosition> {
  const entry = findSession(debugging, input.session);
  await pauseThread(debugging, entry, input.wait_ms, signal);
  const stopped = await awaitStop(debugging, entry.root, input.wait_ms, signal);
  return readDebugPosition(stopped, input.max_output, signal);
}

/** Pauses the first thread as soon as one exists: a starting program has no thread, nor has the session's parent. */
async function pauseThread(
  debugging: Debugging,
  { root }: DebugEntry,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  using limit = deadline('a thread to pause', ms, signal);
  const probe = async (): Promise<Probe<undefined>> => {
    const tree = debugging.tree(root);
    if (root.state === 'ended' || tree.some(({ state }) => state === 'stopped'))
      return { done: true, value: undefined };
    for (const entry of tree.filter(({ state }) => state === 'running').reverse()) {
      const { threads } = await askAdapter(entry, 'threads', {}, limit.signal);
      const [thread] = threads;
      if (!thread) continue;
      await askAdapter(entry, 'pause', { threadId: thread.id }, limit.signal);
      return { done: true, value: undefined };
    }
    return { done: false, saw: 'no thread' };
  };
  await poll('a thread to pause', probe, { intervalMs: 50, signal: limit.signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!limit.signal.aborted) throw error;
  });
}

async function runUntilStop(
  debugging: Debugging,
  { session, wait_ms: ms, max_output: max }: ToolInput<Debug['debugContinue']>,
  how: keyof typeof stepCommands,
  signal: AbortSignal,
): Promise<DebugPosition> {
  const { entry, thread } = findStoppedThread(debugging, session);
  await resumeProgram(debugging, entry, thread, how, signal);
  return readDebugPosition(await awaitStop(debugging, entry.root, ms, signal), max, signal);
}

/** Resolves when the adapter has confirmed it. Errors: `debug-adapter-timeout`. */
export async function resumeProgram(
  debugging: Debugging,
  entry: DebugEntry,
  thread: number,
  how: keyof typeof stepCommands,
  signal: AbortSignal,
): Promise<void> {
  const { turn, session } = entry;
  const context = { sessionId: session.id, threadId: `thread:${session.id}:${thread}` };
  using limit = deadline(`${how} of ${session.name}`, passOnMs, signal);
  // VS Code's command ends when the adapter answers, which may be never.
  const asked = Promise.resolve(vscode.commands.executeCommand(stepCommands[how], undefined, context));
  asked.catch(() => undefined);
  try {
    await debugging.until(() => (entry.turn === turn ? undefined : true), limit.signal);
  } catch (error) {
    signal.throwIfAborted();
    throw toolError('debug-adapter-timeout', `VS Code did not resume ${session.name}`, { cause: error });
  }
}
