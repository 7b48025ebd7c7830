import { views } from './views.ts';

/** VS Code keeps an extension's page in the inner frame, and the next page in a hidden one until it has loaded. */
const [SHOWN, NEXT] = ['#active-frame', '#pending-frame'];
/** An empty webview counts as loading for this long, in ms: an extension may leave it empty for good. */
const PATIENCE_MS = 10_000;

/** When each webview began to load. */
const since = new WeakMap<HTMLIFrameElement, number>();

/**
 * Visible webviews that don't show their extension's page yet. Nothing else shows that they load: VS Code draws an empty
 * frame and waits silently until the extension has started and answered, and its page has loaded its files.
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
  // With `aria-busy`, a page says that its content is still to come.
  return page.readyState !== 'complete' || page.querySelector('body[aria-busy="true"]') !== null;
}

function hasPatience(frame: HTMLIFrameElement): boolean {
  const now = performance.now();
  const start = since.get(frame) ?? now;
  since.set(frame, start);
  return now - start < PATIENCE_MS;
}
