import { stat } from 'node:fs/promises';
import { sep } from 'node:path';
import * as vscode from 'vscode';
import type { ideTools, ToolInput, ToolOutput } from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { documentAt } from '../code/index.ts';
import { pathText, place } from '../place/index.ts';
import { currentProblems, worstFirst, type Checked, type ReportedProblems } from '../problems/index.ts';

type Errors = typeof ideTools.getErrors;

const severities = ['error', 'warning', 'information', 'hint'] as const;
/** Files of one answer; the descriptor states it to models. */
const maxFiles = 100;

export async function getErrors(
  { paths, severity, wait_ms: ms, limit }: ToolInput<Errors>,
  { signal }: ToolContext,
  reported: ReportedProblems,
): Promise<ToolOutput<Errors>> {
  const documents = await documentsOf(paths);
  const some = documents.slice(0, maxFiles);
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
    truncated: all.length > limit || documents.length > some.length,
  };
}

function factsOf({ uri }: vscode.TextDocument, { state, why, version }: Checked, problems: number) {
  return { path: pathText(uri.fsPath), state, why, document_version: version, problems };
}

async function documentsOf(paths: readonly string[]): Promise<vscode.TextDocument[]> {
  const found = new Map<string, vscode.TextDocument>();
  const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri.fsPath) ?? [];
  for (const path of paths.length === 0 ? folders : paths) {
    const where = await place(path);
    const stats = await stat(where.real).catch(() => undefined);
    const documents = stats?.isDirectory() ? await documentsIn(where.path) : [await documentAt(path)];
    for (const document of documents) found.set(document.uri.toString(), document);
  }
  return [...found.values()];
}

/** Those that are open, and those with reported problems. */
async function documentsIn(folder: string): Promise<vscode.TextDocument[]> {
  const inside = (uri: vscode.Uri) => uri.fsPath.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  const open = vscode.workspace.textDocuments.filter(
    ({ uri, isClosed }) => !isClosed && onDisk(uri) && inside(uri),
  );
  const known = new Set(open.map(({ uri }) => uri.toString()));
  const others = vscode.languages
    .getDiagnostics()
    .filter(([uri, problems]) => problems.length > 0 && onDisk(uri) && inside(uri))
    .map(([uri]) => uri)
    .filter((uri) => !known.has(uri.toString()))
    .slice(0, maxFiles);
  const opened = await Promise.all(others.map(openIfThere));
  return [...open, ...opened.flatMap((one) => (one ? [one] : []))];
}

/** Undefined for a file that is gone, whose problems nobody took back yet. */
async function openIfThere(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined;
  }
}

function onDisk({ scheme }: vscode.Uri): boolean {
  return scheme === 'file' || scheme === 'vscode-remote';
}
