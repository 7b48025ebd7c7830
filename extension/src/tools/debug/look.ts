import type { ToolInput, ToolOutput, debugTools } from '../../../../bridge/protocol/index.ts';
import { clipMiddle, clipText } from '../../lib/index.ts';
import { askAdapter, readVariables, topFrame, type Debugging } from '../../state/index.ts';
import { plainFrame } from './position.ts';
import { sessionOf, stoppedOf } from './session.ts';

type Debug = typeof debugTools;
const most = { threads: 200, result: 100_000 };

export async function debugStack(
  debugging: Debugging,
  { session, limit }: ToolInput<Debug['debugStack']>,
  signal: AbortSignal,
): Promise<ToolOutput<Debug['debugStack']>> {
  const { entry, thread } = stoppedOf(debugging, session);
  const { threads } = await askAdapter(entry, 'threads', {}, signal);
  let truncated = threads.length > most.threads;
  const described = threads.slice(0, most.threads).map(async ({ id, name }) => {
    const given = { threadId: id, startFrame: 0, levels: limit + 1 };
    const asked = askAdapter(entry, 'stackTrace', given, signal);
    // Adapters refuse the question for a thread that runs.
    const { stackFrames } = id === thread ? await asked : await asked.catch(() => ({ stackFrames: [] }));
    truncated ||= stackFrames.length > limit;
    return {
      id,
      name: clipText(name),
      stopped: stackFrames.length > 0,
      frames: stackFrames.slice(0, limit).map(plainFrame),
    };
  });
  return { session: entry.id, threads: await Promise.all(described), truncated };
}

export async function debugVariables(
  debugging: Debugging,
  { session, frame, reference, limit }: ToolInput<Debug['debugVariables']>,
  signal: AbortSignal,
): Promise<ToolOutput<Debug['debugVariables']>> {
  const { entry } = stoppedOf(debugging, session);
  const scopes = await readVariables(entry, { frame, reference, limit }, signal);
  return {
    session: entry.id,
    scopes: scopes.map(({ expensive, ...scope }) => ({ ...scope, read: !expensive })),
  };
}

export async function debugEvaluate(
  debugging: Debugging,
  { session, frame, expression }: ToolInput<Debug['debugEvaluate']>,
  signal: AbortSignal,
): Promise<ToolOutput<Debug['debugEvaluate']>> {
  const { entry } = stoppedOf(debugging, session);
  const frameId = frame ?? (await topFrame(entry, signal))?.id;
  const given = { expression, context: 'repl', ...(frameId !== undefined && { frameId }) };
  const answer = await askAdapter(entry, 'evaluate', given, signal);
  const { text, omitted } = clipMiddle(answer.result, most.result);
  return {
    session: entry.id,
    result: text,
    truncated: omitted > 0,
    type: answer.type === undefined ? null : clipText(answer.type),
    reference: Math.max(0, answer.variablesReference),
  };
}

export async function debugExceptions(
  debugging: Debugging,
  { session, filters }: ToolInput<Debug['debugExceptions']>,
  signal: AbortSignal,
): Promise<ToolOutput<Debug['debugExceptions']>> {
  const entry = sessionOf(debugging, session);
  await askAdapter(entry, 'setExceptionBreakpoints', { filters }, signal);
  return { session: entry.id, filters };
}
