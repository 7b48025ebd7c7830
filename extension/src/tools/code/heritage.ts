import type * as vscode from 'vscode';

/** The places in a type's head that name its supertypes; type arguments are not supertypes. */
export function findHeritage(
  document: vscode.TextDocument,
  { selectionRange, range }: HierarchyItem,
): vscode.Position[] {
  const start = document.offsetAt(selectionRange.end);
  const text = document.getText().slice(start, document.offsetAt(range.end));
  const offsets = document.languageId === 'python' ? findPythonBases(text) : findSupertypeNames(text);
  return offsets.map((offset) => document.positionAt(start + offset));
}

/** In TypeScript and JavaScript: the names after `extends` and `implements`. */
export function findSupertypeNames(text: string): number[] {
  const head = blankTypeArguments(text).split('{', 1)[0] ?? '';
  const clause = /\b(?:extends|implements)\b/.exec(head);
  if (!clause) return [];
  const names = head
    .slice(clause.index)
    .matchAll(/[\p{L}_$][\p{L}\p{N}_$]*(?=\s*(?:,|$|extends\b|implements\b))/gu);
  return [...names]
    .filter(([name]) => name !== 'extends' && name !== 'implements')
    .map(({ index }) => clause.index + index);
}

/** In Python: the last name of each base in the parentheses, e.g. `Base` of `module.Base[int]`; no keyword arguments. */
export function findPythonBases(text: string): number[] {
  const [head = ''] = /^\s*(?:\[[^(]*\]\s*)?\(/.exec(text) ?? [];
  if (head === '') return [];
  const found: number[] = [];
  let depth = 0;
  let from = head.length;
  const take = (end: number) => {
    const [whole = '', before = ''] =
      /^(\s*(?:\w+\s*\.\s*)*)\w+(?=\s*(?:\[|$))/u.exec(text.slice(from, end)) ?? [];
    if (whole !== '') found.push(from + before.length);
  };
  for (let at = head.length; at < text.length; at += 1) {
    const letter = text[at] ?? '';
    if (depth === 0 && (letter === ',' || letter === ')')) {
      take(at);
      from = at + 1;
      if (letter === ')') break;
    }
    if ('([{'.includes(letter)) depth += 1;
    if (')]}'.includes(letter)) depth -= 1;
  }
  return found;
}

/** Replaces `<…>` by blanks, so that offsets stay. */
function blankTypeArguments(text: string): string {
  let depth = 0;
  let blanked = '';
  for (const letter of text) {
    if (letter === '<') depth += 1;
    blanked += depth > 0 ? ' '.repeat(letter.length) : letter;
    if (letter === '>' && depth > 0) depth -= 1;
  }
  return blanked;
}

/** The common fields of items of call and type hierarchies. */
export type HierarchyItem = vscode.CallHierarchyItem | vscode.TypeHierarchyItem;

/** An item of the next level, with the lines of the calls. */
export interface NextHierarchyItem {
  readonly item: HierarchyItem;
  readonly calls: readonly number[];
}
