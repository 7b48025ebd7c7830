import { views } from './views.ts';

/** VS Code keeps what an extension's page is in the inner frame, and the next page in a hidden one until it has loaded. */
const [SHOWN, NEXT] = ['#active-frame', '#pending-frame'];
/** For so long an empty webview counts as loading, in ms: an extension may leave it empty for good. */
const PATIENCE_MS = 10_000;

/** Since when each webview has been loading. */
const since = new WeakMap<HTMLIFrameElement, number>();

/**
 * The webviews that can be seen and don't yet show what their extension gives them. Nothing else tells of it: VS Code
 * draws an empty frame, and waits in silence for the extension to start, its answer and its page's own files.
 */
export function loadingWebviews(): string[] {
  const found: string[] = [];
  for (const { root, holder } of views()) {
    if (holder?.frame.matches('iframe.webview') !== true || !('defaultView' in root)) continue;
    if (!isLoading(root)) since.delete(holder.frame);
    else if (hasPatience(holder.frame)) found.push('webview');
  }
  return found;
}

function isLoading(outer: Document): boolean {
  const page = outer.querySelector<HTMLIFrameElement>(SHOWN)?.contentDocument;
  if (!page || outer.querySelector(NEXT)) return true;
  // `aria-busy` is how a page says that its content is still to come.
  return page.readyState !== 'complete' || page.querySelector('body[aria-busy="true"]') !== null;
}

function hasPatience(frame: HTMLIFrameElement): boolean {
  const now = performance.now();
  const start = since.get(frame) ?? now;
  since.set(frame, start);
  return now - start < PATIENCE_MS;
}
