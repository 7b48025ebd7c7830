import type { Page } from 'playwright-core';
import { pause } from '../../bridge/lib/index.ts';

/** A part of the sandbox's screen; pixels. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Between two keys: VS Code and the page are at rest again. At most half of it is added, so that no beat is kept. */
const restMs = 300;

/**
 * Milliseconds from each key, as the browser stamps it, to the first frame of the page whose picture has changed in an
 * area. Both pages draw on a canvas of the screen's own size; they are looked at once a frame, which is what a person
 * can see.
 */
export async function keyToPixel(
  page: Page,
  { x, y, width, height }: Area,
  keys: string,
  signal: AbortSignal,
): Promise<number[]> {
  const times: number[] = [];
  for (const key of keys) {
    await pause(restMs + Math.random() * (restMs / 2), signal);
    await page.evaluate(
      `{
        const context = document.querySelector('canvas').getContext('2d');
        const read = () => new Uint32Array(context.getImageData(${x}, ${y}, ${width}, ${height}).data.buffer);
        const before = read();
        // Not returned as the value of the expression, which would be awaited.
        void (window.seen = new Promise((resolve, reject) =>
          addEventListener('keydown', ({ timeStamp }) => {
            setTimeout(() => reject(new Error('the key ${key} has changed nothing')), 10_000);
            const look = () => {
              const now = read();
              if (before.some((pixel, i) => pixel !== now[i])) resolve(performance.now() - timeStamp);
              else requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
          }, { capture: true, once: true })));
      }`,
    );
    await page.keyboard.press(key);
    times.push(await page.evaluate<number>('window.seen'));
  }
  return times;
}
