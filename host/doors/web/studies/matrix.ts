import { render } from 'lit-html';
import { clip, formatCount, formatInteger } from '../../../../bridge/text/index.ts';
import { byId } from '../dom.ts';
import { formatScore, html, type Html } from '../parts/index.ts';
import { type AttemptFilter, formatHash, isFilterSet } from './addresses.ts';
import type { FolderStore } from './filters.ts';
import type { AttemptLine, FolderProblem, IndexData } from './study-data.ts';
import { formatAttemptTitle, stateSigns } from './words.ts';

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
    render(
      html`${introduction(index)}
        <div class="grid" role="region" aria-label="Attempts" tabindex="0">
          ${attempts.length === 0 ? html`<p class="nothing">No attempts so far.</p>` : matrixTable(index)}
        </div>
        ${legend()}`,
      byId('all'),
    );
    const lines = new Map(attempts.map((line) => [line.id, line]));
    this.#chips = listChips(byId('all')).flatMap((chip) => {
      const line = lines.get(chip.dataset.id ?? '');
      return line ? [[line, chip]] : [];
    });
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
    for (const row of document.querySelectorAll<HTMLElement>('.row.task'))
      row.hidden = row.querySelector('.chip:not(.gone)') === null;
    if (!isFilterSet(filter)) return '';
    const rest = unknown > 0 ? `, ${formatInteger(unknown)} not read yet` : '';
    return `${formatInteger(matching)} of ${formatCount(this.#chips.length, 'attempt')}${rest}`;
  }

  /** Sets the focus on an attempt. */
  focus(id: string): void {
    this.#chips.find(([line]) => line.id === id)?.[1].focus({ preventScroll: false });
  }

  #walk(event: KeyboardEvent): void {
    const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
    const [down = 0, across = 0] = by;
    const shown = [...document.querySelectorAll('.row.task')]
      .map((row) => listChips(row).filter((chip) => !chip.classList.contains('gone')))
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

function listChips(within: Element): HTMLAnchorElement[] {
  return [...within.querySelectorAll<HTMLAnchorElement>('.chip[data-id]')];
}

function makeColumnKey({ study, agent, model }: AttemptLine): string {
  return JSON.stringify([study, agent, model ?? '']);
}

function makeColumn(line: AttemptLine, { studies }: IndexData): MatrixColumn {
  const name = studies.length > 1 && line.study !== '' ? `${line.study}: ${line.agent}` : line.agent;
  return { key: makeColumnKey(line), name, model: line.model };
}

/** Sorted by name, with numbers in numeric order. */
function groupByName(
  lines: readonly AttemptLine[],
  keyOfLine: (line: AttemptLine) => string,
): [string, AttemptLine[]][] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  return [...Map.groupBy(lines, keyOfLine)].sort(([one], [other]) => compare(one, other));
}

function introduction({ name, studies, attempts, problems }: IndexData): Html {
  const passed = attempts.filter(({ state }) => state === 'passed').length;
  const parts = [
    `${formatInteger(passed)} of ${formatCount(attempts.length, 'attempt')} passed`,
    ...studies
      .filter(({ planned, over }) => planned === null || over < planned)
      .map(
        ({ name: study, planned, over }) =>
          `${study}: ${formatInteger(over)} of ${planned === null ? '?' : formatInteger(planned)} over`,
      ),
  ];
  return html`<h1>${name.split('/').findLast((part) => part !== '') ?? name}</h1>
    <p class="lead">${parts.join(' · ')}</p>
    ${problems.length > 0 && problemList(problems)}`;
}

/** The files that could not be read, collapsed. */
export function problemList(problems: readonly FolderProblem[]): Html {
  return html`<details class="problems">
    <summary>${formatCount(problems.length, 'thing')} could not be read</summary>
    <ul>
      ${problems
        .slice(0, mostListedProblems)
        .map(({ where, what }) => html`<li><code>${where}</code> ${what}</li>`)}
    </ul>
  </details>`;
}

