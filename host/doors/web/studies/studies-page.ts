import { render } from 'lit-html';
import { byId, FullSize } from '../dom.ts';
import {
  type AttemptFilter,
  formatHash,
  isFilterSet,
  readStudiesAddress,
  requestData,
  type StudiesAddress,
} from './addresses.ts';
import { AttemptView } from './attempt-view.ts';
import { FilterFields, FolderStore } from './filters.ts';
import { Matrix } from './matrix.ts';
import { PairView } from './pair-view.ts';
import { studiesFrame } from './studies-frame.ts';
import type { AttemptData } from './study-data.ts';
import { formatAttemptTitle } from './words.ts';

/** Milliseconds after which the folder is read again while attempts are not over. */
const reloadMs = 10_000;

/** The page: the target of its link, and its display. */
class StudiesPage {
  readonly #store = new FolderStore(() => this.#showProgress());
  readonly #matrix = new Matrix(this.#store);
  readonly #filters = new FilterFields((filter) => this.#filter(filter));
  readonly #full = new FullSize(byId<HTMLDialogElement>('full'));
  #one: AttemptView | null = null;
  #two: { readonly key: string; readonly view: PairView } | null = null;
  #address: StudiesAddress = readStudiesAddress();
  #last: string | null = null;
  #turn = 0;

