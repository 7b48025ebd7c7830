/** Characters that take one column each, and one UTF-16 code unit. */
const narrowText = /^[ -\u02ff\u0370-\u0482\u048a-\u0587\u2010-\u2027\u2190-\u21ff\u2500-\u25ff]*$/;
/** Characters that take two columns. */
const wideCharacter =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]$|^\p{Emoji_Presentation}$/u;
/** Characters that are drawn onto the previous one. */
const combiningCharacter = /^[\p{M}\u200b-\u200d\ufe00-\ufe0f]$/u;
/** Columns from one tab stop to the next. */
const tabStop = 8;

/** One line of a terminal, in which programs move back and overwrite text. */
export class TerminalRow {
  /** Used while the line only grows and each character takes one column. */
  #plain = '';
  /** One character for each column; '' if the previous one takes this column, too. */
  #cells: string[] | undefined;

  get text(): string {
    return this.#cells?.join('') ?? this.#plain;
  }

  /** In columns. */
  get length(): number {
    return this.#cells?.length ?? this.#plain.length;
  }

  /** Writes from a column on; returns the column after the text. */
  write(column: number, text: string): number {
    if (!this.#cells && column === this.#plain.length && narrowText.test(text)) {
      this.#plain += text;
      return column + text.length;
    }
    const cells = this.#asCells();
    let at = column;
    for (const character of text) at += putCharacter(cells, at, character);
    return at;
  }

  /** Over existing text, a tab only moves the cursor. */
  tab(column: number): number {
    const next = column + tabStop - (column % tabStop);
    if (column >= this.length) {
      const cells = this.#asCells();
      padCells(cells, column);
      cells.push('\t', ...Array.from({ length: next - column - 1 }, () => ''));
    }
    return next;
  }

  /** Makes columns blank; without `to`, ends the line at `from`. */
  erase(from: number, to = Infinity): void {
    if (from >= this.length) return;
    const cells = this.#asCells();
    const end = Math.min(to, cells.length);
    for (let at = from; at < end; at += 1) blankCell(cells, at);
    if (end === cells.length) cells.length = from;
  }

  /** Moves the text from a column on to the right. */
  insert(column: number, count: number): void {
    if (column >= this.length) return;
    const cells = this.#asCells();
    splitCharacter(cells, column);
    cells.splice(column, 0, ...Array.from({ length: count }, () => ' '));
  }

  /** Removes columns; the text after them moves to the left. */
  remove(column: number, count: number): void {
    if (column >= this.length) return;
    const cells = this.#asCells();
    splitCharacter(cells, column);
    splitCharacter(cells, column + count);
    cells.splice(column, count);
  }

  #asCells(): string[] {
    return (this.#cells ??= [...this.#plain]);
  }
}

/** Returns how many columns the character takes. */
function putCharacter(cells: string[], at: number, character: string): number {
  if (combiningCharacter.test(character) && at > 0) {
    const owner = findOwner(cells, at - 1);
    if (cells[owner] !== undefined) cells[owner] += character;
    return 0;
  }
  padCells(cells, at);
  blankCell(cells, at);
  cells[at] = character;
  if (!wideCharacter.test(character)) return 1;
  blankCell(cells, at + 1);
  cells[at + 1] = '';
  return 2;
}

function padCells(cells: string[], length: number): void {
  while (cells.length < length) cells.push(' ');
}

/** Makes one column blank, with the rest of the character that it belongs to. */
function blankCell(cells: string[], at: number): void {
  if (at >= cells.length) return;
  const owner = findOwner(cells, at);
  cells[owner] = ' ';
  for (let rest = owner + 1; cells[rest] === ''; rest += 1) cells[rest] = ' ';
}

/** No character begins before a column and ends after it. */
function splitCharacter(cells: string[], at: number): void {
  if (cells[at] === '') blankCell(cells, at);
}

function findOwner(cells: readonly string[], at: number): number {
  let owner = at;
  while (owner > 0 && cells[owner] === '') owner -= 1;
  return owner;
}
