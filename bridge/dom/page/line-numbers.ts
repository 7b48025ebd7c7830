/** Line numbers of editors, for one reading: VS Code draws them in a separate layer, at the height of their lines. */
export class LineNumbers {
  readonly #editors = new Map<Element, ReadonlyMap<string, number>>();

  /** Of a line, or of the margin beside it; undefined in an editor without line numbers, or for a wrapped line's rest. */
  of(row: Element): number | undefined {
    const editor = row.closest('.monaco-editor');
    if (!editor) return undefined;
    let numbers = this.#editors.get(editor);
    if (!numbers) this.#editors.set(editor, (numbers = numbersIn(editor)));
    return numbers.get((row as HTMLElement).style.top);
  }
}

/** The number of a sticky line, at the top of an editor while its block is scrolled; VS Code puts it into a class. */
export function stickyLineNumber(element: Element): number | undefined {
  const [, number] = /\bstickyLine(\d+)\b/.exec(element.className) ?? [];
  return number === undefined ? undefined : Number(number);
}

function numbersIn(editor: Element): Map<string, number> {
  const numbers = new Map<string, number>();
  const heights: [height: number, number: number][] = [];
  for (const row of editor.querySelectorAll<HTMLElement>('.margin-view-overlays > div')) {
    // An editor within this one, as in a peek view, has its own line numbers.
    if (row.closest('.monaco-editor') !== editor) continue;
    const number = Number(row.querySelector('.line-numbers')?.textContent);
    if (!Number.isSafeInteger(number) || number < 1) continue;
    numbers.set(row.style.top, number);
    heights.push([parseFloat(row.style.top), number]);
  }
  heights.sort(([one], [other]) => one - other);
  // Relative numbers, which count away from the caret, say nothing about a line.
  const rise = heights.every(([, number], i) => number > (heights[i - 1]?.[1] ?? 0));
  return rise ? numbers : new Map<string, number>();
}