  constructor() {
    addEventListener('hashchange', () => void this.#show());
    document.addEventListener('keydown', (event) => this.#key(event));
    byId('home').addEventListener('click', (event) => {
      event.preventDefault();
      this.#home();
    });
    byId('next').addEventListener('click', () => this.#one?.match(1));
    byId('previous').addEventListener('click', () => this.#one?.match(-1));
    byId('keys-open').addEventListener('click', () => byId<HTMLDialogElement>('keys').showModal());
    setInterval(() => this.#again(), reloadMs);
    void this.load();
  }

  async load(): Promise<void> {
    try {
      const index = await this.#store.load();
      this.#filters.offer(index, this.#store);
      this.#matrix.draw(index);
      await this.#show();
    } catch (error) {
      showTrouble(error);
    }
  }

  /** Follows what still runs: the folder, or the open attempt. */
  #again(): void {
    if (!document.hidden && this.#one?.isOpen) void this.#one.refresh().catch(showTrouble);
    const isOver = this.#store.index?.attempts.every(({ state }) => state !== 'open') ?? true;
    if (isOver || document.hidden || this.#address.a !== null) return;
    const focused = (document.activeElement as HTMLElement | null)?.dataset.id;
    void this.load().then(() => focused !== undefined && this.#matrix.focus(focused));
  }

  #home(): void {
    this.#go({ a: null, b: null, at: null });
  }

  #go(to: Partial<StudiesAddress>): void {
    location.hash = formatHash({ ...this.#address, ...to });
  }

  /** Changes the link without a new entry in the history: steps would add hundreds. */
  #replace(to: Partial<StudiesAddress>): void {
    history.replaceState(null, '', formatHash({ ...this.#address, ...to }));
    void this.#show();
  }

  #filter(filter: AttemptFilter): void {
    this.#replace({ filter });
  }

  async #show(): Promise<void> {
    this.#address = readStudiesAddress();
    const { a, b, filter } = this.#address;
    const turn = (this.#turn += 1);
    this.#filters.show(filter);
    showTrouble(null);
    try {
      if (a === null) this.#showAll();
      else if (b === null) await this.#showOne(a, turn);
      else await this.#showTwo(a, b, turn);
    } catch (error) {
      if (turn === this.#turn) showTrouble(error);
    }
  }

  #showAll(): void {
    this.#leave();
    const wasElsewhere = showView('all');
    document.title = `${this.#store.index?.name.split('/').at(-1) ?? ''} · Programming with Pixels`;
    this.#store.search(this.#address.filter);
    this.#showMatches(this.#matrix.filter(this.#address.filter));
    if (wasElsewhere && this.#last !== null) this.#matrix.focus(this.#last);
  }

  async #showOne(a: string, turn: number): Promise<void> {
    const { filter, at } = this.#address;
    if (this.#one?.id !== a) {
      const data = await requestData<AttemptData>('attempt', { id: a });
      if (turn !== this.#turn) return;
      this.#leave();
      this.#one = new AttemptView(data, filter, this.#aroundOf(data));
      this.#last = data.line.id;
      if (showView('one')) byId('main').focus({ preventScroll: true });
      scrollTo({ top: 0 });
      document.title = formatAttemptTitle(data.line);
    }
    const one = this.#one;
    const wrong = await one.show(at);
    if (turn === this.#turn && wrong !== '') showTrouble(new Error(wrong));
    this.#showMatches(await one.find(filter));
  }

  async #showTwo(a: string, b: string, turn: number): Promise<void> {
    const key = JSON.stringify([a, b]);
    if (this.#two?.key !== key) {
      const pair = await PairView.open(a, b, (row) => this.#replace({ at: row }));
      if (turn !== this.#turn) return;
      this.#leave();
      this.#two = { key, view: pair };
      if (showView('two')) byId('main').focus({ preventScroll: true });
      scrollTo({ top: 0 });
      document.title = `Side by side: ${this.#store.line(a)?.task ?? a}`;
    }
    await this.#two.view.show(this.#address.at);
  }

  #aroundOf({ id, line }: AttemptData) {
    const { order } = this.#matrix;
    const shown = order.filter((one) => {
      const other = this.#store.line(one);
      return one === line.id || (other && this.#store.matches(other, this.#address.filter) === true);
    });
    const place = shown.indexOf(line.id);
    const attempts = this.#store.index?.attempts ?? [];
    return {
      others: attempts.filter((other) => other.task === line.task && other.id !== id && other.id !== line.id),
      before: shown[place - 1],
      after: shown[place + 1],
      full: this.#full,
      go: (address: Partial<StudiesAddress>) => this.#go(address),
      moved: (at: string) => this.#replace({ at }),
    };
  }

  #leave(): void {
    this.#one?.dispose();
    this.#two?.view.dispose();
    [this.#one, this.#two] = [null, null];
  }

  #showProgress(): void {
    const { index, progress } = this.#store;
    byId('status').textContent = progress;
    if (index) this.#filters.offer(index, this.#store);
    if (this.#address.a === null && isFilterSet(this.#address.filter))
      this.#showMatches(this.#matrix.filter(this.#address.filter));
  }

  #showMatches(text: string): void {
    byId('matches').textContent = text;
    const isOfOne = this.#one !== null && text !== '';
    byId('next').hidden = !isOfOne;
    byId('previous').hidden = !isOfOne;
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target, key } = event;
    if (document.querySelector('#keys[open]')) return;
    if (target instanceof HTMLInputElement && target.type === 'search') {
      if (key === 'Escape') byId('main').focus();
      return;
    }
    if (target instanceof HTMLSelectElement || target instanceof HTMLVideoElement) return;
    if (target instanceof HTMLElement && target.closest('pre') && key.startsWith('Arrow')) return;
    const act = this.#actOf(key.length === 1 ? key.toLowerCase() : key);
    if (!act) return;
    event.preventDefault();
    act();
  }

  #actOf(key: string): (() => void) | undefined {
    const [one, two] = [this.#one, this.#two?.view ?? null];
    const full = this.#full;
    const everywhere: Record<string, () => void> = {
      '/': () => byId('by-text').focus(),
      '?': () => byId<HTMLDialogElement>('keys').showModal(),
      r: () => void this.load().then(() => this.#one?.refresh()),
    };
    const steps = one ?? two;
    const ofSteps: Record<string, () => void> = steps
      ? {
          Escape: () => (full.isOpen ? full.close() : this.#home()),
          ArrowLeft: () => steps.move(-1),
          ArrowRight: () => steps.move(1),
          Home: () => void steps.go(0),
          End: () => steps.end(),
          l: () => void this.#copy(),
        }
      : {};
    const ofOne: Record<string, () => void> = one
      ? {
          n: () => one.match(1),
          p: () => one.match(-1),
          m: () => byId('show-marks').click(),
          c: () => byId('show-changed').click(),
          f: () => (full.isOpen ? full.close() : one.full()),
          v: () => void one.play(),
          o: () => one.openLive(),
          '[': () => byId<HTMLButtonElement>('before').click(),
          ']': () => byId<HTMLButtonElement>('after').click(),
          s: () => byId('beside').focus(),
        }
      : {};
    const all = { ...everywhere, ...ofSteps, ...ofOne };
    return Object.hasOwn(all, key) ? all[key] : undefined;
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(location.href);
      byId('status').textContent = 'The link is copied';
    } catch {
      byId('status').textContent = 'The browser did not let this page copy: take the link from its address';
    }
  }
}

/** Shows one part of the page. Returns whether another one was shown before. */
function showView(name: 'all' | 'one' | 'two'): boolean {
  const before = document.body.dataset.view;
  document.body.dataset.view = name;
  for (const each of ['all', 'one', 'two']) byId(each).hidden = each !== name;
  return before !== name;
}

function showTrouble(error: unknown): void {
  byId('trouble').hidden = error === null;
  byId('trouble').textContent = error instanceof Error ? error.message : '';
  if (error !== null && document.body.dataset.view === 'none') showView('all');
}

// As in a report: keys work, and one step is shown at a time.
document.documentElement.classList.add('viewer');
document.body.dataset.view = 'none';
render(studiesFrame(document.title), document.body);
new StudiesPage();
