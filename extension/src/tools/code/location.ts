import type * as vscode from 'vscode';

/** A place as language servers answer it, in either of two forms. */
export type AnyLocation = vscode.Location | vscode.LocationLink;

export function uriOf(location: AnyLocation): vscode.Uri {
  return 'targetUri' in location ? location.targetUri : location.uri;
}

/** Of the name, where the server says so. */
export function rangeOf(location: AnyLocation): vscode.Range {
  return 'targetUri' in location ? (location.targetSelectionRange ?? location.targetRange) : location.range;
}
