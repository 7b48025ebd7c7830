import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import * as z from 'zod';
import { deadline, poll } from '../../../../bridge/lib/index.ts';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { pathText, type Place } from '../place/index.ts';

/** Maximum time for VS Code to reload a notebook after its file was changed, in milliseconds. */
const reloadMs = 5000;

/** The compared part of the file. A text given in parts consists of lines with their line ends. */
const notebookFile = z.object({
  cells: z.array(
    z.object({ cell_type: z.string(), source: z.union([z.string(), z.array(z.string())]).default('') }),
  ),
});

/**
 * Waits until a notebook without unsaved changes has the cells of its file, which VS Code reloads a moment after a
 * program has changed it. A notebook with unsaved changes is left as it is: they would be lost.
 * Errors: `stale-version`.
 */
export async function refuseStale(
  notebook: vscode.NotebookDocument,
  { real, path }: Place,
  signal: AbortSignal,
): Promise<void> {
  if (notebook.isDirty) return;
  const name = pathText(path);
  using limit = deadline(`reload of ${name}`, reloadMs, signal);
  const probe = async () => {
    const settled = notebook.isDirty || (await isCurrent(notebook, real));
    return settled
      ? ({ done: true, value: undefined } as const)
      : ({ done: false, saw: 'other cells' } as const);
  };
  try {
    await poll(name, probe, { intervalMs: 50, signal: limit.signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw toolError('stale-version', `${name} was changed on disk, and the IDE still has an older notebook`, {
      help: 'Try again in a moment',
      cause,
    });
  }
}

/** Whether it has the cells of its file. A file in another format can't be compared, and counts as current. */
async function isCurrent(notebook: vscode.NotebookDocument, path: string): Promise<boolean> {
  const file = notebookFile.safeParse(parsed(await readFile(path, 'utf8').catch(() => '')));
  if (!file.success) return true;
  const { cells } = file.data;
  const onDisk = cells.map(({ cell_type: type, source }) => [
    type === 'code',
    plain(typeof source === 'string' ? source : source.join('')),
  ]);
  const here = notebook
    .getCells()
    .map(({ kind, document }) => [kind === vscode.NotebookCellKind.Code, plain(document.getText())]);
  return JSON.stringify(onDisk) === JSON.stringify(here);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function plain(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
