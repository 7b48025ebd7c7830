import { stat } from 'node:fs/promises';
import { sep } from 'node:path';
import * as vscode from 'vscode';
import { ideTools, type ToolInput, type ToolOutput } from '../../../../bridge/protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { type CheckedProblems, readCurrentProblems } from '../check-problems.ts';
import { ignoredGlob, makeCodeFileGlob, openCodeDocument } from '../code/index.ts';
import { isFileUri } from '../file-text.ts';
import { sortProblems } from '../problem-sources.ts';
import type { ReportedProblems, WindowFacts } from '../window-facts.ts';
import { formatPath, resolvePlace } from '../workspace-place.ts';
import { getSettings, setSetting } from './change-settings.ts';
import { listCommands, listKeybindings, runCommand } from './commands.ts';
import { listExtensions, manageExtension } from './manage-extensions.ts';

/** Adds the tools of the IDE itself. */
export function addIdeTools(
  handlers: ToolHandlers,
  { profile, reportedProblems }: WindowFacts,
): ToolHandlers {
  return handlers
    .add(ideTools.getErrors, (input, context) => getErrors(input, context, reportedProblems))
    .add(ideTools.getSettings, getSettings)
    .add(ideTools.setSetting, setSetting)
    .add(ideTools.listExtensions, listExtensions)
    .add(ideTools.manageExtension, manageExtension)
    .add(ideTools.listCommands, listCommands)
    .add(ideTools.runCommand, runCommand)
    .add(ideTools.listKeybindings, (input, context) => listKeybindings(input, context, profile));
}

type Errors = typeof ideTools.getErrors;

const severities = ['error', 'warning', 'information', 'hint'] as const;
/** Maximum number of files in one answer; the descriptor states it to models. */
const maxFiles = 100;

async function getErrors(
  { paths, severity, wait_ms: ms, limit }: ToolInput<Errors>,
  { signal }: ToolContext,
  reported: ReportedProblems,
): Promise<ToolOutput<Errors>> {
  const { documents: some, left } = await chooseDocuments(paths);
  const wanted = severities.slice(0, severities.indexOf(severity) + 1);
  const checked = await Promise.all(
    some.map(async (document) => {
      const found = await readCurrentProblems(document, reported, ms, signal);
      const problems = found.problems.filter((one) => wanted.includes(one.severity));
      return { file: describeChecked(document, found, problems.length), problems };
    }),
  );
  const all = sortProblems(checked.flatMap(({ problems }) => problems));
  return {
    problems: all.slice(0, limit),
    total: all.length,
    errors: all.filter((one) => one.severity === 'error').length,
    files: checked.map(({ file }) => file),
    not_checked: left,
    truncated: all.length > limit || left > 0,
  };
}

function describeChecked(
  { uri }: vscode.TextDocument,
  { state, why, version }: CheckedProblems,
  problems: number,
) {
  return { path: formatPath(uri.fsPath), state, why, document_version: version, problems };
}

/** Maximum number of code files of a folder that are counted. */
const mostCounted = 10_000;

interface ChosenDocuments {
  readonly documents: readonly vscode.TextDocument[];
  /** Number of files that are left out: beyond the maximum, or existing but impossible to open. */
  readonly left: number;
}

/**
 * The named files, then those of folders, by path. If there are too many, open ones come before those with reported
 * problems, and those before all other code.
 */
async function chooseDocuments(paths: readonly string[]): Promise<ChosenDocuments> {
  const named = new Map<string, vscode.TextDocument>();
  const inFolders = new Map<string, vscode.Uri>();
  const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri.fsPath) ?? [];
  for (const path of paths.length === 0 ? folders : paths) {
    const where = await resolvePlace(path);
    const stats = await stat(where.real).catch(() => undefined);
    if (stats?.isDirectory()) for (const uri of await filesIn(where.uri)) inFolders.set(uri.toString(), uri);
    else {
      const document = await openCodeDocument(path);
      named.set(document.uri.toString(), document);
    }
  }
  const others = [...inFolders].filter(([key]) => !named.has(key)).map(([, uri]) => uri);
  const room = Math.max(0, maxFiles - named.size);
  const chosen = others.slice(0, room).sort(byPath);
  const opened = await Promise.all(chosen.map(openIfThere));
  const beyond = Math.max(0, others.length - room);
  return {
    documents: [...named.values(), ...opened.filter((one) => typeof one === 'object')],
    left: beyond + opened.filter((one) => one === 'unopened').length,
  };
}

function byPath({ fsPath: a }: vscode.Uri, { fsPath: b }: vscode.Uri): number {
  return a < b ? -1 : Number(a > b);
}

async function filesIn(folder: vscode.Uri): Promise<vscode.Uri[]> {
  const { fsPath } = folder;
  const inside = (uri: vscode.Uri) => uri.fsPath.startsWith(fsPath.endsWith(sep) ? fsPath : fsPath + sep);
  const open = vscode.workspace.textDocuments
    .filter(({ uri, isClosed }) => !isClosed && isFileUri(uri) && inside(uri))
    .map(({ uri }) => uri);
  const reported = vscode.languages
    .getDiagnostics()
    .filter(([uri, problems]) => problems.length > 0 && isFileUri(uri) && inside(uri))
    .map(([uri]) => uri);
  const pattern = new vscode.RelativePattern(folder, makeCodeFileGlob());
  const code = await vscode.workspace.findFiles(pattern, ignoredGlob, mostCounted);
  return [...open, ...reported, ...code.sort(byPath)];
}

/** A file may be gone while its problems are still reported; an existing file that can't be opened is not checked. */
async function openIfThere(uri: vscode.Uri): Promise<vscode.TextDocument | 'gone' | 'unopened'> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return stat(uri.fsPath).then(
      () => 'unopened',
      () => 'gone',
    );
  }
}
