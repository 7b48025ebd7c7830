import { byId, make } from '../../page/index.ts';
import { isSet, noFilter, type Filter } from './address.ts';
import type { IndexData } from './data.ts';
import type { Store } from './store.ts';
import { plain, states, words } from './words.ts';

/** Milliseconds after which typed text is searched for. */
const typingMs = 250;
/** The maximum number of tools to choose from. */
const mostTools = 500;
const selects = { state: 'by-state', mode: 'by-mode', effect: 'by-effect', tool: 'by-tool' } as const;
const inputs = { mark: 'by-mark', text: 'by-text' } as const;

/** The fields that filter attempts and steps. */
export class Filters {
  readonly #onChange: (filter: Filter) => void;
  #tools = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onChange: (filter: Filter) => void) {
    this.#onChange = onChange;
    const now = () => this.#changed();
    for (const id of Object.values(selects)) byId(id).addEventListener('change', now);
    for (const id of Object.values(inputs))
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
  offer({ modes, signs, effects }: IndexData, store: Store): void {
    if (byId('by-state').children.length === 0) {
      fill(
        'by-state',
        Object.entries(states).map(([name, { word }]) => [name, word]),
      );
      fill(
        'by-effect',
        effects.map((name) => [name, words(name)]),
      );
      fill('by-mode', []);
      byId('by-mode').append(group('Failure modes', modes), group('On the screen, and the record', signs));
    }
    const tools = [...new Set([...store.facts.values()].flatMap((facts) => facts.tools))]
      .sort()
      .slice(0, mostTools);
    if (this.#tools === tools.join('\n') && byId('by-tool').children.length > 0) return;
    this.#tools = tools.join('\n');
    const { value } = byId<HTMLSelectElement>('by-tool');
    fill(
      'by-tool',
      tools.map((name) => [name, plain(name)]),
    );
    choose('by-tool', value);
  }

  show(filter: Filter): void {
    for (const [name, id] of Object.entries(selects)) choose(id, filter[name as keyof typeof selects]);
    for (const [name, id] of Object.entries(inputs)) {
      const field = byId<HTMLInputElement>(id);
      const value = filter[name as keyof typeof inputs];
      if (document.activeElement !== field) field.value = value;
      field.classList.toggle('set', value !== '');
    }
    byId('clear').hidden = !isSet(filter);
  }

  #changed(): void {
    clearTimeout(this.#timer);
    const value = (id: string) => byId<HTMLInputElement | HTMLSelectElement>(id).value;
    this.#onChange({
      ...{ state: value('by-state') as Filter['state'], mode: value('by-mode'), effect: value('by-effect') },
      ...{ tool: value('by-tool'), mark: value('by-mark').trim(), text: value('by-text').trim() },
    });
  }
}

function fill(id: string, options: readonly (readonly [value: string, text: string])[]): void {
  byId(id).replaceChildren(option('', 'any'), ...options.map(([value, text]) => option(value, text)));
}

function group(label: string, names: readonly string[]): HTMLElement {
  const made = make('optgroup');
  made.label = label;
  made.append(...names.map((name) => option(name, words(name))));
  return made;
}

function option(value: string, text: string): HTMLOptionElement {
  const made = make('option', '', text);
  made.value = value;
  return made;
}

/** A value that is in a link, but in no record so far, is also a choice. */
function choose(id: string, value: string): void {
  const select = byId<HTMLSelectElement>(id);
  if (![...select.options].some((one) => one.value === value)) select.append(option(value, plain(value)));
  select.value = value;
  select.classList.toggle('set', value !== '');
}
