import { clip, plainLine } from '../../../../bridge/text/index.ts';
import { buildElement, byId } from '../dom.ts';
import { type AttemptFilter, formatHash, isFilterSet } from './addresses.ts';
import type { FolderStore } from './filters.ts';
import type { AttemptLine, IndexData } from './study-data.ts';
import { countText, formatAttemptTitle, integerText, stateSigns } from './words.ts';

/** The number of rows that the browser lays out as one block: it skips blocks that are not in view. */
const rowsInBlock = 40;
/** Pixels of a row, for blocks that are not laid out. */
const rowHeight = 39;
/** The maximum number of problems to list. */
const mostListedProblems = 200;

interface MatrixColumn {
  readonly key: string;
  readonly name: string;
  readonly model: string | null;
}

/** All attempts: tasks by agents. */
export class Matrix {
  readonly #store: FolderStore;
  #chips: readonly (readonly [AttemptLine, HTMLAnchorElement])[] = [];
  #rows: readonly (readonly [HTMLElement, readonly HTMLAnchorElement[]])[] = [];

  constructor(store: FolderStore) {
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
    const columns = [
      ...new Map(attempts.map((line) => [makeColumnKey(line), makeColumn(line, index)])).values(),
    ];
    const chips: (readonly [AttemptLine, HTMLAnchorElement])[] = [];
    const rows: (readonly [HTMLElement, readonly HTMLAnchorElement[]])[] = [];
    const inner = buildElement('div', 'grid-inner');
    inner.role = 'table';
    inner.ariaLabel = 'Tasks by agents';
    inner.style.setProperty('--columns', String(columns.length));
    inner.append(makeHead(columns, attempts));
    for (const [family, own] of groupByName(attempts, (line) => line.family)) {
      inner.append(makeFamilyRow(family, own, columns));
      const tasks = [...groupByName(own, (line) => line.task)];
      for (let from = 0; from < tasks.length; from += rowsInBlock) {
        const block = buildElement('div', 'rows');
        block.role = 'rowgroup';
        const some = tasks.slice(from, from + rowsInBlock);
        block.style.containIntrinsicSize = `auto ${some.length * rowHeight}px`;
        for (const [task, lines] of some) {
          const made = makeTaskRow(family, task, lines, columns);
          block.append(made.row);
          rows.push([made.row, made.chips.map(([, chip]) => chip)]);
          chips.push(...made.chips);
        }
        inner.append(block);
      }
    }
    [this.#chips, this.#rows] = [chips, rows];
    const grid = buildElement('div', 'grid');
    grid.role = 'region';
    grid.ariaLabel = 'Attempts';
    grid.tabIndex = 0;
    grid.append(attempts.length === 0 ? buildElement('p', 'nothing', 'No attempts so far.') : inner);
    byId('all').replaceChildren(...makeIntroduction(index), grid, makeLegend());
  }

  /** Shows the matching attempts. Returns the result, in words. */
  filter(filter: AttemptFilter): string {
    let [matching, unknown] = [0, 0];
    const hash = (id: string) =>
      formatHash({ a: id, b: null, at: null, filter: { ...filter, state: '', mode: '' } });
    for (const [line, chip] of this.#chips) {
      const is = this.#store.matches(line, filter);
      if (is === true) matching += 1;
      if (is === null) unknown += 1;
      chip.classList.toggle('gone', is !== true);
      chip.href = hash(line.id);
    }
    for (const [row, chips] of this.#rows)
      row.hidden = chips.every((chip) => chip.classList.contains('gone'));
    if (!isFilterSet(filter)) return '';
    const rest = unknown > 0 ? `, ${integerText(unknown)} not read yet` : '';
    return `${integerText(matching)} of ${countText(this.#chips.length, 'attempt')}${rest}`;
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

function makeColumnKey({ study, agent, model }: AttemptLine): string {
  return JSON.stringify([study, agent, model ?? '']);
}

function makeColumn(line: AttemptLine, { studies }: IndexData): MatrixColumn {
  const name = studies.length > 1 && line.study !== '' ? `${line.study}: ${line.agent}` : line.agent;
  return { key: makeColumnKey(line), name: plainLine(name), model: line.model };
}

/** Sorted by name, with numbers in numeric order. */
function groupByName(
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

function makeIntroduction({ name, studies, attempts, problems }: IndexData): HTMLElement[] {
  const passed = attempts.filter(({ state }) => state === 'passed').length;
  const shortName = name.split('/').findLast((part) => part !== '') ?? name;
  const parts = [
    `${integerText(passed)} of ${countText(attempts.length, 'attempt')} passed`,
    ...studies
      .filter(({ planned, over }) => planned === null || over < planned)
      .map(
        ({ name: study, planned, over }) =>
          `${plainLine(study)}: ${integerText(over)} of ${planned === null ? '?' : integerText(planned)} over`,
      ),
  ];
  return [
    buildElement('h1', '', plainLine(shortName)),
    buildElement('p', 'lead', parts.join(' · ')),
    ...(problems.length > 0 ? [makeProblemList(problems.map(({ where, what }) => [where, what]))] : []),
  ];
}

/** The files that could not be read, collapsed. */
export function makeProblemList(problems: readonly (readonly [where: string, what: string])[]): HTMLElement {
  const made = buildElement('details', 'problems');
  made.append(buildElement('summary', '', `${countText(problems.length, 'thing')} could not be read`));
  const list = buildElement('ul');
  for (const [where, what] of problems.slice(0, mostListedProblems)) {
    const item = buildElement('li');
    item.append(buildElement('code', '', plainLine(where)), ` ${plainLine(what)}`);
    list.append(item);
  }
  made.append(list);
  return made;
}

function makeHead(columns: readonly MatrixColumn[], attempts: readonly AttemptLine[]): HTMLElement {
  const group = buildElement('div');
  group.role = 'rowgroup';
  const row = makeRow('row head');
  row.append(makeCell('columnheader', 'Task'));
  for (const { key, name, model } of columns) {
    const own = attempts.filter((line) => makeColumnKey(line) === key);
    const made = makeCell('columnheader', '');
    made.append(buildElement('b', '', name));
    if (model !== null && !name.includes(model))
      made.append(buildElement('span', '', plainLine(model)), buildElement('br'));
    made.append(`${own.filter(({ state }) => state === 'passed').length} of ${own.length} passed`);
    row.append(made);
  }
  group.append(row);
  return group;
}

function makeFamilyRow(
  family: string,
  lines: readonly AttemptLine[],
  columns: readonly MatrixColumn[],
): HTMLElement {
  const group = buildElement('div');
  group.role = 'rowgroup';
  const row = makeRow('row family');
  row.append(makeCell('rowheader', plainLine(family) || 'no family'));
  for (const { key } of columns) {
    const own = lines.filter((line) => makeColumnKey(line) === key);
    const passed = own.filter(({ state }) => state === 'passed').length;
    row.append(makeCell('cell', own.length === 0 ? '' : `${passed} of ${own.length}`));
  }
  group.append(row);
  return group;
}

function makeTaskRow(
  family: string,
  task: string,
  lines: readonly AttemptLine[],
  columns: readonly MatrixColumn[],
) {
  const row = makeRow('row');
  row.append(
    makeCell('rowheader', plainLine(task.startsWith(`${family}/`) ? task.slice(family.length + 1) : task)),
  );
  const chips: (readonly [AttemptLine, HTMLAnchorElement])[] = [];
  for (const { key } of columns) {
    const made = buildElement('div', 'chips-of');
    made.role = 'cell';
    const own = lines.filter((line) => makeColumnKey(line) === key).toSorted((a, b) => a.number - b.number);
    for (const line of own) {
      const chip = makeChip(line);
      chips.push([line, chip]);
      made.append(chip);
    }
    row.append(made);
  }
  return { row, chips };
}

function makeChip(line: AttemptLine): HTMLAnchorElement {
  const { sign, word, tone } = stateSigns[line.state];
  const chip = buildElement('a', `chip ${tone} ${line.state}`, sign);
  const reward = line.reward === null ? '' : `, score ${Number(line.reward.toFixed(3))}`;
  const steps = line.steps === null ? '' : `, ${countText(line.steps, 'step')}`;
  chip.ariaLabel = `${formatAttemptTitle(line)}: ${word}${reward}${steps}`;
  const notes = [line.why, line.trust].flatMap((note) => (note === null ? [] : plainLine(clip(note, 300))));
  chip.title = [chip.ariaLabel, ...notes].join('\n');
  chip.dataset.id = line.id;
  return chip;
}

function makeLegend(): HTMLElement {
  const made = buildElement('ul', 'legend-of');
  for (const { sign, word, tone } of Object.values(stateSigns)) {
    const item = buildElement('li');
    const chip = buildElement('span', `chip ${tone}`, sign);
    chip.ariaHidden = 'true';
    item.append(chip, word);
    made.append(item);
  }
  return made;
}

function makeRow(className: string): HTMLElement {
  const row = buildElement('div', className);
  row.role = 'row';
  return row;
}

function makeCell(role: string, text: string): HTMLElement {
  const made = buildElement('div', '', text);
  made.role = role;
  return made;
}
