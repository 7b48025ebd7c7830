import { TerminalRow } from './terminal-row.ts';

/** Lines that a program can still go back to. Terminals show fewer. */
const mostRows = 100;
/** UTF-16 code units of one line that can be overwritten; a longer line is not a progress bar. */
const longestRow = 50_000;
/** Columns and lines that a program can skip, e.g. to the far edge of the screen, whose size is not known here. */
const farthest = { column: 500, row: 50 };
/** UTF-16 code units of an escape sequence that is not complete yet. */
const longestSequence = 4096;

const sequences =
  /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[PX^_][^\u001b]*(?:\u001b\\)?|\u001b\[([0-?]*)[ -/]*([@-~])|\u001b[ -/]*([0-~])|([\u0000-\u001f\u007f-\u009f])|[^\u0000-\u001f\u007f-\u009f]+/g;
const incomplete =
  /(?:\u001b(?:\][^\u0007\u001b]*\u001b?|[PX^_][^\u001b]*\u001b?|\[[0-?]*[ -/]*|[ -/]*)|[\ud800-\udbff])$/;

/** Receives lines that no program can change any longer. */
interface SettledText {
  add(text: string): void;
  /** The program has erased everything that was shown before. */
  clear(): void;
}

/** The lines of a screen, and the place of the next character. */
interface ScreenLines {
  rows: TerminalRow[];
  row: number;
  column: number;
  /** The program positions the cursor by line and column: its first line is the top of the screen. */
  addressed: boolean;
}

/**
 * A program's terminal output as the lines of text that a person sees: without overwritten text and without colours.
 * Lines are as long as the program wrote them, regardless of the terminal's width.
 */
export class TerminalText {
  readonly #settled: SettledText;
  #page = createScreenLines();
  /** The page to return to from the alternate screen, which full-screen programs use. */
  #main: ScreenLines | undefined;
  #saved = { row: 0, column: 0 };
  #rest = '';

  constructor(settled: SettledText) {
    this.#settled = settled;
  }

  /** The lines that may still change. */
  get text(): string {
    const pages = this.#main ? [this.#main, this.#page] : [this.#page];
    return pages.map(({ rows }) => rows.map(({ text }) => text).join('\n')).join('\n');
  }

  write(data: string): void {
    const whole = this.#rest + data;
    const rest = incomplete.exec(whole)?.[0] ?? '';
    this.#rest = rest.length > longestSequence ? '' : rest;
    const end = whole.length - rest.length;
    for (const [text, values, final, escape, control] of whole.slice(0, end).matchAll(sequences)) {
      if (final !== undefined) this.#sequence(final, values ?? '');
      else if (escape !== undefined) this.#escape(escape);
      else if (control !== undefined) this.#control(control);
      else if (!text.startsWith('\u001b')) this.#print(text);
    }
  }

  get #row(): TerminalRow {
    const { rows, row } = this.#page;
    while (rows.length <= row) rows.push(new TerminalRow());
    return rows[row] ?? new TerminalRow();
  }

  #print(text: string): void {
    this.#page.column = this.#row.write(this.#page.column, text);
    if (this.#row.length > longestRow) this.#settleLongRow();
  }

  #settleLongRow(): void {
    const page = this.#page;
    if (page.row < page.rows.length - 1) return;
    const lines = page.rows.map(({ text }) => text).join('\n');
    if (!this.#main) this.#settled.add(lines);
    Object.assign(page, { rows: [new TerminalRow()], row: 0, column: 0 });
  }

  #control(control: string): void {
    const page = this.#page;
    if (control === '\r') page.column = 0;
    else if (control === '\b') page.column = Math.max(0, page.column - 1);
    else if (control === '\t') page.column = this.#row.tab(page.column);
    // A full-screen program writes raw line ends; the terminal adds a carriage return to those of others.
    else if (/[\n\v\f]/.test(control)) this.#down(this.#main ? page.column : 0);
  }

  /** One line down, as at a line end. */
  #down(column: number): void {
    const page = this.#page;
    page.row += 1;
    page.column = column;
    while (page.rows.length <= page.row) page.rows.push(new TerminalRow());
    while (page.rows.length > mostRows) {
      const settled = page.rows.shift();
      if (!this.#main) this.#settled.add(`${settled?.text ?? ''}\n`);
      page.row -= 1;
    }
  }

  #escape(name: string): void {
    const page = this.#page;
    if (name === '7') this.#saved = { row: page.row, column: page.column };
    else if (name === '8') Object.assign(page, this.#saved);
    else if (name === 'D') this.#down(page.column);
    else if (name === 'E') this.#down(0);
    else if (name === 'M') this.#up();
    else if (name === 'c') this.#reset();
  }

  /** One line up; at the top, all others move down. */
  #up(): void {
    const page = this.#page;
    if (page.row > 0) page.row -= 1;
    else page.rows.unshift(new TerminalRow());
    page.rows.length = Math.min(page.rows.length, mostRows);
  }

  #reset(): void {
    this.#main = undefined;
    this.#page = createScreenLines();
    this.#settled.clear();
  }

  #sequence(final: string, values: string): void {
    if (/^[?>=<]/.test(values)) {
      if (/^\?(?:1049|1047|47)$/.test(values) && /[hl]/.test(final)) this.#switch(final === 'h');
      return;
    }
    const [first, second] = values.split(';').map(Number);
    const count = Math.min(Math.max(1, first || 1), mostRows * 10);
    if (final in parseMove) this.#move(final, count);
    else if (/[Hf]/.test(final)) this.#address(count, second || 1);
    else if (final === 'd') this.#address(count, this.#page.column + 1);
    else if (final === 'J') this.#eraseScreen(first ?? 0);
    else if (final === 'K') this.#eraseLine(first ?? 0);
    else this.#changeRow(final, count);
  }

  #move(final: string, count: number): void {
    const page = this.#page;
    const [rows, columns, toStart] = parseMove[final] ?? [0, 0];
    if (rows !== 0) page.row = Math.max(0, Math.min(page.row + rows * count, this.#lowest));
    if (toStart) page.column = 0;
    if (final === 'G' || final === '`') page.column = this.#near(count - 1);
    else page.column = Math.max(0, this.#near(page.column + columns * count));
  }

  /** No program jumps further than the width of its screen or the length of its line. */
  #near(column: number): number {
    return Math.min(column, Math.max(farthest.column, this.#row.length));
  }

  get #lowest(): number {
    return Math.max(this.#page.rows.length, farthest.row) - 1;
  }

  /** Lines above the first absolute position stay as they are: it is not known how many of them the screen shows. */
  #address(row: number, column: number): void {
    if (!this.#page.addressed) this.#newScreen();
    this.#page.row = Math.min(row - 1, this.#lowest);
    this.#page.column = this.#near(column - 1);
  }

  #newScreen(): void {
    const text = this.#page.rows.map((row) => row.text).join('\n');
    if (!this.#main && text !== '') this.#settled.add(text.endsWith('\n') ? text : `${text}\n`);
    this.#page = { ...createScreenLines(), addressed: true };
  }

  #eraseScreen(what: number): void {
    const page = this.#page;
    if (what === 0) {
      this.#row.erase(page.column);
      page.rows.length = page.row + 1;
    } else if (what === 1) {
      this.#row.erase(0, page.column + 1);
      for (const row of page.rows.slice(0, page.row)) row.erase(0);
    } else if (what === 2) {
      if (!page.addressed) this.#newScreen();
      else this.#page = { ...createScreenLines(), addressed: true };
    } else if (what === 3 && !this.#main) this.#settled.clear();
  }

  #eraseLine(what: number): void {
    const { column } = this.#page;
    if (what === 0) this.#row.erase(column);
    else if (what === 1) this.#row.erase(0, column + 1);
    else if (what === 2) this.#row.erase(0);
  }

  #changeRow(final: string, count: number): void {
    const page = this.#page;
    if (final === 'X') this.#row.erase(page.column, page.column + count);
    else if (final === 'P') this.#row.remove(page.column, count);
    else if (final === '@') this.#row.insert(page.column, count);
    else if (final === 'M') this.#removeRows(count);
    else if (final === 'L') this.#insertRows(count);
    else if (final === 's') this.#saved = { row: page.row, column: page.column };
    else if (final === 'u') Object.assign(page, this.#saved);
  }

  #removeRows(count: number): void {
    this.#page.rows.splice(this.#page.row, count);
    this.#page.column = 0;
  }

  #insertRows(count: number): void {
    const { rows, row } = this.#page;
    this.#page.column = 0;
    const room = Math.max(0, Math.min(count, mostRows - rows.length));
    if (row < rows.length) rows.splice(row, 0, ...Array.from({ length: room }, () => new TerminalRow()));
  }

  #switch(alternate: boolean): void {
    if (alternate === (this.#main !== undefined)) return;
    if (alternate) {
      this.#main = this.#page;
      this.#page = { ...createScreenLines(), addressed: true };
    } else if (this.#main) {
      this.#page = this.#main;
      this.#main = undefined;
    }
  }
}

/** Lines and columns that a sequence moves by, and whether it moves to the start of the line. */
const parseMove: Readonly<Record<string, readonly [rows: number, columns: number, toStart?: boolean]>> = {
  A: [-1, 0],
  B: [1, 0],
  C: [0, 1],
  D: [0, -1],
  E: [1, 0, true],
  F: [-1, 0, true],
  G: [0, 0],
  '`': [0, 0],
  e: [1, 0],
  a: [0, 1],
};

function createScreenLines(): ScreenLines {
  return { rows: [new TerminalRow()], row: 0, column: 0, addressed: false };
}

/** A program's terminal output as a person sees it. */
export function renderTerminalText(raw: string): string {
  if (!/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(raw)) return raw;
  const parts: string[] = [];
  const screen = new TerminalText({
    add: (text) => parts.push(text),
    clear: () => void parts.splice(0),
  });
  screen.write(raw);
  return parts.join('') + screen.text;
}
