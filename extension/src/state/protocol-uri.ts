import * as vscode from 'vscode';
import { ErrorCode, RpcError } from '../../../bridge/protocol/index.ts';
import { clip } from '../../../bridge/text/index.ts';

/** A URI as the protocol carries it: percent-encoded, and bounded, since a `data:` URI may hold a whole file. */
export function uriText(uri: vscode.Uri): string {
  return clip(uri.toString(), 8192);
}

/** Reads a URI that a caller sent. Errors: `InvalidParams`. */
export function parseUri(method: string, text: string): vscode.Uri {
  try {
    return vscode.Uri.parse(text, true);
  } catch (cause) {
    throw new RpcError(
      ErrorCode.InvalidParams,
      `${method}: ${clip(text, 200)} is not a URI such as file:///a/b.ts`,
      { cause },
    );
  }
}
