import { constants, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import * as vscode from 'vscode';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { pathText, type Place } from '../place/index.ts';
import { decodeText } from './encoding.ts';

/** Maximum bytes of a file; no one edits a larger text. */
export const maxFileBytes = 10 * 1024 * 1024;

/** A file's current text: from the editor if that has unsaved changes, else from disk. */
export interface LoadedText {
  readonly text: string;
  readonly encoding: string;
  /** The document, if VS Code has it in memory. */
  readonly document: vscode.TextDocument | undefined;
  /** The text is the document's, with changes that are not on disk. */
  readonly unsaved: boolean;
  /** The stats of the file that the text was read from; undefined if it is the document's. */
  readonly stats: Stats | undefined;
}

/** Errors: `not-found`, `not-a-file`, `binary-file`, `too-large`, `unknown-encoding`. */
export async function loadText(place: Place): Promise<LoadedText> {
  const document = openDocument(place);
  if (document?.isDirty)
    return {
      text: document.getText(),
      encoding: document.encoding,
      document,
      unsaved: true,
      stats: undefined,
    };
  const name = pathText(place.path);
  const { bytes, stats } = await readBytes(place.real, name);
  return { ...(await decodeText(bytes, place.uri, name)), document, unsaved: false, stats };
}

/** The document of a file, if VS Code has it in memory, by the given path or by another one that leads there. */
export function openDocument({ path, real }: Place): vscode.TextDocument | undefined {
  const found = vscode.workspace.textDocuments.filter(
    ({ uri, isClosed }) => !isClosed && isFile(uri) && (uri.fsPath === path || uri.fsPath === real),
  );
  return found.find(({ isDirty }) => isDirty) ?? found[0];
}

/** A file's bytes. Never waits for a pipe. Errors: `not-found`, `not-a-file`, `too-large`. */
export async function readBytes(path: string, name: string): Promise<{ bytes: Uint8Array; stats: Stats }> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile())
      throw toolError('not-a-file', `${name} is ${stats.isDirectory() ? 'a folder' : 'no regular file'}`);
    if (stats.size > maxFileBytes)
      throw toolError('too-large', `${name} has ${stats.size} bytes, more than ${maxFileBytes}`, {
        help: 'Use a shell command for the part that is wanted',
      });
    return { bytes: await file.readFile(), stats };
  } catch (error) {
    throw fileError(error, name);
  }
}

function fileError(error: unknown, name: string): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return toolError('not-found', `there is no file ${name}`, { cause: error });
    case 'ENOTDIR':
      return toolError('not-a-folder', `${name} is below a file`, { cause: error });
    case 'EISDIR':
      return toolError('not-a-file', `${name} is a folder`, { cause: error });
    default:
      return error;
  }
}

/** In a remote window, the remote machine's files have the scheme `file` here as well: the extension runs there. */
export function isFile({ scheme }: vscode.Uri): boolean {
  return scheme === 'file' || scheme === 'vscode-remote';
}
