import { byId, highlighted, make } from '../../page/index.ts';

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;
/** Branches that a person has left open, by their paths. */
const open = new Set(['/editor', '/groups', '/diagnostics', '/workspace']);
/** Each leaf as it was last shown: a changed one is highlighted. */
let leaves = new Map<string, string>();

function matches(key: string, value: unknown, query: string): boolean {
  if (key.toLowerCase().includes(query)) return true;
  if (!isTree(value)) return String(value).toLowerCase().includes(query);
  return Object.entries(value).some(([name, inner]) => matches(name, inner, query));
}

function countMatches(key: string, value: unknown, query: string): number {
  const own = key.toLowerCase().includes(query) ? 1 : 0;
  if (!isTree(value)) return own || (String(value).toLowerCase().includes(query) ? 1 : 0);
  return Object.entries(value).reduce((sum, [name, inner]) => sum + countMatches(name, inner, query), own);
}

/** A summary that distinguishes one item of a list from the others while it is closed. */
function hint(value: Tree): string {
  if (Array.isArray(value)) return value.length === 1 ? '1 item' : `${value.length} items`;
  const words = ['label', 'message', 'name', 'key', 'id', 'uri'].map((name) => value[name]);
  const word = words.find((one) => typeof one === 'string' && one !== '');
  return typeof word === 'string' ? word : Object.keys(value).slice(0, 4).join(', ');
}

/** One rendering of the state: the search text, and each leaf as it is shown. */
interface Drawing {
  readonly query: string;
  readonly seen: Map<string, string>;
}

function leaf(key: string, value: unknown, path: string, { query, seen }: Drawing): HTMLElement {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  seen.set(path, text);
  const row = make('div', 'leaf');
  if (leaves.size > 0 && leaves.get(path) !== text) row.classList.add('changed');
  const kind = value === null ? 'null' : typeof value;
  row.append(highlighted(key, query, 'key'), highlighted(text, query, `value ${kind}`));
  return row;
}

function branch(key: string, value: Tree, path: string, { query, seen }: Drawing): HTMLElement {
  const details = make('details');
  const summary = make('summary');
  summary.append(highlighted(key, query, 'key'), make('span', 'hint', hint(value)));
  details.append(summary);
  // A match of the branch's own name shows all of it, closed; one further down opens the way to it.
  const own = query !== '' && key.toLowerCase().includes(query);
  const inner = own ? '' : query;
  const entries = Object.entries(value).filter(([name, one]) => inner === '' || matches(name, one, inner));
  details.open = inner === '' ? open.has(path) : true;
  const body = make('div', 'inner');
  for (const [name, one] of entries) body.append(node(name, one, `${path}/${name}`, { query: inner, seen }));
  if (entries.length === 0) body.append(make('div', 'leaf empty', 'nothing'));
  details.append(body);
  summary.addEventListener('click', () => (details.open ? open.delete(path) : open.add(path)));
  return details;
}

function node(key: string, value: unknown, path: string, drawing: Drawing): HTMLElement {
  return isTree(value) ? branch(key, value, path, drawing) : leaf(key, value, path, drawing);
}

/** Shows the state as a tree that stays as far open as it was, shows what changed, and can be searched. */
export function showState(state: Tree, query: string): void {
  const seen = new Map<string, string>();
  const found = Object.entries(state).filter(([name, value]) => query === '' || matches(name, value, query));
  const nodes = found.map(([name, value]) => node(name, value, `/${name}`, { query, seen }));
  const none = make('p', 'none', 'Nothing in the state matches.');
  byId('state').replaceChildren(...(nodes.length > 0 ? nodes : [none]));
  const total = found.reduce((sum, [name, value]) => sum + countMatches(name, value, query), 0);
  byId('state-count').textContent = query === '' ? '' : String(total);
  if (query === '') leaves = seen;
}
