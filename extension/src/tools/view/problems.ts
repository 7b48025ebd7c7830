import * as vscode from 'vscode';
import { deadline, raceSignal } from '../../../../bridge/lib/index.ts';
import type { ToolInput, ToolOutput, viewTools } from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { plainProblem, worstFirst } from '../problems/index.ts';

type Show = typeof viewTools.showProblems;

const severities = ['error', 'warning', 'information', 'hint'] as const;
/** Maximum time for the view to open, in milliseconds. */
const openMs = 20_000;

export async function showProblems(
  { severity, limit }: ToolInput<Show>,
  { signal }: ToolContext,
): Promise<ToolOutput<Show>> {
  using within = deadline('the Problems view', openMs, signal);
  const opened = vscode.commands.executeCommand('workbench.panel.markers.view.focus');
  await raceSignal(Promise.resolve(opened), within.signal);
  const wanted = severities.slice(0, severities.indexOf(severity) + 1);
  const all = vscode.languages
    .getDiagnostics()
    .flatMap(([uri, found]) => found.map((one) => plainProblem(uri, one)))
    .filter((one) => wanted.includes(one.severity));
  const problems = worstFirst(all).slice(0, limit);
  return { problems, total: all.length, truncated: all.length > limit };
}
