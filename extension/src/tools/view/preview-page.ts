/** A page that is not loaded by then is shown as it is, with what is missing. In milliseconds. */
const lateMs = 10_000;

/**
 * A page of `media/preview` with its values. Those of its scripts, which are written as `'{{name}}'`, are any data of JSON;
 * those of attributes are addresses.
 */
export function fillPage(page: string, values: Readonly<Record<string, unknown>>): string {
  return page.replaceAll(/(')?\{\{(\w+)\}\}'?/g, (_, inScript: string | undefined, name: string) => {
    const value = values[name];
    if (inScript === undefined) return String(value).replaceAll('"', '%22');
    // A text in a script must not end it.
    return JSON.stringify(value).replaceAll('<', '\\u003c');
  });
}

/**
 * A page's text, prepared for a tab of VS Code: its relative addresses are resolved from its own folder.
 * @param head of `media/preview`
 * @param base address of the folder, with a slash at its end
 * @param given the number to answer with, and the zoom in percent
 * @param drawn the event of its window that says that everything is there
 */
export function preparePage(
  head: string,
  html: string,
  base: string,
  given: { number: number; zoom: number },
  drawn = 'load',
): string {
  const added = fillPage(head, { base, given, drawn, late: drawn === 'load' ? lateMs : 0 });
  // Content before its head, such as the doctype, must stay there.
  const before =
    /^[\s\S]*?<head(?:\s[^>]*)?>/i.exec(html) ??
    /^[\s\S]*?<html(?:\s[^>]*)?>/i.exec(html) ??
    /^\s*<!doctype[^>]*>/i.exec(html);
  const at = before?.[0].length ?? 0;
  return html.slice(0, at) + added + html.slice(at);
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
