import { clip } from '../../../bridge/text/index.ts';
import { byId, make } from '../../page/index.ts';
import { hashOf, isSet, type Filter } from './address.ts';
import type { AttemptLine, IndexData } from './data.ts';
import type { Store } from './store.ts';
import { count, number, plain, states, title } from './words.ts';

/** The number of rows that the browser lays out as one block: it skips blocks that are not in view. */
const rowsInBlock = 40;
/** Pixels of a row, for blocks that are not laid out. */
const rowHeight = 39;
/** The maximum number of problems to list. */
const mostProblems = 200;

interface Column {
  readonly key: string;
  readonly name: string;
  readonly model: string | null;
}

/** All attempts: tasks by agents. */
export class Matrix {
  readonly #store: Store;
  #chips: readonly (readonly [AttemptLine, HTMLAnchorElement])[] = [];
  #rows: readonly (readonly [HTMLElement, readonly HTMLAnchorElement[]])[] = [];

  constructor(store: Store) {
    this.#store = store;
    byId('all').addEventListener('keydown', (event) => this.#walk(event));
  }

  /** Ids of the attempts, in the order shown here. */
  get order(): readonly string[] {
    return this.#chips.map(([line]) => line.id);
  }

  /** Lists the attempts again. */
  draw(index: IndexData): void {
    const { attempts } = index;
    const columns = [...new Map(attempts.map((line) => [keyOf(line), columnOf(line, index)])).values()];
    const chips: (readonly [AttemptLine, HTMLAnchorElement])[] = [];
    const rows: (readonly [HTMLElement, readonly HTMLAnchorElement[]])[] = [];
    const inner = make('div', 'grid-inner');
    inner.role = 'table';
    inner.ariaLabel = 'Tasks by agents';
    inner.style.setProperty('--columns', String(columns.length));
    inner.append(head(columns, attempts));
    for (const [family, own] of groups(attempts, (line) => line.family)) {
      inner.append(familyRow(family, own, columns));
      const tasks = [...groups(own, (line) => line.task)];
      for (let from = 0; from < tasks.length; from += rowsInBlock) {
        const block = make('div', 'rows');
        block.role = 'rowgroup';
        const some = tasks.slice(from, from + rowsInBlock);
        block.style.containIntrinsicSize = `auto ${some.length * rowHeight}px`;
        for (const [task, lines] of some) {
          const made = taskRow(family, task, lines, columns);
          block.append(made.row);
          rows.push([made.row, made.chips.map(([, chip]) => chip)]);
          chips.push(...made.chips);
        }
        inner.append(block);
      }
    }
    [this.#chips, this.#rows] = [chips, rows];
    const grid = make('div', 'grid');
    grid.role = 'region';
    grid.ariaLabel = 'Attempts';
    grid.tabIndex = 0;
    grid.append(attempts.length === 0 ? make('p', 'nothing', 'No attempts so far.') : inner);
    byId('all').replaceChildren(...introduction(index), grid, legend());
  }

  /** Shows the matching attempts. Returns the result, in words. */
  filter(filter: Filter): string {
    let [matching, unknown] = [0, 0];
    const hash = (id: string) =>
      hashOf({ a: id, b: null, at: null, filter: { ...filter, state: '', mode: '' } });
    for (const [line, chip] of this.#chips) {
      const is = this.#store.matches(line, filter);
      if (is === true) matching += 1;
      if (is === null) unknown += 1;
      chip.classList.toggle('gone', is !== true);
      chip.href = hash(line.id);
    }
    for (const [row, chips] of this.#rows)
      row.hidden = chips.every((chip) => chip.classList.contains('gone'));
    if (!isSet(filter)) return '';
    const rest = unknown > 0 ? `, ${number(unknown)} not read yet` : '';
    return `${number(matching)} of ${count(this.#chips.length, 'attempt')}${rest}`;
  }

  /** Sets the focus on an attempt. */
  focus(id: string): void {
    const chip = this.#chips.find(([line]) => line.id === id)?.[1];
    chip?.focus({ preventScroll: false });
  }

  #walk(event: KeyboardEvent): void {
    const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
    const [down = 0, across = 0] = by;
    const shown = this.#rows
      .map(([, chips]) => chips.filter((chip) => !chip.classList.contains('gone')))
      .filter((chips) => chips.length > 0);
    const at = shown.findIndex((chips) => chips.some((chip) => chip === document.activeElement));
    const row = shown[at];
    event.preventDefault();
    if (!row) return void shown[0]?.[0]?.focus();
    const place = row.findIndex((chip) => chip === document.activeElement);
    const next = shown[Math.min(Math.max(at + down, 0), shown.length - 1)] ?? row;
    next[Math.min(Math.max(place + across, 0), next.length - 1)]?.focus();
  }
}

function keyOf({ study, agent, model }: AttemptLine): string {
  return JSON.stringify([study, agent, model ?? '']);
}

function columnOf(line: AttemptLine, { studies }: IndexData): Column {
  const name = studies.length > 1 && line.study !== '' ? `${line.study}: ${line.agent}` : line.agent;
  return { key: keyOf(line), name: plain(name), model: line.model };
}

/** Sorted by name, with numbers in numeric order. */
function groups(
  lines: readonly AttemptLine[],
  keyOfLine: (line: AttemptLine) => string,
): [string, AttemptLine[]][] {
  const byKey = new Map<string, AttemptLine[]>();
  for (const line of lines) {
    const own = byKey.get(keyOfLine(line));
    if (own) own.push(line);
    else byKey.set(keyOfLine(line), [line]);
  }
  const { compare } = new Intl.Collator('en', { numeric: true });
  return [...byKey].sort(([one], [other]) => compare(one, other));
}

function introduction({ name, studies, attempts, problems }: IndexData): HTMLElement[] {
  const passed = attempts.filter(({ state }) => state === 'passed').length;
  const shortName = name.split('/').findLast((part) => part !== '') ?? name;
  const parts = [
    `${number(passed)} of ${count(attempts.length, 'attempt')} passed`,
    ...studies
      .filter(({ planned, over }) => planned === null || over < planned)
      .map(
        ({ name: study, planned, over }) =>
          `${plain(study)}: ${number(over)} of ${planned === null ? '?' : number(planned)} over`,
      ),
  ];
  return [
    make('h1', '', plain(shortName)),
    make('p', 'lead', parts.join(' · ')),
    ...(problems.length > 0 ? [problemList(problems.map(({ where, what }) => [where, what]))] : []),
  ];
}

/** The files that could not be read, collapsed. */
export function problemList(problems: readonly (readonly [where: string, what: string])[]): HTMLElement {
  const made = make('details', 'problems');
  made.append(make('summary', '', `${count(problems.length, 'thing')} could not be read`));
  const list = make('ul');
  for (const [where, what] of problems.slice(0, mostProblems)) {
    const item = make('li');
    item.append(make('code', '', plain(where)), ` ${plain(what)}`);
    list.append(item);
  }
  made.append(list);
  return made;
}

function head(columns: readonly Column[], attempts: readonly AttemptLine[]): HTMLElement {
  const group = make('div');
  group.role = 'rowgroup';
  const row = rowOf('row head');
  row.append(cell('columnheader', 'Task'));
  for (const { key, name, model } of columns) {
    const own = attempts.filter((line) => keyOf(line) === key);
    const made = cell('columnheader', '');
    made.append(make('b', '', name));
    if (model !== null && !name.includes(model)) made.append(make('span', '', plain(model)), make('br'));
    made.append(`${own.filter(({ state }) => state === 'passed').length} of ${own.length} passed`);
    row.append(made);
  }
  group.append(row);
  return group;
}

function familyRow(family: string, lines: readonly AttemptLine[], columns: readonly Column[]): HTMLElement {
  const group = make('div');
  group.role = 'rowgroup';
  const row = rowOf('row family');
  row.append(cell('rowheader', plain(family) || 'no family'));
  for (const { key } of columns) {
    const own = lines.filter((line) => keyOf(line) === key);
    const passed = own.filter(({ state }) => state === 'passed').length;
    row.append(cell('cell', own.length === 0 ? '' : `${passed} of ${own.length}`));
  }
  group.append(row);
  return group;
}

function taskRow(family: string, task: string, lines: readonly AttemptLine[], columns: readonly Column[]) {
  const row = rowOf('row');
  row.append(cell('rowheader', plain(task.startsWith(`${family}/`) ? task.slice(family.length + 1) : task)));
  const chips: (readonly [AttemptLine, HTMLAnchorElement])[] = [];
  for (const { key } of columns) {
    const made = make('div', 'chips-of');
    made.role = 'cell';
    const own = lines.filter((line) => keyOf(line) === key).toSorted((a, b) => a.number - b.number);
    for (const line of own) {
      const chip = chipOf(line);
      chips.push([line, chip]);
      made.append(chip);
    }
    row.append(made);
  }
  return { row, chips };
}

function chipOf(line: AttemptLine): HTMLAnchorElement {
  const { sign, word, tone } = states[line.state];
  const chip = make('a', `chip ${tone} ${line.state}`, sign);
  const reward = line.reward === null ? '' : `, score ${Number(line.reward.toFixed(3))}`;
  const steps = line.steps === null ? '' : `, ${count(line.steps, 'step')}`;
  chip.ariaLabel = `${title(line)}: ${word}${reward}${steps}`;
  const notes = [line.why, line.trust].flatMap((note) => (note === null ? [] : plain(clip(note, 300))));
  chip.title = [chip.ariaLabel, ...notes].join('\n');
  chip.dataset.id = line.id;
  return chip;
}

function legend(): HTMLElement {
  const made = make('ul', 'legend-of');
  for (const { sign, word, tone } of Object.values(states)) {
    const item = make('li');
    const chip = make('span', `chip ${tone}`, sign);
    chip.ariaHidden = 'true';
    item.append(chip, word);
    made.append(item);
  }
  return made;
}

function rowOf(className: string): HTMLElement {
  const row = make('div', className);
  row.role = 'row';
  return row;
}

function cell(role: string, text: string): HTMLElement {
  const made = make('div', '', text);
  made.role = role;
  return made;
}
