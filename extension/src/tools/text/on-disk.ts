import { readFile, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { deadline, poll } from '../../../../bridge/lib/index.ts';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { pathText } from '../place/index.ts';
import { isFile, maxFileBytes } from './load.ts';

/** How a document's text compares with its file. */
export type OnDisk = 'same' | 'other' | 'gone';

/** Maximum time for VS Code to reload a file after it was changed, in milliseconds. */
const reloadMs = 5000;
/** The same when waiting for all documents, in milliseconds. */
const allReloadsMs = 2000;

/** A file that is too large to be edited by tools is not read, and counts as the same. */
export async function compareWithDisk(document: vscode.TextDocument): Promise<OnDisk> {
  const path = document.uri.fsPath;
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isFile()) return 'gone';
  if (stats.size > maxFileBytes) return 'same';
  const bytes = await readFile(path).catch(() => undefined);
  if (!bytes) return 'gone';
  const text = await vscode.workspace.decode(bytes, { encoding: document.encoding });
  return comparable(text) === comparable(document.getText()) ? 'same' : 'other';
}

/**
 * Waits until a document without unsaved changes has the text of its file, which VS Code reloads a moment after a program
 * has changed it. Does not wait for a file that is gone. Errors: `stale-version`.
 */
export async function awaitReload(
  document: vscode.TextDocument,
  signal?: AbortSignal,
  ms = reloadMs,
): Promise<void> {
  if (document.isDirty || document.isClosed || !isFile(document.uri)) return;
  const name = pathText(document.uri.fsPath);
  using limit = deadline(`reload of ${name}`, ms, signal);
  const probe = async () => {
    const settled = document.isDirty || document.isClosed || (await compareWithDisk(document)) !== 'other';
    return settled
      ? ({ done: true, value: undefined } as const)
      : ({ done: false, saw: 'an older text' } as const);
  };
  try {
    await poll(name, probe, { intervalMs: 50, signal: limit.signal });
  } catch (cause) {
    signal?.throwIfAborted();
    throw toolError('stale-version', `${name} was changed on disk, and the IDE still has an older text`, {
      help: 'Try again in a moment',
      cause,
    });
  }
}

/**
 * As {@link awaitReload}, for all documents in VS Code's memory: language servers answer from them. A document that VS
 * Code does not reload is no error here: edits computed from it are refused when they are applied.
 */
export async function awaitReloads(signal: AbortSignal): Promise<void> {
  const reloads = vscode.workspace.textDocuments.map((document) =>
    awaitReload(document, signal, allReloadsMs),
  );
  await Promise.allSettled(reloads);
  signal.throwIfAborted();
}

/** VS Code gives all lines of a document the same line end, and removes the byte order mark. */
function comparable(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
}
