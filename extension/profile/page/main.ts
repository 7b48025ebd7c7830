import { detailOf, numberText } from './format.ts';
import { FlameView } from './flame.ts';
import { FunctionTable } from './functions.ts';
import type { ProfileShown, Ready, Shown } from './message.ts';
import { element } from './elements.ts';

declare function acquireVsCodeApi(): { postMessage(message: Ready): void };

const parts = {
  flame: element('flame'),
  functions: element('functions'),
  search: element('search') as HTMLInputElement,
  found: element('found'),
  detail: element('detail'),
};

function show(shown: Shown): void {
  if (shown.kind === 'problem') {
    parts.flame.textContent = shown.message;
    parts.flame.className = 'problem';
    choose('flame');
    return;
  }
  element('file').textContent = shown.file;
  element('total').textContent = `${numberText(shown.total)} ${shown.unit} in all`;
  draw(shown);
}

function draw(profile: ProfileShown): void {
  const flame = new FlameView(parts.flame, profile, (bar) => {
    parts.detail.textContent = bar ? detailOf(bar, profile) : hint(profile);
  });
  const table = new FunctionTable(parts.functions, profile);
  const search = () => {
    const text = parts.search.value.trim().toLowerCase();
    const share = flame.search(text);
    const rows = table.search(text);
    parts.found.textContent =
      text === ''
        ? ''
        : `${rows} ${rows === 1 ? 'function' : 'functions'}, ${numberText(share)} % of the run`;
  };
  parts.search.oninput = search;
  parts.search.onkeydown = ({ key }) => {
    if (key !== 'Escape') return;
    parts.search.value = '';
    search();
  };
  element('reset').onclick = () => flame.zoom(undefined);
  element('flame-tab').onclick = () => choose('flame');
  element('functions-tab').onclick = () => choose('functions');
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
    element(`${name}-tab`).setAttribute('aria-selected', String(name === panel));
  }
}

window.addEventListener('message', ({ data }: MessageEvent<Shown>) => show(data));
acquireVsCodeApi().postMessage({ kind: 'ready' });
