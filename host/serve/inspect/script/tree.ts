/** The state as a tree that stays as far open as it was, shows what changed, and can be searched. */
export const tree = `
const byId = (id) => document.getElementById(id);
const make = (name, className, text) => {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};
const isTree = (value) => typeof value === 'object' && value !== null;
const open = new Set(['/editor', '/groups', '/diagnostics', '/workspace']);
let leaves = new Map();

function matches(key, value, query) {
  if (String(key).toLowerCase().includes(query)) return true;
  if (!isTree(value)) return String(value).toLowerCase().includes(query);
  return Object.entries(value).some(([name, inner]) => matches(name, inner, query));
}

function countMatches(key, value, query) {
  const own = String(key).toLowerCase().includes(query) ? 1 : 0;
  if (!isTree(value)) return own || (String(value).toLowerCase().includes(query) ? 1 : 0);
  return own + Object.entries(value).reduce((sum, [name, inner]) => sum + countMatches(name, inner, query), 0);
}

/** What distinguishes one item of a list from the others, so that a closed one says something. */
function hint(value) {
  if (Array.isArray(value)) return value.length === 1 ? '1 item' : value.length + ' items';
  const words = ['label', 'message', 'name', 'key', 'id', 'uri'].map((name) => value[name]);
  const word = words.find((one) => typeof one === 'string' && one !== '');
  return word ?? Object.keys(value).slice(0, 4).join(', ');
}

function highlighted(text, query, className) {
  const span = make('span', className);
  const at = query === '' ? -1 : text.toLowerCase().indexOf(query);
  if (at < 0) span.textContent = text;
  else span.append(text.slice(0, at), make('mark', '', text.slice(at, at + query.length)), text.slice(at + query.length));
  return span;
}

function leaf(key, value, path, query, seen) {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  seen.set(path, text);
  const row = make('div', 'leaf');
  if (leaves.size > 0 && leaves.get(path) !== text) row.classList.add('changed');
  row.append(highlighted(String(key), query, 'key'), highlighted(text, query, 'value ' + (value === null ? 'null' : typeof value)));
  return row;
}

function branch(key, value, path, query, seen) {
  const details = make('details');
  const summary = make('summary');
  summary.append(highlighted(String(key), query, 'key'), make('span', 'hint', hint(value)));
  details.append(summary);
  // A match of the branch's own name shows all of it, closed; one further down opens the way to it.
  const own = query !== '' && String(key).toLowerCase().includes(query);
  const inner = own ? '' : query;
  const entries = Object.entries(value).filter(([name, one]) => inner === '' || matches(name, one, inner));
  details.open = inner === '' ? open.has(path) : true;
  const body = make('div', 'inner');
  for (const [name, one] of entries) body.append(node(name, one, path + '/' + name, inner, seen));
  if (entries.length === 0) body.append(make('div', 'leaf empty', 'nothing'));
  details.append(body);
  summary.addEventListener('click', () => (details.open ? open.delete(path) : open.add(path)));
  return details;
}

function node(key, value, path, query, seen) {
  return isTree(value) ? branch(key, value, path, query, seen) : leaf(key, value, path, query, seen);
}

function showState(state, query) {
  const seen = new Map();
  const found = Object.entries(state).filter(([name, value]) => query === '' || matches(name, value, query));
  const nodes = found.map(([name, value]) => node(name, value, '/' + name, query, seen));
  byId('state').replaceChildren(...(nodes.length > 0 ? nodes : [make('p', 'none', 'Nothing in the state matches.')]));
  const total = query === '' ? '' : found.reduce((sum, [name, value]) => sum + countMatches(name, value, query), 0);
  byId('state-count').textContent = total;
  if (query === '') leaves = seen;
}
`;
