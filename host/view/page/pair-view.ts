import { byId, make } from '../../page/index.ts';
import { hashOf, noFilter } from './address.ts';
import type { AlignedData, AlignedRow, AttemptData, MomentLine } from './data.ts';
import { Moments, fragmentOf } from './moment-view.ts';
import { ask } from './server.ts';
import { count, dot, plain } from './words.ts';

/** The number of moments in one answer. */
const inBlock = 500;

interface Side {
  readonly data: AttemptData;
  readonly moments: Moments;
  readonly lines: readonly MomentLine[];
}

/** Two attempts side by side, aligned by their actions. */
export class PairView {
  readonly #a: Side;
  readonly #b: Side;
  readonly #rows: readonly AlignedRow[];
  readonly #links: readonly HTMLAnchorElement[];
  readonly #halves = make('div', 'halves');
  readonly #parts: readonly HTMLElement[];
  readonly #moved: (row: string) => void;
  #at = 0;
  #asked = 0;

  private constructor(a: Side, b: Side, { rows, note }: AlignedData, moved: (row: string) => void) {
    [this.#a, this.#b, this.#rows, this.#moved] = [a, b, rows, moved];
    const list = make('div', 'pairs');
    list.role = 'region';
    list.ariaLabel = 'Steps of both';
    list.tabIndex = 0;
    this.#links = rows.map((row, i) => this.#row(row, i));
    list.append(...this.#links);
    const same = rows.filter((row) => row.same).length;
    const alike = rows.filter((row) => !row.same && row.a !== null && row.b !== null).length;
    const only = [
      rows.filter(({ b: other }) => other === null).length,
      rows.filter(({ a: other }) => other === null).length,
    ];
    const lead = `${count(same, 'moment')} the same, ${alike} alike, ${only[0]} only on the left, ${only[1]} only on the right.`;
    const heads = make('div', 'heads');
    heads.append(this.#head(a), this.#head(b));
    this.#parts = [
      make('h1', '', plain(a.data.line.task)),
      make('p', 'lead', note === null ? lead : `${lead} ${note}`),
      heads,
      this.#halves,
      list,
    ];
  }

  /** Puts it on the page. */
  draw(): void {
    byId('two').replaceChildren(...this.#parts);
  }

  static async open(a: string, b: string, moved: (row: string) => void): Promise<PairView> {
    const [one, other] = await Promise.all([sideOf(a), sideOf(b)]);
    const data = await ask<AlignedData>('aligned', { a, b });
    return new PairView(one, other, data, moved);
  }

  /** Shows a row by its number. */
  async show(row: string | null): Promise<void> {
    const asked = (this.#asked += 1);
    this.#at = Math.min(Math.max(Number(row ?? 0) || 0, 0), Math.max(0, this.#rows.length - 1));
    const { a, b } = this.#rows[this.#at] ?? { a: null, b: null };
    const halves = await Promise.all([half(this.#a, a, 'Left'), half(this.#b, b, 'Right')]);
    if (asked !== this.#asked) return;
    this.#halves.replaceChildren(...halves);
    for (const [i, link] of this.#links.entries()) {
      if (i === this.#at) link.ariaCurrent = 'step';
      else link.removeAttribute('aria-current');
    }
    const link = this.#links[this.#at];
    const list = link?.parentElement;
    if (link && list) list.scrollTo({ top: link.offsetTop - list.offsetTop - list.clientHeight / 2 });
  }

  go(at: number): void {
    this.#moved(String(Math.min(Math.max(at, 0), Math.max(0, this.#rows.length - 1))));
  }

  move(by: number): void {
    this.go(this.#at + by);
  }

  end(): void {
    this.go(this.#rows.length - 1);
  }

  #head({ data }: Side): HTMLElement {
    const { line, verdict, id } = data;
    const made = make('div');
    const link = make('a', '', plain(`${line.agent}, attempt ${line.number}`));
    link.href = hashOf({ a: id, b: null, at: null, filter: noFilter });
    made.append(make('h2', ''), make('span', `badge ${verdict.tone}`, verdict.word));
    made.querySelector('h2')?.append(link);
    return made;
  }

  #row({ a, b, same }: AlignedRow, i: number): HTMLAnchorElement {
    const link = make('a', `pair${a === null || b === null ? ' only' : ''}`);
    link.href = hashOf({ a: this.#a.data.id, b: this.#b.data.id, at: String(i), filter: noFilter });
    const [sign, word] =
      a === null
        ? ['→', 'only on the right']
        : b === null
          ? ['←', 'only on the left']
          : same
            ? ['=', 'the same']
            : ['≈', 'alike'];
    const mark = make('span', 'sign-of', sign);
    mark.role = 'img';
    mark.ariaLabel = word;
    mark.title = word;
    link.append(sideText(this.#a, a), mark, sideText(this.#b, b));
    return link;
  }
}

async function sideOf(id: string): Promise<Side> {
  const data = await ask<AttemptData>('attempt', { id });
  const lines: MomentLine[] = [];
  for (let from = 0; from < Math.min(data.moments, 2000); from += inBlock)
    lines.push(...(await ask<MomentLine[]>('moments', { id, from, to: from + inBlock })));
  return { data, moments: new Moments(id), lines };
}

function sideText({ lines }: Side, at: number | null): HTMLElement {
  const side = make('span', 'side');
  const line = at === null ? undefined : lines[at];
  if (!line) return side;
  const mark = dot(line.effect);
  const more = line.calls.length + line.more;
  const what = `${line.problem ?? line.calls[0]?.text ?? line.message ?? ''}${more > 1 ? ` +${more - 1}` : ''}`;
  side.append(
    make('span', 'number-of', plain(line.name)),
    ...(mark ? [mark] : []),
    make('span', 'what-of', plain(what)),
  );
  return side;
}

async function half({ moments }: Side, at: number | null, side: string): Promise<HTMLElement> {
  if (at === null) return make('p', 'empty-half', 'Nothing like it here.');
  try {
    const moment = await moments.get(String(at));
    const fragment = await fragmentOf(moment);
    // The other half may have a step of the same name.
    for (const named of fragment.querySelectorAll('[id]')) named.removeAttribute('id');
    const section = fragment.querySelector('.step');
    section?.removeAttribute('aria-labelledby');
    if (section) section.ariaLabel = `${side}: ${moment.line.name}`;
    return fragment;
  } catch (error) {
    return make('p', 'alert', error instanceof Error ? error.message : String(error));
  }
}
