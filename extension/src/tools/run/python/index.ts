import * as vscode from 'vscode';
import { shownText } from '../../../../../bridge/lib/index.ts';
import {
  runTools,
  toolError,
  type ToolInput,
  type ToolOutput,
} from '../../../../../bridge/protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../../../../bridge/rpc/index.ts';
import { clipMiddle } from '../../../lib/index.ts';
import { inTurn } from '../../edit/index.ts';
import { Interpreter } from './interpreter.ts';

export { programEnvironment } from './interpreter.ts';

type RunPython = (typeof runTools)['runPython'];
const most = { output: 200_000, value: 100_000, sessions: 8 };

/** Interpreters by the name of their session. They end with this process, when their pipes close. */
const sessions = new Map<string, Interpreter>();

/** Adds Python in persistent interpreters. */
export function addPython(handlers: ToolHandlers): ToolHandlers {
  return handlers.add(runTools.runPython, (input, { signal }) =>
    inTurn(`python session ${input.session}`, signal, () => run(input, signal)),
  );
}

async function run(
  { code, session, reset, timeout_ms: ms }: ToolInput<RunPython>,
  signal: ToolContext['signal'],
): Promise<ToolOutput<RunPython>> {
  const began = performance.now();
  if (reset) end(session);
  const known = sessions.get(session)?.alive === true;
  const interpreter = await sessionOf(session, signal);
  const cell = await interpreter.run(code, ms, signal);
  const output = clipMiddle(shownText(cell.output), most.output);
  const result = clipMiddle(cell.result ?? '', most.value);
  const error = clipMiddle(cell.error ?? '', most.value);
  return {
    ...interpreter.about,
    status: cell.status,
    output: output.text,
    result: cell.result === null ? null : result.text,
    error: cell.error === null ? null : error.text,
    truncated: output.omitted + result.omitted + error.omitted > 0,
    fresh: !known,
    duration_ms: performance.now() - began,
  };
}

async function sessionOf(name: string, signal: AbortSignal): Promise<Interpreter> {
  const known = sessions.get(name);
  if (known?.alive) return known;
  sessions.delete(name);
  if (sessions.size >= most.sessions) {
    const names = [...sessions.keys()].join(', ');
    throw toolError('too-large', `${most.sessions} interpreters run: ${names}`, { help: 'Use one of them' });
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (folder === undefined) throw toolError('not-found', 'the window shows no folder');
  const started = await Interpreter.start(folder, signal);
  sessions.set(name, started);
  return started;
}

function end(name: string): void {
  sessions.get(name)?.[Symbol.dispose]();
  sessions.delete(name);
}
