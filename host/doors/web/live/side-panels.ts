import { keyed } from 'lit-html/directives/keyed.js';
import type { AgentOutcome, AgentStep } from '../../../../bridge/protocol/index.ts';
import { effectBadge, html, type Html } from '../parts/index.ts';

/** Text with the matches of a search highlighted. @param query in small letters */
export function highlighted(text: string, query: string): Html | string {
  const at = query === '' ? -1 : text.toLowerCase().indexOf(query);
  const end = at + query.length;
  return at < 0 ? text : html`${text.slice(0, at)}<mark>${text.slice(at, end)}</mark>${text.slice(end)}`;
}

type StateTree = Readonly<Record<string, unknown>>;

const isStateTree = (value: unknown): value is StateTree => typeof value === 'object' && value !== null;

function countMatches(key: string, value: unknown, query: string): number {
  const own = key.toLowerCase().includes(query) ? 1 : 0;
  if (!isStateTree(value)) return own || (String(value).toLowerCase().includes(query) ? 1 : 0);
  return Object.entries(value).reduce((sum, [name, inner]) => sum + countMatches(name, inner, query), own);
}

/** A summary that distinguishes one item of a list from the others while it is closed. */
function summarizeTree(value: StateTree): string {
  if (Array.isArray(value)) return value.length === 1 ? '1 item' : `${value.length} items`;
  const words = ['label', 'message', 'name', 'key', 'id', 'uri'].map((name) => value[name]);
  const word = words.find((one) => typeof one === 'string' && one !== '');
  return typeof word === 'string' ? word : Object.keys(value).slice(0, 4).join(', ');
}

/** The state as a tree that stays as far open as it was, shows what changed, and can be searched. */
export class StatePanel {
  readonly #draw: () => void;
  /** Branches that a person has left open, by their paths. */
  readonly #open = new Set(['/editor', '/groups', '/diagnostics', '/workspace']);
  /** Each leaf as it was in the last state, and in the one before: a changed one is highlighted. */
  #leaves = new Map<string, string>();
  #before = new Map<string, string>();
  #state: StateTree = {};

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  take(state: StateTree): void {
    this.#state = state;
    this.#before = this.#leaves;
    this.#leaves = new Map();
    this.#collect('', state);
  }

  /** The number of matches. */
  count(query: string): number {
    return Object.entries(this.#state).reduce(
      (sum, [key, value]) => sum + countMatches(key, value, query),
      0,
    );
  }

  panel(query: string): Html | Html[] {
    const found = this.#entries(this.#state, query);
    if (found.length === 0) return html`<p class="nothing">Nothing in the state matches.</p>`;
    return found.map(([name, value]) => this.#node(name, value, `/${name}`, query));
  }

  #collect(path: string, value: unknown): void {
    if (isStateTree(value))
      for (const [name, inner] of Object.entries(value)) this.#collect(`${path}/${name}`, inner);
    else this.#leaves.set(path, formatLeaf(value));
  }

  #entries(value: StateTree, query: string): [string, unknown][] {
    return Object.entries(value).filter(([name, one]) => query === '' || countMatches(name, one, query) > 0);
  }

  #node(key: string, value: unknown, path: string, query: string): Html {
    if (isStateTree(value)) return this.#branch(key, value, path, query);
    const text = formatLeaf(value);
    const kind = value === null ? 'null' : typeof value;
    const isChanged = this.#before.size > 0 && this.#before.get(path) !== text;
    // A new element, so that the change is shown again.
    const leaf = html`<div class="leaf ${isChanged ? 'changed' : ''}">
      <span class="key">${highlighted(key, query)}</span>
      <span class="value ${kind}">${highlighted(text, query)}</span>
    </div>`;
    return html`${keyed(`${path} ${text}`, leaf)}`;
  }

  #branch(key: string, value: StateTree, path: string, query: string): Html {
    // A match of the branch's own name shows all of it, closed; one further down opens the way to it.
    const inner = query !== '' && key.toLowerCase().includes(query) ? '' : query;
    const entries = this.#entries(value, inner);
    const toggle = (event: Event) => {
      event.preventDefault();
      if (!this.#open.delete(path)) this.#open.add(path);
      this.#draw();
    };
    return html`<details ?open="${inner !== '' || this.#open.has(path)}">
      <summary @click="${toggle}">
        <span class="key">${highlighted(key, query)}</span><span class="hint">${summarizeTree(value)}</span>
      </summary>
      <div class="inner">
        ${entries.map(([name, one]) => this.#node(name, one, `${path}/${name}`, inner))}
        ${entries.length === 0 && html`<div class="leaf empty">nothing</div>`}
      </div>
    </details>`;
  }
}

function formatLeaf(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** The maximum number of steps to show; older ones are in the record. */
const mostShownSteps = 100;

/** Who did what with which effect, the newest first. */
export function stepsPanel(steps: readonly AgentStep[], query: string): Html {
  const found = steps
    .filter((step) => query === '' || stepSearchText(step).includes(query))
    .slice(-mostShownSteps);
  return html`<ol id="steps-list" aria-label="Steps, the newest first">
      ${found.toReversed().map((step) => stepItem(step, query))}
    </ol>
    <p class="nothing" id="steps-none" ?hidden="${found.length > 0}">
      ${steps.length > 0 ? 'No step matches.' : 'No steps so far.'}
    </p>`;
}

function stepSearchText({ outcomes }: AgentStep): string {
  return outcomes
    .map(({ action, effect, evidence }) => `${action} ${effect} ${evidence}`)
    .join('\n')
    .toLowerCase();
}

function stepItem({ by, step, at, outcomes, omitted, skipped }: AgentStep, query: string): Html {
  const left = omitted + skipped;
  return html`<li class="step" data-by="${by}">
    <p class="small">
      <b>${by === 'person' ? 'Person' : 'Agent'}</b>
      ${step !== null && `step ${step}, `}${new Date(at).toLocaleTimeString()}
    </p>
    ${outcomes.map((outcome) => outcomeWords(outcome, query))}
    ${left > 0 && html`<p class="small">${left} more, not shown or not tried</p>`}
  </li>`;
}

function outcomeWords({ action, effect, evidence }: AgentOutcome, query: string): Html {
  return html`<div class="outcome">
    <span class="action">${highlighted(action, query)}</span>
    ${effectBadge(effect)} <span class="evidence">${highlighted(evidence, query)}</span>
  </div>`;
}
