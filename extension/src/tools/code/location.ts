import type * as vscode from 'vscode';

/** A place in a language server's answer, in one of two forms. */
export type AnyLocation = vscode.Location | vscode.LocationLink;

export function uriOf(location: AnyLocation): vscode.Uri {
  return 'targetUri' in location ? location.targetUri : location.uri;
}

/** The range of the name, if the server reports it. */
export function rangeOf(location: AnyLocation): vscode.Range {
  return 'targetUri' in location ? (location.targetSelectionRange ?? location.targetRange) : location.range;
}
