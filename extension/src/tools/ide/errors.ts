import { stat } from 'node:fs/promises';
import { sep } from 'node:path';
import * as vscode from 'vscode';
import type { ideTools, ToolInput, ToolOutput } from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { codeFiles, documentAt, ignoredGlob } from '../code/index.ts';
import { pathText, place } from '../place/index.ts';
import { currentProblems, worstFirst, type Checked, type ReportedProblems } from '../problems/index.ts';

type Errors = typeof ideTools.getErrors;

const severities = ['error', 'warning', 'information', 'hint'] as const;
/** Maximum number of files in one answer; the descriptor states it to models. */
const maxFiles = 100;

export async function getErrors(
  { paths, severity, wait_ms: ms, limit }: ToolInput<Errors>,
  { signal }: ToolContext,
  reported: ReportedProblems,
): Promise<ToolOutput<Errors>> {
  const { documents: some, left } = await documentsOf(paths);
  const wanted = severities.slice(0, severities.indexOf(severity) + 1);
  const checked = await Promise.all(
    some.map(async (document) => {
      const found = await currentProblems(document, reported, ms, signal);
      const problems = found.problems.filter((one) => wanted.includes(one.severity));
      return { file: factsOf(document, found, problems.length), problems };
    }),
  );
  const all = worstFirst(checked.flatMap(({ problems }) => problems));
  return {
    problems: all.slice(0, limit),
    total: all.length,
    errors: all.filter((one) => one.severity === 'error').length,
    files: checked.map(({ file }) => file),
    not_checked: left,
    truncated: all.length > limit || left > 0,
  };
}

function factsOf({ uri }: vscode.TextDocument, { state, why, version }: Checked, problems: number) {
  return { path: pathText(uri.fsPath), state, why, document_version: version, problems };
}

/** Maximum number of code files of a folder that are counted. */
const mostCounted = 10_000;

interface Chosen {
  readonly documents: readonly vscode.TextDocument[];
  /** Number of files that are left out: beyond the maximum, or existing but impossible to open. */
  readonly left: number;
}

/**
 * The named files, then those of folders, by path. If there are too many, open ones come before those with reported
 * problems, and those before all other code.
 */
async function documentsOf(paths: readonly string[]): Promise<Chosen> {
  const named = new Map<string, vscode.TextDocument>();
  const inFolders = new Map<string, vscode.Uri>();
  const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri.fsPath) ?? [];
  for (const path of paths.length === 0 ? folders : paths) {
    const where = await place(path);
    const stats = await stat(where.real).catch(() => undefined);
    if (stats?.isDirectory()) for (const uri of await filesIn(where.uri)) inFolders.set(uri.toString(), uri);
    else {
      const document = await documentAt(path);
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
    .filter(({ uri, isClosed }) => !isClosed && onDisk(uri) && inside(uri))
    .map(({ uri }) => uri);
  const reported = vscode.languages
    .getDiagnostics()
    .filter(([uri, problems]) => problems.length > 0 && onDisk(uri) && inside(uri))
    .map(([uri]) => uri);
  const pattern = new vscode.RelativePattern(folder, codeFiles());
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

function onDisk({ scheme }: vscode.Uri): boolean {
  return scheme === 'file' || scheme === 'vscode-remote';
}
