import * as vscode from 'vscode';
import { deadline, raceSignal, clipEnd } from '../../../../bridge/lib/index.ts';
import type { ToolInput, ToolOutput, debugTools } from '../../../../bridge/protocol/index.ts';
import { clipText } from '../../lib/index.ts';
import type { DebugEntry, Debugging } from '../../state/index.ts';
import { newOutput } from './position.ts';
import { sessionOf } from './session.ts';

/** Maximum time for sessions to end, in milliseconds. */
const stopMs = 10_000;

export async function debugStop(
  debugging: Debugging,
  input: ToolInput<typeof debugTools.debugStop>,
): Promise<ToolOutput<typeof debugTools.debugStop>> {
  const wanted = input.session === undefined ? debugging.live : [sessionOf(debugging, input.session)];
  const roots = [...new Set(wanted.map(({ root }) => root))];
  const all = roots.flatMap((root) => debugging.tree(root)).filter(({ state }) => state !== 'ended');
  await endSessions(debugging, roots);
  const ended = all.filter(({ state }) => state === 'ended');
  const output = roots.map((root) => newOutput(root, input.max_output).text).join('');
  return {
    ended: ended.slice(0, 100).map(({ id, session }) => ({
      session: id,
      name: clipText(session.name),
      type: clipText(session.type),
    })),
    remaining: all.length - ended.length,
    output: clipEnd(output, 100_000),
  };
}

/** Ends sessions with their children, and waits until they have ended, up to the maximum time. */
export async function endSessions(debugging: Debugging, roots: readonly DebugEntry[]): Promise<void> {
  using limit = deadline('end of debugging', stopMs);
  const asked = roots.map(({ session }) => Promise.resolve(vscode.debug.stopDebugging(session)));
  const over = () =>
    roots.every((root) => debugging.tree(root).every(({ state }) => state === 'ended')) ? true : undefined;
  await raceSignal(Promise.all(asked), limit.signal).catch(() => undefined);
  await debugging.until(over, limit.signal).catch(() => undefined);
}
