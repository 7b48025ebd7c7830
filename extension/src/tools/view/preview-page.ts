/**
 * Inserted at the start of the page. Removes VS Code's styles for such tabs: the page should look as in a browser. Errors
 * while it loads are collected, and reported with its size once it is drawn, and again after each zoom.
 */
const reportScript = `(() => {
const host = acquireVsCodeApi();
const complaints = [];
const complain = (text) => { if (complaints.length < 50) complaints.push(String(text).slice(0, 2000)) };
document.getElementById('_defaultStyles')?.remove();
addEventListener('error', ({ target, message }) => {
  const source = target?.src ?? target?.href;
  complain(source ? 'can not load ' + source : message);
}, true);
addEventListener('unhandledrejection', ({ reason }) => complain('unhandled: ' + reason));
const error = console.error;
console.error = (...words) => { complain(words.join(' ')); error(...words) };
// Twice: once laid out, once drawn. A page that the browser does not draw is not waited for.
const drawn = () => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(done));
  setTimeout(done, 2000);
});
async function tell({ number, zoom }) {
  const root = document.documentElement;
  root.style.zoom = '';
  const { scrollWidth: width, scrollHeight: height } = root;
  root.style.zoom = String(zoom / 100);
  await drawn();
  host.postMessage({ number, title: document.title, width, height, errors: complaints });
}
addEventListener('message', ({ data }) => { if (typeof data?.zoom === 'number') tell(data) });
let isThere = false;
addEventListener('DRAWN', () => { isThere = true; tell(GIVEN) });
// A resource that never loads must not hide the rest.
if (LATE > 0) setTimeout(() => {
  if (isThere) return;
  const late = Array.from(document.images).filter(({ complete }) => !complete);
  for (const { src } of late) complain('still not loaded: ' + src);
  if (late.length === 0) complain('not all of it is loaded yet');
  tell(GIVEN);
}, LATE);
})()`;

/** A page that is not loaded by then is shown as it is, with what is missing. In milliseconds. */
const lateMs = 10_000;

/**
 * A page's text, prepared for a tab of VS Code: its relative addresses are resolved from its own folder.
 * @param base address of the folder, with a slash at its end
 * @param given the number to answer with, and the zoom in percent
 * @param drawn the event of its window that says that everything is there
 */
export function preparePage(
  html: string,
  base: string,
  given: { number: number; zoom: number },
  drawn = 'load',
): string {
  const filled = reportScript
    .replaceAll('GIVEN', JSON.stringify(given))
    .replaceAll('DRAWN', drawn)
    .replaceAll('LATE', String(drawn === 'load' ? lateMs : 0));
  const script = `<script>${filled}</script>`;
  // Unless a page sets a colour, it has the white background of a browser in any theme.
  const added = `<base href="${base.replaceAll('"', '%22')}"><style>:root { color-scheme: only light }</style>${script}`;
  // Content before its head, such as the doctype, must stay there.
  const before =
    /^[\s\S]*?<head(?:\s[^>]*)?>/i.exec(html) ??
    /^[\s\S]*?<html(?:\s[^>]*)?>/i.exec(html) ??
    /^\s*<!doctype[^>]*>/i.exec(html);
  const at = before?.[0].length ?? 0;
  return html.slice(0, at) + added + html.slice(at);
}

/** A page of figures. @param figures titles, and addresses of pictures */
export function makeFiguresPage(
  figures: readonly { readonly title: string; readonly source: string }[],
): string {
  const each = figures.map(
    ({ title, source }) =>
      `<figure><img src="${source}"><figcaption>${escapeHtmlText(title)}</figcaption></figure>`,
  );
  return `<!doctype html><html><head><title>Figures</title><style>
body { margin: 16px; font: 13px sans-serif } figure { margin: 0 0 16px } img { max-width: 100%; border: 1px solid #ddd }
</style></head><body>${each.join('')}</body></html>`;
}

export function escapeHtmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Zoom levels in percent, as in browsers. */
const zoomSteps = [25, 33, 50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300, 400, 500];

/** The zoom in percent after a step from the current one, or the requested one. */
export function chooseNextZoom(now: number, to: 'in' | 'out' | 'reset' | number): number {
  if (typeof to === 'number') return to;
  if (to === 'reset') return 100;
  const next = to === 'in' ? zoomSteps.find((step) => step > now) : zoomSteps.findLast((step) => step < now);
  return next ?? now;
}
