import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { deadline, poll } from '../../../bridge/lib/index.ts';
import { toolError } from '../../../bridge/protocol/index.ts';
import { formatPath, type WorkspacePlace } from './workspace-place.ts';

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
export async function loadText(place: WorkspacePlace): Promise<LoadedText> {
  const document = openDocument(place);
  if (document?.isDirty)
    return {
      text: document.getText(),
      encoding: document.encoding,
      document,
      unsaved: true,
      stats: undefined,
    };
  const name = formatPath(place.path);
  const { bytes, stats } = await readFileBytes(place.real, name);
  return { ...(await decodeText(bytes, place.uri, name)), document, unsaved: false, stats };
}

/** The document of a file, if VS Code has it in memory, by the given path or by another one that leads there. */
export function openDocument({ path, real }: WorkspacePlace): vscode.TextDocument | undefined {
  const found = vscode.workspace.textDocuments.filter(
    ({ uri, isClosed }) => !isClosed && isFileUri(uri) && (uri.fsPath === path || uri.fsPath === real),
  );
  return found.find(({ isDirty }) => isDirty) ?? found[0];
}

/** A file's bytes. Never waits for a pipe. Errors: `not-found`, `not-a-file`, `too-large`. */
export async function readFileBytes(
  path: string,
  name: string,
): Promise<{ bytes: Uint8Array; stats: Stats }> {
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
    throw toFileError(error, name);
  }
}

function toFileError(error: unknown, name: string): unknown {
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
export function isFileUri({ scheme }: vscode.Uri): boolean {
  return scheme === 'file' || scheme === 'vscode-remote';
}

interface DecodedText {
  readonly text: string;
  /** VS Code's name of the encoding. */
  readonly encoding: string;
}

/** Every byte is a character in it, so that nothing is lost if the meaning of the bytes is unknown. */
const bytewise = 'iso88591';

/** A binary file has a zero byte early on; UTF-16 has them, too, but is recognized by its byte order mark. */
const lookForZero = 8192;

/**
 * Decodes bytes by their byte order mark, else by the setting `files.encoding`, else as UTF-8, else byte by byte: always
 * so that writing the text back gives the same bytes. Errors: `binary-file`, `unknown-encoding`.
 */
export async function decodeText(bytes: Uint8Array, uri: vscode.Uri, name: string): Promise<DecodedText> {
  const marked = detectByteOrderMark(bytes);
  if (marked === undefined && bytes.subarray(0, lookForZero).includes(0))
    throw toolError('binary-file', `${name} is a binary file`, { help: 'Only text can be read and edited' });
  const candidates = marked === undefined ? [readEncodingSetting(uri), 'utf8', bytewise] : [marked];
  for (const encoding of candidates) {
    if (encoding === 'utf8') {
      if (isUtf8(bytes)) return { text: Buffer.from(bytes).toString('utf8'), encoding };
      continue;
    }
    const text = await vscode.workspace.decode(bytes, { encoding });
    if (sameBytes(await vscode.workspace.encode(text, { encoding }), bytes)) return { text, encoding };
  }
  throw toolError('unknown-encoding', `${name} can't be read as text without loss`, {
    help: 'Change it with a program that knows its format',
  });
}

/** Errors: `unknown-encoding` for characters that the encoding does not have. */
export async function encodeText(text: string, encoding: string, name: string): Promise<Uint8Array> {
  const bytes = await vscode.workspace.encode(text, { encoding });
  if (encoding.startsWith('utf')) return bytes;
  if ((await vscode.workspace.decode(bytes, { encoding })) === text) return bytes;
  throw toolError(
    'unknown-encoding',
    `${name} is in ${encoding}, which lacks some of the characters to write`,
    {
      help: 'Leave them out, or rewrite the whole file in UTF-8',
    },
  );
}

function detectByteOrderMark(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf8bom';
  if (a === 0xfe && b === 0xff) return 'utf16be';
  if (a === 0xff && b === 0xfe) return 'utf16le';
  return undefined;
}

function readEncodingSetting(uri: vscode.Uri): string {
  return vscode.workspace.getConfiguration('files', uri).get('encoding', 'utf8');
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** How a document's text compares with its file. */
type DiskComparison = 'same' | 'other' | 'gone';

/** Maximum time for VS Code to reload a file after it was changed, in milliseconds. */
const reloadMs = 5000;
/** The same when waiting for all documents, in milliseconds. */
const allReloadsMs = 2000;

/** A file that is too large to be edited by tools is not read, and counts as the same. */
export async function compareWithDisk(document: vscode.TextDocument): Promise<DiskComparison> {
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
  if (document.isDirty || document.isClosed || !isFileUri(document.uri)) return;
  const name = formatPath(document.uri.fsPath);
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

/** Identifies a text by its content: the same for a buffer and for the file that it is saved to. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
