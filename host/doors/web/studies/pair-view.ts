import { plainLine } from '../../../../bridge/text/index.ts';
import { buildElement, byId } from '../dom.ts';
import { formatHash, noFilter, requestData } from './addresses.ts';
import type { AlignedData, AlignedRow, AttemptData, MomentLine } from './study-data.ts';
import { loadFragment, MomentCache } from './timeline.ts';
import { countText, makeEffectDot } from './words.ts';

/** The number of moments in one answer. */
const momentsInBlock = 500;

interface PairSide {
  readonly data: AttemptData;
  readonly moments: MomentCache;
  readonly lines: readonly MomentLine[];
}

/** Two attempts side by side, aligned by their actions. */
export class PairView {
  readonly #a: PairSide;
  readonly #b: PairSide;
  readonly #rows: readonly AlignedRow[];
  readonly #links: readonly HTMLAnchorElement[];
  readonly #halves = buildElement('div', 'halves');
  readonly #parts: readonly HTMLElement[];
  readonly #moved: (row: string) => void;
  #at = 0;
  #asked = 0;

  private constructor(a: PairSide, b: PairSide, { rows, note }: AlignedData, moved: (row: string) => void) {
    [this.#a, this.#b, this.#rows, this.#moved] = [a, b, rows, moved];
    const list = buildElement('div', 'pairs');
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
    const lead = `${countText(same, 'moment')} the same, ${alike} alike, ${only[0]} only on the left, ${only[1]} only on the right.`;
    const heads = buildElement('div', 'heads');
    heads.append(this.#head(a), this.#head(b));
    this.#parts = [
      buildElement('h1', '', plainLine(a.data.line.task)),
      buildElement('p', 'lead', note === null ? lead : `${lead} ${note}`),
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
    const [one, other] = await Promise.all([readPairSide(a), readPairSide(b)]);
    const data = await requestData<AlignedData>('aligned', { a, b });
    return new PairView(one, other, data, moved);
  }

  /** Shows a row by its number. */
  async show(row: string | null): Promise<void> {
    const asked = (this.#asked += 1);
    this.#at = Math.min(Math.max(Number(row ?? 0) || 0, 0), Math.max(0, this.#rows.length - 1));
    const { a, b } = this.#rows[this.#at] ?? { a: null, b: null };
    const halves = await Promise.all([makePairHalf(this.#a, a, 'Left'), makePairHalf(this.#b, b, 'Right')]);
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

  #head({ data }: PairSide): HTMLElement {
    const { line, verdict, id } = data;
    const made = buildElement('div');
    const link = buildElement('a', '', plainLine(`${line.agent}, attempt ${line.number}`));
    link.href = formatHash({ a: id, b: null, at: null, filter: noFilter });
    made.append(buildElement('h2', ''), buildElement('span', `badge ${verdict.tone}`, verdict.word));
    made.querySelector('h2')?.append(link);
    return made;
  }

  #row({ a, b, same }: AlignedRow, i: number): HTMLAnchorElement {
    const link = buildElement('a', `pair${a === null || b === null ? ' only' : ''}`);
    link.href = formatHash({ a: this.#a.data.id, b: this.#b.data.id, at: String(i), filter: noFilter });
    const [sign, word] =
      a === null
        ? ['→', 'only on the right']
        : b === null
          ? ['←', 'only on the left']
          : same
            ? ['=', 'the same']
            : ['≈', 'alike'];
    const mark = buildElement('span', 'sign-of', sign);
    mark.role = 'img';
    mark.ariaLabel = word;
    mark.title = word;
    link.append(makePairSide(this.#a, a), mark, makePairSide(this.#b, b));
    return link;
  }
}

async function readPairSide(id: string): Promise<PairSide> {
  const data = await requestData<AttemptData>('attempt', { id });
  const lines: MomentLine[] = [];
  for (let from = 0; from < Math.min(data.moments, 2000); from += momentsInBlock)
    lines.push(...(await requestData<MomentLine[]>('moments', { id, from, to: from + momentsInBlock })));
  return { data, moments: new MomentCache(id), lines };
}

function makePairSide({ lines }: PairSide, at: number | null): HTMLElement {
  const side = buildElement('span', 'side');
  const line = at === null ? undefined : lines[at];
  if (!line) return side;
  const mark = makeEffectDot(line.effect);
  const more = line.calls.length + line.more;
  const what = `${line.problem ?? line.calls[0]?.text ?? line.message ?? ''}${more > 1 ? ` +${more - 1}` : ''}`;
  side.append(
    buildElement('span', 'number-of', plainLine(line.name)),
    ...(mark ? [mark] : []),
    buildElement('span', 'what-of', plainLine(what)),
  );
  return side;
}

async function makePairHalf({ moments }: PairSide, at: number | null, side: string): Promise<HTMLElement> {
  if (at === null) return buildElement('p', 'empty-half', 'Nothing like it here.');
  try {
    const moment = await moments.get(String(at));
    const fragment = await loadFragment(moment);
    // The other half may have a step of the same name.
    for (const named of fragment.querySelectorAll('[id]')) named.removeAttribute('id');
    const section = fragment.querySelector('.step');
    section?.removeAttribute('aria-labelledby');
    if (section) section.ariaLabel = `${side}: ${moment.line.name}`;
    return fragment;
  } catch (error) {
    return buildElement('p', 'alert', error instanceof Error ? error.message : String(error));
  }
}