function matrixTable(index: IndexData): Html {
  const { attempts } = index;
  const columns = [
    ...new Map(attempts.map((line) => [makeColumnKey(line), makeColumn(line, index)])).values(),
  ];
  return html`<div
    class="grid-inner"
    role="table"
    aria-label="Tasks by agents"
    style="--columns: ${columns.length}"
  >
    <div role="rowgroup">
      <div class="row head" role="row">
        <div role="columnheader">Task</div>
        ${columns.map((column) => columnHead(column, attempts))}
      </div>
    </div>
    ${groupByName(attempts, (line) => line.family).map(([family, own]) => familyRows(family, own, columns))}
  </div>`;
}

function columnHead({ key, name, model }: MatrixColumn, attempts: readonly AttemptLine[]): Html {
  const own = attempts.filter((line) => makeColumnKey(line) === key);
  return html`<div role="columnheader">
    <b>${name}</b>
    ${model !== null && !name.includes(model) && html`<span>${model}</span><br />`} ${countPassed(own)} passed
  </div>`;
}

function countPassed(lines: readonly AttemptLine[]): string {
  return `${lines.filter(({ state }) => state === 'passed').length} of ${lines.length}`;
}

function familyRows(family: string, lines: readonly AttemptLine[], columns: readonly MatrixColumn[]): Html {
  const inColumn = ({ key }: MatrixColumn) => lines.filter((line) => makeColumnKey(line) === key);
  const tasks = groupByName(lines, (line) => line.task);
  const blocks = Array.from({ length: Math.ceil(tasks.length / rowsInBlock) }, (_, i) =>
    tasks.slice(i * rowsInBlock, (i + 1) * rowsInBlock),
  );
  return html`<div role="rowgroup">
      <div class="row family" role="row">
        <div role="rowheader">${family === '' ? 'no family' : family}</div>
        ${columns.map(inColumn).map((own) => html`<div role="cell">${own.length > 0 && countPassed(own)}</div>`)}
      </div>
    </div>
    ${blocks.map(
      (block) =>
        html`<div
          class="rows"
          role="rowgroup"
          style="contain-intrinsic-size: auto ${block.length * rowHeight}px"
        >
          ${block.map(([task, own]) => taskRow(family, task, own, columns))}
        </div>`,
    )}`;
}

function taskRow(
  family: string,
  task: string,
  lines: readonly AttemptLine[],
  columns: readonly MatrixColumn[],
): Html {
  const chips = ({ key }: MatrixColumn) =>
    lines
      .filter((line) => makeColumnKey(line) === key)
      .toSorted((a, b) => a.number - b.number)
      .map(attemptChip);
  return html`<div class="row task" role="row">
    <div role="rowheader">${task.startsWith(`${family}/`) ? task.slice(family.length + 1) : task}</div>
    ${columns.map((column) => html`<div class="chips-of" role="cell">${chips(column)}</div>`)}
  </div>`;
}

function attemptChip(line: AttemptLine): Html {
  const { sign, word, tone } = stateSigns[line.state];
  const reward = line.reward === null ? '' : `, score ${formatScore(line.reward)}`;
  const steps = line.steps === null ? '' : `, ${formatCount(line.steps, 'step')}`;
  const label = `${formatAttemptTitle(line)}: ${word}${reward}${steps}`;
  const notes = [line.why, line.trust].flatMap((note) => (note === null ? [] : clip(note, 300)));
  return html`<a
    class="chip ${tone} ${line.state}"
    data-id="${line.id}"
    aria-label="${label}"
    title="${[label, ...notes].join('\n')}"
    >${sign}</a
  >`;
}

function legend(): Html {
  return html`<ul class="legend-of">
    ${Object.values(stateSigns).map(
      ({ sign, word, tone }) =>
        html`<li><span class="chip ${tone}" aria-hidden="true">${sign}</span>${word}</li>`,
    )}
  </ul>`;
}
