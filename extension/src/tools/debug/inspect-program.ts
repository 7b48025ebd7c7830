import {
  type debugTools,
  toolError,
  toolErrorReason,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { clipMiddle, clipText } from '../../lib/index.ts';
import { askAdapter, type Debugging, readVariables, topFrame } from '../../state/index.ts';
import {
  describeStackFrame,
  findSession,
  findStoppedThread,
  refuseUnknownFilters,
} from './debug-position.ts';

type Debug = typeof debugTools;
const inspectionLimits = { threads: 200, result: 100_000 };

export async function debugStack(
  debugging: Debugging,
  { session, limit }: ToolInput<Debug['debugStack']>,
  signal: AbortSignal,
): Promise<ToolOutput<Debug['debugStack']>> {
  const { entry, thread } = findStoppedThread(debugging, session);
  const { threads } = await askAdapter(entry, 'threads', {}, signal);
  let truncated = threads.length > inspectionLimits.threads;
  const described = threads.slice(0, inspectionLimits.threads).map(async ({ id, name }) => {
    const given = { threadId: id, startFrame: 0, levels: limit + 1 };
    const asked = askAdapter(entry, 'stackTrace', given, signal);
    // Adapters refuse the request for a running thread.
    const { stackFrames } = id === thread ? await asked : await asked.catch(() => ({ stackFrames: [] }));
    truncated ||= stackFrames.length > limit;
    return {
      id,
      name: clipText(name),
      stopped: stackFrames.length > 0,
      frames: stackFrames.slice(0, limit).map(describeStackFrame),
    };
  });
  return { session: entry.id, threads: await Promise.all(described), truncated };
}

export async function debugVariables(
  debugging: Debugging,
  { session, frame, reference, limit }: ToolInput<Debug['debugVariables']>,
  signal: AbortSignal,
): Promise<ToolOutput<Debug['debugVariables']>> {
  const { entry } = findStoppedThread(debugging, session);
  const scopes = await readVariables(entry, { frame, reference, limit }, signal).catch((error: unknown) => {
    throw toAdapterError(error, 'its variables', frame);
  });
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
  const { entry } = findStoppedThread(debugging, session);
  const frameId = frame ?? (await topFrame(entry, signal))?.id;
  const given = { expression, context: 'repl', ...(frameId !== undefined && { frameId }) };
  const answer = await askAdapter(entry, 'evaluate', given, signal).catch((error: unknown) => {
    throw toAdapterError(error, clip(expression, 200), frame);
  });
  const { text, omitted } = clipMiddle(answer.result, inspectionLimits.result);
  return {
    session: entry.id,
    result: text,
    truncated: omitted > 0,
    type: answer.type === undefined ? null : clipText(answer.type),
    reference: Math.max(0, answer.variablesReference),
  };
}

/** The adapter's error with the question. Adapters report a frame that no longer exists in different words. */
function toAdapterError(error: unknown, asked: string, frame: number | undefined): unknown {
  if (toolErrorReason(error) !== undefined || !(error instanceof Error)) return error;
  if (frame !== undefined && /frame/i.test(error.message))
    return toolError('not-found', `there is no frame ${frame}: ${error.message}`, {
      help: 'Take one of debug_stack; each ends when the program runs on',
      cause: error,
    });
  return toolError('failed', `${asked}: ${error.message}`, {
    help: 'Fix the expression: names are those of the frame',
    cause: error,
  });
}

export async function debugExceptions(
  debugging: Debugging,
  { session, filters }: ToolInput<Debug['debugExceptions']>,
  signal: AbortSignal,
): Promise<ToolOutput<Debug['debugExceptions']>> {
  const entry = findSession(debugging, session);
  refuseUnknownFilters(entry, filters);
  await askAdapter(entry, 'setExceptionBreakpoints', { filters }, signal);
  return { session: entry.id, filters };
}
