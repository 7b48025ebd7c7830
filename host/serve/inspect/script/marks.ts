/** The marks: over the screen, and as a list; what is pointed at in one is shown in the other. */
export const marks = `
let pointed = null;

function hue(role) {
  let sum = 0;
  for (const letter of role) sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
  return (sum * 137) % 360;
}

function point(id, reveal) {
  pointed = id;
  for (const element of document.querySelectorAll('[data-mark]'))
    element.classList.toggle('pointed', element.dataset.mark === id);
  if (reveal && id !== null)
    document.querySelector('#list [data-mark="' + id + '"]')?.scrollIntoView({ block: 'nearest' });
}

function overlayOf({ id, role, name, box }, width, height) {
  const frame = make('div', 'mark' + (role === 'line' ? ' behind' : box.width >= 60 ? ' wide' : ''));
  frame.dataset.mark = String(id);
  frame.style.setProperty('--hue', hue(role));
  for (const [side, value, whole] of [['left', box.x, width], ['top', box.y, height], ['width', box.width, width], ['height', box.height, height]])
    frame.style[side] = (100 * value) / whole + '%';
  frame.title = role + ' ' + JSON.stringify(name);
  frame.append(make('span', '', String(id)));
  return frame;
}

function rowOf({ id, role, name, value, state, box }, query) {
  const row = make('div', 'row');
  row.dataset.mark = String(id);
  row.style.setProperty('--hue', hue(role));
  row.tabIndex = 0;
  const words = make('div', 'words');
  words.append(highlighted(name || '(no name)', query, 'name'));
  if (value !== undefined) words.append(highlighted('= ' + JSON.stringify(value), query, 'held'));
  const at = Math.round(box.x) + ', ' + Math.round(box.y) + '  ' + Math.round(box.width) + '×' + Math.round(box.height);
  const small = make('div', 'small');
  small.append(highlighted(role, query, 'role'), make('span', '', [...Object.keys(state), at].join(' · ')));
  words.append(small);
  row.append(make('span', 'number', String(id)), words);
  return row;
}

function isMarkMatch({ id, role, name, value }, query) {
  return [String(id), role, name, value ?? ''].some((text) => text.toLowerCase().includes(query));
}

function showMarks({ seen, width, height }, query) {
  const found = seen.marks.filter((mark) => query === '' || isMarkMatch(mark, query));
  byId('stage').style.aspectRatio = width + ' / ' + height;
  // Large ones below small ones, so that each can be pointed at.
  const sorted = found.toSorted((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
  byId('marks').replaceChildren(...sorted.map((mark) => overlayOf(mark, width, height)));
  placeNumbers();
  const rows = found.map((mark) => rowOf(mark, query));
  for (const { what, why } of seen.unread) rows.push(make('p', 'none', 'Not read: ' + what + ': ' + why));
  if (seen.dialog) rows.unshift(make('p', 'none', 'The browser asks (' + seen.dialog.type + '): ' + seen.dialog.message));
  byId('list').replaceChildren(...(rows.length > 0 ? rows : [make('p', 'none', 'No mark matches.')]));
  byId('list-count').textContent = query === '' ? seen.marks.length : found.length + ' of ' + seen.marks.length;
  point(pointed, false);
}

for (const place of ['marks', 'list']) {
  byId(place).addEventListener('pointerover', ({ target }) =>
    point(target.closest('[data-mark]')?.dataset.mark ?? null, place === 'marks'));
  byId(place).addEventListener('pointerleave', () => point(null, false));
}
byId('list').addEventListener('focusin', ({ target }) => point(target.dataset.mark ?? null, false));
`;
