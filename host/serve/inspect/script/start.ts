/** Listens for looks, and to the person. */
export const start = `
let last = null;
let trouble = null;
let ended = false;

function tell() {
  const status = byId('status');
  status.dataset.state = ended ? 'ended' : trouble ? 'trouble' : last ? 'live' : 'waiting';
  const text = ended ? 'this sandbox has ended' : (trouble ?? (last ? 'live' : 'waiting for the IDE'));
  if (status.textContent !== text) status.textContent = text;
}

function show() {
  tell();
  if (!last) return;
  const query = byId('search').value.trim().toLowerCase();
  showState(last.state, query);
  showMarks(last, query);
  const { focus, title } = last.seen;
  byId('focus').textContent = title + (focus ? ' · focus on ' + focus.role + ' ' + JSON.stringify(focus.name) : '');
}

function choose(name) {
  for (const one of ['state', 'list']) {
    byId(one).hidden = one !== name;
    byId('tab-' + one).setAttribute('aria-selected', String(one === name));
  }
}

const token = new URLSearchParams(location.search).get('token') ?? '';
const source = new EventSource('/look?token=' + encodeURIComponent(token));
source.addEventListener('look', ({ data }) => {
  [last, trouble] = [JSON.parse(data), null];
  show();
});
source.addEventListener('trouble', ({ data }) => {
  trouble = JSON.parse(data);
  tell();
});
source.addEventListener('ended', () => {
  ended = true;
  source.close();
  byId('over').textContent = 'This sandbox has ended';
  byId('over').hidden = false;
  tell();
});
source.addEventListener('error', () => {
  trouble = 'not connected: is the server still there?';
  tell();
});

byId('search').addEventListener('input', show);
byId('overlay').addEventListener('change', ({ target }) => {
  document.body.classList.toggle('plain', !target.checked);
  placeNumbers();
});
for (const name of ['state', 'list']) byId('tab-' + name).addEventListener('click', () => choose(name));
byId('marks').addEventListener('click', ({ target }) => {
  const id = target.closest('[data-mark]')?.dataset.mark;
  if (id === undefined) return;
  choose('list');
  point(id, true);
});
document.addEventListener('keydown', (event) => {
  if (event.target === byId('search')) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'm') byId('overlay').click();
  if (event.key === '/') {
    event.preventDefault();
    byId('search').select();
  }
});
tell();
`;
