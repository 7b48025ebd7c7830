import type { Box } from '../../../bridge/protocol/index.ts';
import type { Sight } from './plan.ts';
import type { Corners } from './types.ts';

/** The part of the screen that two corners enclose, in screen pixels; undefined for one that is not on it. */
export function zoomRegion([left, top, right, bottom]: Corners, { screen, view }: Sight): Box | undefined {
  const { region, width, height } = view ?? { region: screen, ...screen };
  const across = (x: number) => region.x + (x * region.width) / width;
  const down = (y: number) => region.y + (y * region.height) / height;
  const x = Math.floor(Math.max(screen.x, across(left)));
  const y = Math.floor(Math.max(screen.y, down(top)));
  const size = {
    width: Math.ceil(Math.min(screen.x + screen.width, across(right))) - x,
    height: Math.ceil(Math.min(screen.y + screen.height, down(bottom))) - y,
  };
  return size.width > 0 && size.height > 0 ? { x, y, ...size } : undefined;
}
