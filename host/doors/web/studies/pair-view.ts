import { nothing, render } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import { formatCount } from '../../../../bridge/text/index.ts';
import { byId } from '../dom.ts';
import { effectDot, html, type Html } from '../parts/index.ts';
import { formatHash, noFilter, requestData } from './addresses.ts';
import { MomentCache, momentView } from './moments.ts';
import type { AlignedData, AlignedRow, AttemptData, MomentData, MomentLine } from './study-data.ts';
import { summarizeMoment } from './timeline.ts';

/** The number of moments in one answer. */
const momentsInBlock = 500;

interface PairSide {
  readonly data: AttemptData;
  readonly moments: MomentCache;
  readonly lines: readonly MomentLine[];
}

/** A half of the shown row: a moment, nothing alike, or why it can't be shown. */
type PairHalf = MomentData | Error | null;

/** Two attempts side by side, aligned by their actions. */
export class PairView {
  readonly #a: PairSide;
  readonly #b: PairSide;
  readonly #aligned: AlignedData;
  readonly #moved: (row: string) => void;
  #halves: readonly [PairHalf, PairHalf] = [null, null];
  #at = 0;
  #asked = 0;

  private constructor(a: PairSide, b: PairSide, aligned: AlignedData, moved: (row: string) => void) {
    [this.#a, this.#b, this.#aligned, this.#moved] = [a, b, aligned, moved];
  }

  static async open(a: string, b: string, moved: (row: string) => void): Promise<PairView> {
    const [one, other] = await Promise.all([readPairSide(a), readPairSide(b)]);
    const data = await requestData<AlignedData>('aligned', { a, b });
    return new PairView(one, other, data, moved);
  }

  /** Shows a row by its number. */
  async show(row: string | null): Promise<void> {
    const asked = (this.#asked += 1);
    const { rows } = this.#aligned;
    const at = Math.min(Math.max(Number(row ?? 0) || 0, 0), Math.max(0, rows.length - 1));
    const { a, b } = rows[at] ?? { a: null, b: null };
    const halves = await Promise.all([readHalf(this.#a, a), readHalf(this.#b, b)]);
    if (asked !== this.#asked) return;
    [this.#at, this.#halves] = [at, halves];
    this.#draw();
    const link = document.querySelector<HTMLElement>('.pair[aria-current]');
    const list = link?.parentElement;
    if (link && list) list.scrollTo({ top: link.offsetTop - list.offsetTop - list.clientHeight / 2 });
  }

  go(at: number): void {
    this.#moved(String(Math.min(Math.max(at, 0), Math.max(0, this.#aligned.rows.length - 1))));
  }

  move(by: number): void {
    this.go(this.#at + by);
  }

  end(): void {
    this.go(this.#aligned.rows.length - 1);
  }

  dispose(): void {
    this.#asked += 1;
    render(nothing, byId('two'));
  }

  #draw(): void {
    const { rows, note } = this.#aligned;
    const [a, b] = [this.#a, this.#b];
    const [left, right] = this.#halves;
    const page = html`<h1>${a.data.line.task}</h1>
      <p class="lead">${countRows(rows)} ${note}</p>
      <div class="heads">${sideHead(a)} ${sideHead(b)}</div>
      <div class="halves">${pairHalf(a, left, 'Left')} ${pairHalf(b, right, 'Right')}</div>
      <div class="pairs" role="region" aria-label="Steps of both" tabindex="0">
        ${rows.map((row, i) => this.#row(row, i))}
      </div>`;
    render(page, byId('two'));
  }

  #row({ a, b, same }: AlignedRow, i: number): Html {
    const address = formatHash({ a: this.#a.data.id, b: this.#b.data.id, at: String(i), filter: noFilter });
    const [sign, word] =
      a === null
        ? ['→', 'only on the right']
        : b === null
          ? ['←', 'only on the left']
          : same
            ? ['=', 'the same']
            : ['≈', 'alike'];
    return html`<a
      class="pair ${a === null || b === null ? 'only' : ''}"
      href="${address}"
      aria-current="${i === this.#at && 'step'}"
    >
      ${pairSide(this.#a, a)}
      <span class="sign-of" role="img" aria-label="${word}" title="${word}">${sign}</span>
      ${pairSide(this.#b, b)}
    </a>`;
  }
}

async function readPairSide(id: string): Promise<PairSide> {
  const data = await requestData<AttemptData>('attempt', { id });
  const lines: MomentLine[] = [];
  for (let from = 0; from < Math.min(data.moments, 2000); from += momentsInBlock)
    lines.push(...(await requestData<MomentLine[]>('moments', { id, from, to: from + momentsInBlock })));
  return { data, moments: new MomentCache(id), lines };
}

async function readHalf({ moments }: PairSide, at: number | null): Promise<PairHalf> {
  if (at === null) return null;
  return moments
    .get(String(at))
    .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
}

function countRows(rows: readonly AlignedRow[]): string {
  const count = (is: (row: AlignedRow) => boolean) => rows.filter(is).length;
  const same = formatCount(
    count((row) => row.same),
    'moment',
  );
  const alike = count((row) => !row.same && row.a !== null && row.b !== null);
  const [left, right] = [count(({ b }) => b === null), count(({ a }) => a === null)];
  return `${same} the same, ${alike} alike, ${left} only on the left, ${right} only on the right.`;
}

function sideHead({ data: { line, verdict, id } }: PairSide): Html {
  return html`<div>
    <h2>
      <a href="${formatHash({ a: id, b: null, at: null, filter: noFilter })}"
        >${line.agent}, attempt ${line.number}</a
      >
    </h2>
    <span class="badge ${verdict.tone}">${verdict.word}</span>
  </div>`;
}

function pairSide({ lines }: PairSide, at: number | null): Html {
  const line = at === null ? undefined : lines[at];
  return html`<span class="side"
    >${
      line &&
      html`<span class="number-of">${line.name}</span>${effectDot(line.effect)}<span class="what-of"
          >${summarizeMoment(line)}</span
        >`
    }</span
  >`;
}

function pairHalf({ moments }: PairSide, half: PairHalf, side: string): Html {
  if (half === null) return html`<p class="empty-half">Nothing like it here.</p>`;
  if (half instanceof Error) return html`<p class="alert">${half.message}</p>`;
  const shown = momentView(moments.id, half, { label: `${side}: ${half.line.name}` });
  return html`<div>${keyed(half, shown)}</div>`;
}
