import type { Box, ToolImage } from '../../bridge/protocol/index.ts';
import type { Sandbox } from '../node/index.ts';
import { badAction, type Corners } from './actions/index.ts';
import type { View } from './view.ts';

/**
 * The part of the screen that two corners enclose, in screen pixels. Errors: `bad-action` for one that is not on it.
 * @param view the picture whose pixels the corners are in; the screen's where there is none
 */
export function zoomRegion([left, top, right, bottom]: Corners, screen: Box, view: View | undefined): Box {
  const { region, width, height } = view ?? { region: screen, ...screen };
  const across = (x: number) => region.x + (x * region.width) / width;
  const down = (y: number) => region.y + (y * region.height) / height;
  const x = Math.floor(Math.max(screen.x, across(left)));
  const y = Math.floor(Math.max(screen.y, down(top)));
  const size = {
    width: Math.ceil(Math.min(screen.x + screen.width, across(right))) - x,
    height: Math.ceil(Math.min(screen.y + screen.height, down(bottom))) - y,
  };
  if (size.width > 0 && size.height > 0) return { x, y, ...size };
  throw badAction('a zoom off the screen', `The picture has ${width}x${height} pixels.`);
}

/** A part of the screen as it is now, pixel for pixel. */
export async function zoomed(sandbox: Sandbox, region: Box, signal: AbortSignal): Promise<ToolImage> {
  const { bytes } = await sandbox.picture({ region, signal });
  return { mime: 'image/png', base64: Buffer.from(bytes).toString('base64'), title: zoomTitle(region) };
}

export function zoomTitle({ x, y, width, height }: Box): string {
  return `the screen at (${x}, ${y}), ${width}x${height}, pixel for pixel`;
}
