import { FlameView } from './flame-view.ts';
import { FunctionTable } from './function-table.ts';
import { findElement, formatDetail, formatNumber } from './page-elements.ts';
import type { PageReady, ProfileShown, ProfileView } from './profile-message.ts';

declare function acquireVsCodeApi(): { postMessage(message: PageReady): void };

const parts = {
  flame: findElement('flame'),
  functions: findElement('functions'),
  search: findElement('search') as HTMLInputElement,
  found: findElement('found'),
  detail: findElement('detail'),
};

function show(shown: ProfileView): void {
  if (shown.kind === 'problem') {
    parts.flame.textContent = shown.message;
    parts.flame.className = 'problem';
    choose('flame');
    return;
  }
  findElement('file').textContent = shown.file;
  findElement('total').textContent = `${formatNumber(shown.total)} ${shown.unit} in all`;
  draw(shown);
}

function draw(profile: ProfileShown): void {
  const flame = new FlameView(parts.flame, profile, (bar) => {
    parts.detail.textContent = bar ? formatDetail(bar, profile) : hint(profile);
  });
  const table = new FunctionTable(parts.functions, profile);
  const search = () => {
    const text = parts.search.value.trim().toLowerCase();
    const share = flame.search(text);
    const rows = table.search(text);
    parts.found.textContent =
      text === ''
        ? ''
        : `${rows} ${rows === 1 ? 'function' : 'functions'}, ${formatNumber(share)} % of the run`;
  };
  parts.search.oninput = search;
  parts.search.onkeydown = ({ key }) => {
    if (key !== 'Escape') return;
    parts.search.value = '';
    search();
  };
  findElement('reset').onclick = () => flame.zoom(undefined);
  findElement('flame-tab').onclick = () => choose('flame');
  findElement('functions-tab').onclick = () => choose('functions');
  parts.detail.textContent = hint(profile);
  // Widths are known when the panel is shown, and change with the window.
  new ResizeObserver(() => flame.draw()).observe(parts.flame);
  choose('flame');
  search();
}

function hint({ omitted }: ProfileShown): string {
  const left = omitted > 0 ? ` ${omitted} of the thinnest bars are left out.` : '';
  return `Point at a bar for its time and depth; click it to zoom in.${left}`;
}

function choose(panel: 'flame' | 'functions'): void {
  for (const name of ['flame', 'functions'] as const) {
    parts[name].hidden = name !== panel;
    findElement(`${name}-tab`).setAttribute('aria-selected', String(name === panel));
  }
}

window.addEventListener('message', ({ data }: MessageEvent<ProfileView>) => show(data));
acquireVsCodeApi().postMessage({ kind: 'ready' });
