import * as vscode from 'vscode';
import type { Outlined } from '../code/index.ts';

/** Parts of a file in which names are visible: those of its symbols; undefined for the whole file. */
export class Scopes {
  readonly #outline: readonly Outlined[];

  constructor(outline: readonly Outlined[]) {
    this.#outline = outline;
  }

  /** From the innermost to the whole file. The name of a symbol is in the scope around it. */
  around(position: vscode.Position): readonly (Outlined | undefined)[] {
    const inside = this.#outline.filter(
      ({ symbol: { range, selectionRange } }) =>
        range.contains(position) && !selectionRange.contains(position),
    );
    return [...inside.reverse(), undefined];
  }

  /** Whether the definition there is a member of a type. */
  isInType(position: vscode.Position): boolean {
    const [scope] = this.around(position);
    return scope !== undefined && isType(scope);
  }
}

/** A symbol whose parts are members, named by it. */
export function isType({ symbol: { kind } }: Outlined): boolean {
  const { Class, Interface, Enum, Struct } = vscode.SymbolKind;
  return [Class, Interface, Enum, Struct].includes(kind);
}
