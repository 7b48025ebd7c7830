import { isUtf8 } from 'node:buffer';
import * as vscode from 'vscode';
import { toolError } from '../../../../bridge/protocol/index.ts';

export interface Decoded {
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
export async function decodeText(bytes: Uint8Array, uri: vscode.Uri, name: string): Promise<Decoded> {
  const marked = markOf(bytes);
  if (marked === undefined && bytes.subarray(0, lookForZero).includes(0))
    throw toolError('binary-file', `${name} is a binary file`, { help: 'Only text can be read and edited' });
  const candidates = marked === undefined ? [settingOf(uri), 'utf8', bytewise] : [marked];
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

function markOf(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf8bom';
  if (a === 0xfe && b === 0xff) return 'utf16be';
  if (a === 0xff && b === 0xfe) return 'utf16le';
  return undefined;
}

function settingOf(uri: vscode.Uri): string {
  return vscode.workspace.getConfiguration('files', uri).get('encoding', 'utf8');
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
