import { criteriaOf, isOfSteps, type Filter } from './address.ts';
import type { AttemptLine, Facts, Found, IndexData } from './data.ts';
import { ask, lines } from './server.ts';

/** Milliseconds between two updates of the progress. */
const showMs = 250;

/** The page's knowledge of the folder: its attempts at once, the facts from their records as they are read. */
export class Store {
  index: IndexData | null = null;
  readonly facts = new Map<string, Facts>();
  /** Attempts with matching steps; null without a search. */
  found: Map<string, number> | null = null;
  /** The progress, in words. */
  progress = '';
  readonly #onChange: () => void;
  #byId = new Map<string, AttemptLine>();
  #reading = new AbortController();
  #finding = new AbortController();
  #searched = '';
  #shownAt = 0;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  async load(): Promise<IndexData> {
    this.index = await ask<IndexData>('index');
    this.#byId = new Map(this.index.attempts.map((line) => [line.id, line]));
    void this.#readFacts(this.index.attempts.length);
    return this.index;
  }

  line(id: string): AttemptLine | undefined {
    return this.#byId.get(id) ?? this.#byId.get(id.replace(/\/try-\d+$/, ''));
  }

  /** Whether an attempt matches all filters. Null if that is not known yet. */
  matches(line: AttemptLine, filter: Filter): boolean | null {
    if (filter.state !== '' && line.state !== filter.state) return false;
    if (filter.mode === '' && !isOfSteps(filter)) return true;
    const facts = this.facts.get(line.id);
    if (!facts) return null;
    if (filter.mode !== '' && !facts.modes.includes(filter.mode)) return false;
    if (filter.effect !== '' && !facts.effects.includes(filter.effect)) return false;
    if (filter.tool !== '' && !facts.tools.includes(filter.tool)) return false;
    return !this.#isSearch(filter) || (this.found?.has(line.id) ?? false);
  }

  /** Searches the records, if a filter needs that. */
  search(filter: Filter): void {
    const key = this.#isSearch(filter) ? JSON.stringify(criteriaOf(filter)) : '';
    if (key === this.#searched) return;
    this.#searched = key;
    this.#finding.abort();
    this.#finding = new AbortController();
    this.found = null;
    if (key !== '') void this.#find(filter, this.#finding.signal);
  }

  #isSearch(filter: Filter): boolean {
    return filter.mark !== '' || filter.text !== '' || (filter.effect !== '' && filter.tool !== '');
  }

  async #find(filter: Filter, signal: AbortSignal): Promise<void> {
    const found = new Map<string, number>();
    this.found = found;
    try {
      for await (const { id, times, done, of } of lines<Found>('find', { ...criteriaOf(filter) }, signal)) {
        if (times > 0) found.set(id, times);
        this.#show(done < of ? `Searched ${done} of ${of} records` : '', done === of);
      }
      this.#show('', true);
    } catch (error) {
      if (!signal.aborted) this.#show(String(error), true);
    }
  }

  async #readFacts(of: number): Promise<void> {
    this.#reading.abort();
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    let done = 0;
    try {
      for await (const facts of lines<Facts>('facts', {}, signal)) {
        done += 1;
        this.facts.set(facts.id, facts);
        this.#show(`Read ${done} of ${of} records`, false);
      }
      this.#show('', true);
    } catch (error) {
      if (!signal.aborted) this.#show(String(error), true);
    }
  }

  #show(progress: string, isLast: boolean): void {
    this.progress = progress;
    if (!isLast && performance.now() - this.#shownAt < showMs) return;
    this.#shownAt = performance.now();
    this.#onChange();
  }
}
