/** Zoom levels in percent, as in browsers. */
const steps = [25, 33, 50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300, 400, 500];

/** The zoom in percent after a step from the current one, or the requested one. */
export function nextZoom(now: number, to: 'in' | 'out' | 'reset' | number): number {
  if (typeof to === 'number') return to;
  if (to === 'reset') return 100;
  const next = to === 'in' ? steps.find((step) => step > now) : steps.findLast((step) => step < now);
  return next ?? now;
}
