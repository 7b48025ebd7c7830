import * as vscode from 'vscode';
import { deadline, describeError } from '../../../bridge/lib/index.ts';
import {
  type DebugSession,
  type DebugThread,
  type DebugVariable,
  ErrorCode,
  type ide,
  type IdeBreakpoint,
  type ParamsOut,
  type ResultOf,
  RpcError,
  toolError,
} from '../../../bridge/protocol/index.ts';
import { clipText } from '../lib/index.ts';
import { askAdapter, type RawFrame, type RawVariable, readException } from './debug-adapter.ts';
import type { DebugEntry, Debugging } from './debug-sessions.ts';
import { uriText } from './protocol-uri.ts';

const debugLimits = { sessions: 100, threads: 200, scopes: 50 };
/** Maximum time to read one session, in milliseconds: its adapter may hang. */
const lookMs = 10_000;

/** Answers `ide.debug`. */
export async function readDebugState(
  debugging: Debugging,
  { frames }: ParamsOut<typeof ide.debug>,
  signal: AbortSignal,
): Promise<ResultOf<typeof ide.debug>> {
  const entries = debugging.live.slice(-debugLimits.sessions);
  return {
    sessions: await Promise.all(entries.map((entry) => describeSession(debugging, entry, frames, signal))),
  };
}

async function describeSession(
  debugging: Debugging,
  entry: DebugEntry,
  frames: number,
  signal: AbortSignal,
): Promise<DebugSession> {
  const { session, state, stop } = entry;
  const parent = session.parentSession && debugging.of(session.parentSession);
  const known = {
    id: entry.id,
    parent: parent?.id ?? null,
    name: clipText(session.name),
    type: clipText(session.type),
    state,
    reason: stop ? clipText(stop.reason) : null,
    exception: null,
    threads: [],
    problem: null,
  };
  // A running program need not answer before it stops.
  if (state !== 'stopped') return known;
  using limit = deadline(`state of ${session.name}`, lookMs, signal);
  try {
    const exception = await readException(entry, limit.signal);
    const threads = await readThreads(entry, frames, limit.signal);
    return { ...known, exception: exception === null ? null : clipText(exception), threads };
  } catch (error) {
    signal.throwIfAborted();
    return { ...known, problem: clipText(describeError(error)) };
  }
}

async function readThreads(entry: DebugEntry, frames: number, signal: AbortSignal): Promise<DebugThread[]> {
  const { threads } = await askAdapter(entry, 'threads', {}, signal);
  return Promise.all(
    threads.slice(0, debugLimits.threads).map(async ({ id, name }) => {
      const given = { threadId: id, startFrame: 0, levels: frames };
      // A running thread has no stack: adapters refuse the request.
      const stack = await askAdapter(entry, 'stackTrace', given, signal).catch(() => ({ stackFrames: [] }));
      return { id, name: clipText(name), frames: stack.stackFrames.slice(0, frames).map(describeFrame) };
    }),
  );
}

function describeFrame({ id, name, source, line, column }: RawFrame): DebugThread['frames'][number] {
  const uri = source?.path === undefined ? null : uriText(sourceUri(source.path));
  return { id, name: clipText(name), uri, line: Math.max(0, line), column: Math.max(0, column) };
}

function sourceUri(path: string): vscode.Uri {
  return path.startsWith('/') ? vscode.Uri.file(path) : vscode.Uri.from({ scheme: 'debug', path });
}

/** Answers `ide.breakpoints`. */
export function readBreakpoints({
  limit,
}: ParamsOut<typeof ide.breakpoints>): ResultOf<typeof ide.breakpoints> {
  const all = vscode.debug.breakpoints;
  return {
    breakpoints: all.slice(0, limit).map(describeBreakpoint),
    omitted: Math.max(0, all.length - limit),
  };
}

