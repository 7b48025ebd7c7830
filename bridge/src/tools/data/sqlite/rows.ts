import type { SQLOutputValue } from 'node:sqlite';
import { clip } from '../../../../lib/index.ts';

/** Bounds of an answer: characters of one cell's text, of all cells together, and bytes of a blob that are shown. */
const most = { cell: 5000, all: 1_000_000, blob: 64 };

export type Cell = null | number | string | { readonly bytes: number; readonly hex: string };

/** Rows of one answer, as many as fit. */
export class Rows {
  readonly rows: Cell[][] = [];
  truncated = false;
  clipped = 0;
  readonly #limit: number;
  #room = most.all;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False: it is full, and this row is left out. */
  add(values: readonly SQLOutputValue[]): boolean {
    if (this.rows.length >= this.#limit || this.#room <= 0) {
      this.truncated = true;
      return false;
    }
    this.rows.push(values.map((value) => this.#cell(value)));
    return true;
  }

  #cell(value: SQLOutputValue): Cell {
    this.#room -= 5;
    if (value === null) return null;
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    if (typeof value === 'bigint') {
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : String(value);
    }
    if (typeof value === 'string') return this.#text(value);
    return { bytes: value.byteLength, hex: Buffer.from(value.subarray(0, most.blob)).toString('hex') };
  }

  #text(value: string): string {
    const kept = clip(value, most.cell);
    this.#room -= kept.length;
    if (kept.length < value.length) this.clipped++;
    return kept;
  }
}
