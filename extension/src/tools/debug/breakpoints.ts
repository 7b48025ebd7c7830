import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import {
  type debugTools,
  toolError,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import { clipText } from '../../lib/index.ts';
import type { Debugging } from '../../state/index.ts';
import { readDocumentLine } from '../code/index.ts';
import { formatPath, resolvePlace } from '../workspace-place.ts';

type Debug = typeof debugTools;
type PlainBreakpoint = ToolOutput<Debug['setBreakpoint']>['breakpoint'];
const maxBreakpoints = 1000;

export async function setBreakpoint(
  debugging: Debugging,
  input: ToolInput<Debug['setBreakpoint']>,
): Promise<ToolOutput<Debug['setBreakpoint']>> {
  const { path, real, uri } = await resolvePlace(input.path);
  if ((await stat(real).catch(() => undefined))?.isDirectory() === true)
    throw toolError('not-a-file', `${formatPath(path)} is a folder`);
  const document = await vscode.workspace.openTextDocument(uri).then(
    (opened) => opened,
    () => undefined,
  );
  if (!document) throw toolError('not-found', `there is no text file ${formatPath(path)}`);
  const { length } = readDocumentLine(document, input.line);
  if (input.column !== undefined && input.column > length + 1)
    throw toolError(
      'bad-arguments',
      `line ${input.line} has ${length} characters, no column ${input.column}`,
    );
  refuseUndebugged(document);
  const there = listBreakpointsOnLine(path, input.line);
  const at = new vscode.Position(input.line - 1, (input.column ?? 1) - 1);
  const made = new vscode.SourceBreakpoint(
    new vscode.Location(uri, at),
    input.enabled,
    input.condition,
    input.hit_condition,
    input.log_message,
  );
  if (there.length > 0) vscode.debug.removeBreakpoints(there);
  vscode.debug.addBreakpoints([made]);
  await awaitBreakpointChange();
  return { breakpoint: await describeToolBreakpoint(debugging, made), replaced: there.length > 0 };
}

/** Allows the same languages as VS Code's own editor, where a click sets one. */
function refuseUndebugged({ languageId, uri }: vscode.TextDocument): void {
  if (vscode.workspace.getConfiguration('debug', uri).get('allowBreakpointsEverywhere') === true) return;
  const languages = vscode.extensions.all.flatMap(({ packageJSON }) => {
    const { contributes } = packageJSON as {
      contributes?: { breakpoints?: readonly { language?: string }[] };
    };
    return (contributes?.breakpoints ?? []).map(({ language }) => language);
  });
  if (languages.includes(languageId)) return;
  throw toolError(
    'not-supported',
    `${formatPath(uri.fsPath)} is ${languageId}, in which no debugger here stops`,
    {
      help: 'The setting debug.allowBreakpointsEverywhere allows it anyway',
    },
  );
}

export async function removeBreakpoints({
  path,
  line,
}: ToolInput<Debug['removeBreakpoints']>): Promise<ToolOutput<Debug['removeBreakpoints']>> {
  if (path === undefined && line !== undefined) throw toolError('bad-arguments', 'a line needs its path');
  const where = path === undefined ? undefined : await resolvePlace(path);
  const found = where === undefined ? [...vscode.debug.breakpoints] : listBreakpointsOnLine(where.path, line);
  if (where && found.length === 0 && !(await stat(where.real).catch(() => undefined)))
    throw toolError('not-found', `there is no file ${formatPath(where.path)}, and no breakpoint in one`);
  vscode.debug.removeBreakpoints(found);
  await awaitBreakpointChange();
  return { removed: found.length };
}

/** Waits until the window has handled the change: a breakpoint that is removed earlier reappears for a moment. */
async function awaitBreakpointChange(): Promise<void> {
  await vscode.commands.executeCommand('vscode.getEditorLayout');
}

export async function listBreakpoints(debugging: Debugging): Promise<ToolOutput<Debug['listBreakpoints']>> {
  const all = vscode.debug.breakpoints;
  const shown = await Promise.all(
    all.slice(0, maxBreakpoints).map((one) => describeToolBreakpoint(debugging, one)),
  );
  return { breakpoints: shown, truncated: all.length > maxBreakpoints };
}

function listBreakpointsOnLine(path: string, line: number | undefined): vscode.Breakpoint[] {
  return vscode.debug.breakpoints.filter(
    (one) =>
      one instanceof vscode.SourceBreakpoint &&
      one.location.uri.fsPath === path &&
      (line === undefined || one.location.range.start.line === line - 1),
  );
}

async function describeToolBreakpoint(
  debugging: Debugging,
  one: vscode.Breakpoint,
): Promise<PlainBreakpoint> {
  const source = one instanceof vscode.SourceBreakpoint ? one.location : undefined;
  const column = source?.range.start.character ?? 0;
  return {
    path: source ? formatPath(source.uri.fsPath) : null,
    line: source ? source.range.start.line + 1 : null,
    column: column > 0 ? column + 1 : null,
    function: one instanceof vscode.FunctionBreakpoint ? clipText(one.functionName) : null,
    enabled: one.enabled,
    condition: one.condition ?? null,
    hit_condition: one.hitCondition ?? null,
    log_message: one.logMessage ?? null,
    verified: await readVerified(debugging, one),
  };
}

/** Verified by any running session. */
async function readVerified(debugging: Debugging, one: vscode.Breakpoint): Promise<boolean | null> {
  const asked = debugging.live.map(async ({ session }) => {
    const reported = (await session.getDebugProtocolBreakpoint(one)) as
      { readonly verified?: boolean } | undefined;
    return reported?.verified;
  });
  const known = (await Promise.all(asked)).filter((word) => word !== undefined);
  return known.length === 0 ? null : known.includes(true);
}