function describeBreakpoint(one: vscode.Breakpoint): IdeBreakpoint {
  const { enabled, condition, hitCondition, logMessage } = one;
  const source = one instanceof vscode.SourceBreakpoint ? one.location : undefined;
  const column = source?.range.start.character ?? 0;
  return {
    kind: source ? 'source' : one instanceof vscode.FunctionBreakpoint ? 'function' : 'other',
    uri: source ? uriText(source.uri) : null,
    line: source ? source.range.start.line + 1 : null,
    column: column > 0 ? column + 1 : null,
    name: one instanceof vscode.FunctionBreakpoint ? clipText(one.functionName) : null,
    enabled,
    condition: clipOrNull(condition),
    hitCondition: clipOrNull(hitCondition),
    logMessage: clipOrNull(logMessage),
    verified: null,
  };
}

function clipOrNull(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : clipText(text);
}

/** Answers `ide.variables`. */
export async function readSessionVariables(
  debugging: Debugging,
  { session, ...wanted }: ParamsOut<typeof ide.variables>,
  signal: AbortSignal,
): Promise<ResultOf<typeof ide.variables>> {
  const entry = debugging.live.find(({ id }) => id === session);
  if (!entry) throw new RpcError(ErrorCode.NotFound, `ide.variables: there is no debug session ${session}`);
  return { scopes: await readVariables(entry, wanted, signal) };
}

/** Variables of a frame, by default the innermost, or the content of a reference. Errors: `not-stopped`. */
export async function readVariables(
  entry: DebugEntry,
  { frame, reference, limit }: Omit<ParamsOut<typeof ide.variables>, 'session'>,
  signal: AbortSignal,
): Promise<ResultOf<typeof ide.variables>['scopes']> {
  if (reference !== undefined && !entry.references.has(reference))
    throw toolError('not-found', `debug session ${entry.id} has no variable of the reference ${reference}`, {
      help: 'Take one of debug_variables or debug_evaluate; each ends when the program runs on',
    });
  if (reference !== undefined)
    return [
      {
        name: 'variable',
        expensive: false,
        reference,
        ...(await readHeldVariables(entry, reference, limit, signal)),
      },
    ];
  const frameId = frame ?? (await topFrame(entry, signal))?.id;
  if (frameId === undefined)
    throw toolError('not-stopped', `debug session ${entry.id} runs`, { help: 'Stop it first: debug_pause' });
  const { scopes } = await askAdapter(entry, 'scopes', { frameId }, signal);
  const read = scopes.slice(0, debugLimits.scopes).map(async ({ name, expensive, variablesReference }) => ({
    name: clipText(name),
    expensive,
    reference: variablesReference,
    ...(expensive
      ? { variables: [], omitted: 0 }
      : await readHeldVariables(entry, variablesReference, limit, signal)),
  }));
  return Promise.all(read);
}

/** The innermost frame of the thread that stopped; undefined while it runs. */
export async function topFrame(entry: DebugEntry, signal: AbortSignal): Promise<RawFrame | undefined> {
  const threadId = entry.stop?.thread;
  if (threadId === undefined) return undefined;
  const { stackFrames } = await askAdapter(
    entry,
    'stackTrace',
    { threadId, startFrame: 0, levels: 1 },
    signal,
  );
  return stackFrames[0];
}

async function readHeldVariables(
  entry: DebugEntry,
  variablesReference: number,
  limit: number,
  signal: AbortSignal,
): Promise<{ variables: DebugVariable[]; omitted: number }> {
  const { variables: all } = await askAdapter(entry, 'variables', { variablesReference }, signal);
  return {
    variables: all.slice(0, limit).map(describeVariable),
    omitted: Math.max(0, all.length - limit),
  };
}

function describeVariable({ name, value, type, variablesReference }: RawVariable): DebugVariable {
  return {
    name: clipText(name),
    value: clipText(value),
    type: clipOrNull(type),
    reference: Math.max(0, variablesReference),
  };
}
