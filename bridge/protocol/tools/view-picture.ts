import * as z from 'zod';
import { box } from '../geometry.ts';
import { tool } from './descriptor.ts';
import { pathIn, pathOut } from './shared.ts';

const pixels = z.int().nonnegative().max(16_384);

/** Pictures: of files, and of the screen. */
export const pictureTools = {
  viewImage: tool({
    family: 'view',
    where: 'extension',
    readOnly: false,
    name: 'view_image',
    title: 'View an image',
    description:
      'Opens an image file (PNG, JPEG, GIF, WebP, SVG) in the IDE’s image viewer and returns the image itself.',
    sources: [{ from: 'VS Code', name: 'view_image' }],
    input: z.strictObject({ path: pathIn }),
    output: z.object({
      path: pathOut,
      mime: z.string().max(100),
      bytes: z.int().nonnegative(),
      width: pixels.nullable().describe('pixels; null if the file does not state it'),
      height: pixels.nullable(),
    }),
    text: ({ path, mime, bytes, width, height }) =>
      `${path}: ${mime}, ${bytes} bytes${width === null ? '' : `, ${width}x${height} pixels`}`,
  }),
  screenshotElement: tool({
    family: 'view',
    where: 'bridge',
    readOnly: true,
    name: 'screenshot_element',
    title: 'Picture of an element',
    description:
      'Takes a picture of a part of the screen, in full resolution: a mark of the last observation, a match of a CSS selector in the workbench, or a box in screen pixels; by default, the whole screen. Waits until nothing moves there.',
    sources: [],
    input: z.strictObject({
      mark: z.int().positive().optional().describe('number of a mark of the last observation'),
      selector: z
        .string()
        .min(1)
        .max(1000)
        .optional()
        .describe('CSS selector in the workbench, e.g. .part.panel; the first match that is visible'),
      box: z
        .strictObject({ x: pixels, y: pixels, width: pixels.min(1), height: pixels.min(1) })
        .optional()
        .describe('screen pixels'),
      margin: z.int().min(0).max(500).default(0).describe('pixels around it'),
    }),
    output: z.object({
      box: box.describe('the region of the picture, in screen pixels'),
      still: z.boolean().describe('false: it still changed when the picture was taken'),
    }),
    text: ({ box: { x, y, width, height }, still }) =>
      `picture of ${width}x${height} pixels at ${x}, ${y}${still ? '' : '; it still changes'}`,
  }),
};
