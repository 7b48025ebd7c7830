import type { AgentOutcome, AgentStep } from '../../../../bridge/protocol/index.ts';
import { buildElement, byId, highlightMatches } from '../dom.ts';

type StateTree = Readonly<Record<string, unknown>>;

const isStateTree = (value: unknown): value is StateTree => typeof value === 'object' && value !== null;
/** Branches that a person has left open, by their paths. */
const openBranches = new Set(['/editor', '/groups', '/diagnostics', '/workspace']);
/** Each leaf as it was last shown: a changed one is highlighted. */
let shownLeaves = new Map<string, string>();

function matchesState(key: string, value: unknown, query: string): boolean {
  if (key.toLowerCase().includes(query)) return true;
  if (!isStateTree(value)) return String(value).toLowerCase().includes(query);
  return Object.entries(value).some(([name, inner]) => matchesState(name, inner, query));
}

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

/** One rendering of the state: the search text, and each leaf as it is shown. */
interface StateDrawing {
  readonly query: string;
  readonly seen: Map<string, string>;
}

function drawLeaf(key: string, value: unknown, path: string, { query, seen }: StateDrawing): HTMLElement {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  seen.set(path, text);
  const row = buildElement('div', 'leaf');
  if (shownLeaves.size > 0 && shownLeaves.get(path) !== text) row.classList.add('changed');
  const kind = value === null ? 'null' : typeof value;
  row.append(highlightMatches(key, query, 'key'), highlightMatches(text, query, `value ${kind}`));
  return row;
}

function drawBranch(key: string, value: StateTree, path: string, { query, seen }: StateDrawing): HTMLElement {
  const details = buildElement('details');
  const summary = buildElement('summary');
  summary.append(highlightMatches(key, query, 'key'), buildElement('span', 'hint', summarizeTree(value)));
  details.append(summary);
  // A match of the branch's own name shows all of it, closed; one further down opens the way to it.
  const own = query !== '' && key.toLowerCase().includes(query);
  const inner = own ? '' : query;
  const entries = Object.entries(value).filter(
    ([name, one]) => inner === '' || matchesState(name, one, inner),
  );
  details.open = inner === '' ? openBranches.has(path) : true;
  const body = buildElement('div', 'inner');
  for (const [name, one] of entries)
    body.append(drawNode(name, one, `${path}/${name}`, { query: inner, seen }));
  if (entries.length === 0) body.append(buildElement('div', 'leaf empty', 'nothing'));
  details.append(body);
  summary.addEventListener('click', () =>
    details.open ? openBranches.delete(path) : openBranches.add(path),
  );
  return details;
}

function drawNode(key: string, value: unknown, path: string, drawing: StateDrawing): HTMLElement {
  return isStateTree(value) ? drawBranch(key, value, path, drawing) : drawLeaf(key, value, path, drawing);
}

/** Shows the state as a tree that stays as far open as it was, shows what changed, and can be searched. */
export function showState(state: StateTree, query: string): void {
  const seen = new Map<string, string>();
  const found = Object.entries(state).filter(
    ([name, value]) => query === '' || matchesState(name, value, query),
  );
  const nodes = found.map(([name, value]) => drawNode(name, value, `/${name}`, { query, seen }));
  const none = buildElement('p', 'none', 'Nothing in the state matches.');
  byId('state').replaceChildren(...(nodes.length > 0 ? nodes : [none]));
  const total = found.reduce((sum, [name, value]) => sum + countMatches(name, value, query), 0);
  byId('state-count').textContent = query === '' ? '' : String(total);
  if (query === '') shownLeaves = seen;
}

/** The maximum number of steps to show; older ones are in the record. */
const mostShownSteps = 100;

/** Shows who did what with which effect, the newest first. */
export function showSteps(steps: readonly AgentStep[], query: string): void {
  const found = steps
    .filter((step) => query === '' || stepSearchText(step).includes(query))
    .slice(-mostShownSteps);
  byId('steps-list').replaceChildren(...found.toReversed().map((step) => makeStepRow(step, query)));
  byId('steps-none').hidden = found.length > 0;
  byId('steps-none').textContent = steps.length > 0 ? 'No step matches.' : 'No steps so far.';
  byId('steps-count').textContent = steps.length > 0 ? String(steps.length) : '';
}

function stepSearchText({ outcomes }: AgentStep): string {
  return outcomes
    .map(({ action, effect, evidence }) => `${action} ${effect} ${evidence}`)
    .join('\n')
    .toLowerCase();
}

function makeStepRow(step: AgentStep, query: string): HTMLElement {
  const row = buildElement('li', 'step');
  row.dataset.by = step.by;
  const who = step.by === 'person' ? 'Person' : 'Agent';
  const at = new Date(step.at).toLocaleTimeString();
  const head = buildElement('p', 'small');
  head.append(buildElement('b', '', who), ` ${step.step === null ? '' : `step ${step.step}, `}${at}`);
  row.append(head, ...step.outcomes.map((outcome) => makeOutcome(outcome, query)));
  const left = step.omitted + step.skipped;
  if (left > 0) row.append(buildElement('p', 'small', `${left} more, not shown or not tried`));
  return row;
}

function makeOutcome({ action, effect, evidence }: AgentOutcome, query: string): HTMLElement {
  const outcome = buildElement('div', 'outcome');
  outcome.dataset.effect = effect;
  outcome.append(
    highlightMatches(action, query, 'action'),
    buildElement('span', 'effect', effect),
    highlightMatches(evidence, query, 'evidence'),
  );
  return outcome;
}
