import { render } from 'lit-html';
import { plainLine } from '../../../../bridge/text/index.ts';
import { byId } from '../dom.ts';
import { html, type Html } from '../parts/index.ts';
import {
  type AttemptFilter,
  filtersSteps,
  isFilterSet,
  noFilter,
  pickCriteria,
  requestData,
  requestLines,
} from './addresses.ts';
import type { AttemptFacts, AttemptLine, FoundSteps, IndexData } from './study-data.ts';
import { formatKebabName, stateSigns } from './words.ts';

/** Milliseconds after which typed text is searched for. */
const typingMs = 250;
/** The maximum number of tools to choose from. */
const mostTools = 500;
const selectIds = { state: 'by-state', mode: 'by-mode', effect: 'by-effect', tool: 'by-tool' } as const;
const inputIds = { mark: 'by-mark', text: 'by-text' } as const;

/** The fields that filter attempts and steps. */
export class FilterFields {
  readonly #onChange: (filter: AttemptFilter) => void;
  #tools = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onChange: (filter: AttemptFilter) => void) {
    this.#onChange = onChange;
    const now = () => this.#changed();
    for (const id of Object.values(selectIds)) byId(id).addEventListener('change', now);
    for (const id of Object.values(inputIds))
      byId(id).addEventListener('input', () => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(now, typingMs);
      });
    byId('filter').addEventListener('submit', (event) => {
      event.preventDefault();
      now();
    });
    byId('clear').addEventListener('click', () => this.#onChange(noFilter));
  }

  /** Sets the available choices. */
  offer({ modes, signs, effects }: IndexData, store: FolderStore): void {
    const inWords = (names: readonly string[]) => names.map((name) => choice(name, formatKebabName(name)));
    if (byId('by-state').children.length === 0) {
      fillChoices(
        'by-state',
        Object.entries(stateSigns).map(([name, { word }]) => choice(name, word)),
      );
      fillChoices('by-effect', inWords(effects));
      fillChoices('by-mode', [
        html`<optgroup label="Failure modes">${inWords(modes)}</optgroup>`,
        html`<optgroup label="On the screen, and the record">${inWords(signs)}</optgroup>`,
      ]);
    }
    const tools = [...new Set([...store.facts.values()].flatMap((facts) => facts.tools))]
      .sort()
      .slice(0, mostTools);
    if (this.#tools === tools.join('\n') && byId('by-tool').children.length > 0) return;
    this.#tools = tools.join('\n');
    const { value } = byId<HTMLSelectElement>('by-tool');
    fillChoices(
      'by-tool',
      tools.map((name) => choice(name, name)),
    );
    chooseValue('by-tool', value);
  }

  show(filter: AttemptFilter): void {
    for (const [name, id] of Object.entries(selectIds))
      chooseValue(id, filter[name as keyof typeof selectIds]);
    for (const [name, id] of Object.entries(inputIds)) {
      const field = byId<HTMLInputElement>(id);
      const value = filter[name as keyof typeof inputIds];
      if (document.activeElement !== field) field.value = value;
      field.classList.toggle('set', value !== '');
    }
    byId('clear').hidden = !isFilterSet(filter);
  }

  #changed(): void {
    clearTimeout(this.#timer);
    const value = (id: string) => byId<HTMLInputElement | HTMLSelectElement>(id).value;
    this.#onChange({
      ...{
        state: value('by-state') as AttemptFilter['state'],
        mode: value('by-mode'),
        effect: value('by-effect'),
      },
      ...{ tool: value('by-tool'), mark: value('by-mark').trim(), text: value('by-text').trim() },
    });
  }
}

function fillChoices(id: string, choices: readonly Html[]): void {
  render(html`${choice('', 'any')}${choices}`, byId(id));
}

function choice(value: string, text: string): Html {
  return html`<option value="${value}">${text}</option>`;
}

/** A value that is in a link, but in no record so far, is also a choice. */
function chooseValue(id: string, value: string): void {
  const select = byId<HTMLSelectElement>(id);
  if (![...select.options].some((one) => one.value === value))
    select.add(new Option(plainLine(value), value));
  select.value = value;
  select.classList.toggle('set', value !== '');
}

/** Milliseconds between two updates of the progress. */
const progressMs = 250;

/** The page's knowledge of the folder: its attempts at once, the facts from their records as they are read. */
export class FolderStore {
  index: IndexData | null = null;
  readonly facts = new Map<string, AttemptFacts>();
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
    this.index = await requestData<IndexData>('index');
    this.#byId = new Map(this.index.attempts.map((line) => [line.id, line]));
    void this.#readFacts(this.index.attempts.length);
    return this.index;
  }

  line(id: string): AttemptLine | undefined {
    return this.#byId.get(id) ?? this.#byId.get(id.replace(/\/try-\d+$/, ''));
  }

  /** Whether an attempt matches all filters. Null if that is not known yet. */
  matches(line: AttemptLine, filter: AttemptFilter): boolean | null {
    if (filter.state !== '' && line.state !== filter.state) return false;
    if (filter.mode === '' && !filtersSteps(filter)) return true;
    const facts = this.facts.get(line.id);
    if (!facts) return null;
    if (filter.mode !== '' && !facts.modes.includes(filter.mode)) return false;
    if (filter.effect !== '' && !facts.effects.includes(filter.effect)) return false;
    if (filter.tool !== '' && !facts.tools.includes(filter.tool)) return false;
    return !this.#isSearch(filter) || (this.found?.has(line.id) ?? false);
  }

  /** Searches the records, if a filter needs that. */
  search(filter: AttemptFilter): void {
    const key = this.#isSearch(filter) ? JSON.stringify(pickCriteria(filter)) : '';
    if (key === this.#searched) return;
    this.#searched = key;
    this.#finding.abort();
    this.#finding = new AbortController();
    this.found = null;
    if (key !== '') void this.#find(filter, this.#finding.signal);
  }

  #isSearch(filter: AttemptFilter): boolean {
    return filter.mark !== '' || filter.text !== '' || (filter.effect !== '' && filter.tool !== '');
  }

  async #find(filter: AttemptFilter, signal: AbortSignal): Promise<void> {
    const found = new Map<string, number>();
    this.found = found;
    try {
      for await (const { id, times, done, of } of requestLines<FoundSteps>(
        'find',
        { ...pickCriteria(filter) },
        signal,
      )) {
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
      for await (const facts of requestLines<AttemptFacts>('facts', {}, signal)) {
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
    if (!isLast && performance.now() - this.#shownAt < progressMs) return;
    this.#shownAt = performance.now();
    this.#onChange();
  }
}
