import { formatNumber, formatPercent, makePageElement } from './page-elements.ts';
import type { FunctionRow, ProfileShown } from './profile-message.ts';

type Column = 'name' | 'self' | 'total' | 'place';

/** Maximum number of rows drawn; search finds the others. */
const maxRows = 1000;

/** All functions with their times over all calls. */
export class FunctionTable {
  readonly #panel: HTMLElement;
  readonly #profile: ProfileShown;
  #text = '';
  #by: Column = 'self';
  #falling = true;

  constructor(panel: HTMLElement, profile: ProfileShown) {
    this.#panel = panel;
    this.#profile = profile;
  }

  /** Filters the functions that contain the text, and returns their number. */
  search(text: string): number {
    this.#text = text;
    return this.#draw();
  }

  #draw(): number {
    const rows = this.#profile.functions
      .filter(({ name, place }) => `${name}\0${place}`.toLowerCase().includes(this.#text))
      .sort((a, b) => (this.#falling ? -1 : 1) * compareValues(a[this.#by], b[this.#by]));
    const table = makePageElement('table');
    const head = makePageElement('tr');
    head.append(
      this.#heading('Function', 'name'),
      this.#heading(`Self (${this.#profile.unit})`, 'self'),
      this.#heading('Self %', 'self'),
      this.#heading(`Total (${this.#profile.unit})`, 'total'),
      this.#heading('Total %', 'total'),
      this.#heading('File', 'place'),
    );
    table.append(head, ...rows.slice(0, maxRows).map((row) => this.#row(row)));
    this.#panel.replaceChildren(table);
    return rows.length;
  }

  #heading(text: string, column: Column): HTMLElement {
    const isNumber = column === 'self' || column === 'total';
    const cell = makePageElement('th', '', isNumber ? 'number' : '');
    const sorted = column === this.#by;
    const button = makePageElement('button', sorted ? `${text} ${this.#falling ? '▼' : '▲'}` : text);
    if (sorted) cell.ariaSort = this.#falling ? 'descending' : 'ascending';
    button.onclick = () => {
      this.#falling = sorted ? !this.#falling : isNumber;
      this.#by = column;
      this.#draw();
    };
    cell.append(button);
    return cell;
  }

  #row({ name, place, self, total }: FunctionRow): HTMLElement {
    const row = makePageElement('tr');
    const all = this.#profile.total;
    row.append(
      makePageElement('td', name),
      ...[formatNumber(self), formatPercent(self, all), formatNumber(total), formatPercent(total, all)].map(
        (text) => makePageElement('td', text, 'number'),
      ),
      makePageElement('td', place),
    );
    return row;
  }
}

function compareValues(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
