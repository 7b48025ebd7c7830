/** Where one thing is scrolled to, as the page reports it: pixels to the right and down, then its sliders. */
const place = /^\((-?\d+),(-?\d+)\)/;

/** How far what is under the pointer was scrolled, in words, e.g. `scrolled down by 57 pixels`. */
export function scrolledBy(from: string, to: string): string {
  const [old, now] = [placesIn(from), placesIn(to)];
  const moved = old.findIndex((at, i) => at.join() !== now[i]?.join());
  const [x, y] = [0, 1].map((axis) => (now[moved]?.[axis] ?? 0) - (old[moved]?.[axis] ?? 0));
  const ways = [
    ...(y ? [`${y > 0 ? 'down' : 'up'} by ${Math.abs(y)} pixels`] : []),
    ...(x ? [`${x > 0 ? 'right' : 'left'} by ${Math.abs(x)} pixels`] : []),
  ];
  return ways.length === 0 ? 'scrolled' : `scrolled ${ways.join(' and ')}`;
}

/** The innermost first. */
function placesIn(text: string): number[][] {
  return text.split(' in ').map((one) => (place.exec(one) ?? []).slice(1).map(Number));
}
