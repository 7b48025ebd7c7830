import * as z from 'zod';
import type { InputCommand } from '../../node/index.ts';
import {
  actingRead,
  clickAt,
  countNotches,
  holdKeys,
  movePointer,
  normalizeKeyName,
  pressKeys,
  scrollWheel,
  setButton,
} from './model-input.ts';

/** OpenAI's `wait` has no argument for the time. */
const usualWaitMs = 1000;
const buttons = { left: 1, wheel: 2, right: 3, back: 8, forward: 9 } as const;

const pixel = z.number().int().nonnegative().max(32_767);
const distance = z.number().int().min(-100_000).max(100_000).default(0).describe('screen pixels');
const keys = z.array(z.string().min(1).max(40)).max(10).optional().describe('keys held meanwhile');
const point = z.union([
  z.strictObject({ x: pixel, y: pixel }),
  z.tuple([pixel, pixel]).transform(([x, y]) => ({ x, y })),
]);

/** OpenAI's computer actions. */
export const openaiActions = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('click'),
      x: pixel,
      y: pixel,
      button: z.enum(recordKeys(buttons)).default('left'),
      keys,
    })
    .transform(({ x, y, button, keys: down }) =>
      actingRead(holdKeys(readKeyNames(down), clickAt([x, y], buttons[button], 1))),
    ),
  z
    .strictObject({ type: z.literal('double_click'), x: pixel, y: pixel, keys })
    .transform(({ x, y, keys: down }) => actingRead(holdKeys(readKeyNames(down), clickAt([x, y], 1, 2)))),
  z
    .strictObject({ type: z.literal('drag'), path: z.array(point).min(2).max(1000), keys })
    .transform(({ path, keys: down }) => actingRead(holdKeys(readKeyNames(down), dragAlong(path)))),
  z
    .strictObject({ type: z.literal('keypress'), keys: z.array(z.string().min(1).max(40)).min(1).max(10) })
    .transform(({ keys: chord }) => actingRead([pressKeys(readKeyNames(chord))])),
  z
    .strictObject({ type: z.literal('move'), x: pixel, y: pixel, keys })
    .transform(({ x, y, keys: down }) => actingRead(holdKeys(readKeyNames(down), [movePointer(x, y)]))),
  z
    .strictObject({
      type: z.literal('scroll'),
      x: pixel,
      y: pixel,
      scroll_x: distance,
      scroll_y: distance,
      keys,
    })
    .transform(({ x, y, scroll_x: across, scroll_y: along, keys: down }) =>
      actingRead(
        holdKeys(readKeyNames(down), [
          movePointer(x, y),
          ...scrollWheel(along < 0 ? 'up' : 'down', countNotches(along)),
          ...scrollWheel(across < 0 ? 'left' : 'right', countNotches(across)),
        ]),
      ),
    ),
  z
    .strictObject({ type: z.literal('type'), text: z.string().max(1_000_000) })
    .transform(({ text }) => actingRead([{ kind: 'type', text, delayMs: 0 }])),
  z
    .strictObject({ type: z.literal('wait') })
    .transform(() => actingRead([{ kind: 'sleep', ms: usualWaitMs }])),
  z.strictObject({ type: z.literal('screenshot') }).transform(() => actingRead([])),
]);

/** A capital letter in a chord names the key, as on a keyboard; it does not ask for Shift. */
function readKeyNames(given: readonly string[] | undefined): string[] {
  return (given ?? []).map((key) => normalizeKeyName(/^[A-Z]$/.test(key) ? key.toLowerCase() : key));
}

function dragAlong([start, ...path]: readonly { readonly x: number; readonly y: number }[]): InputCommand[] {
  const moves = path.map(({ x, y }) => movePointer(x, y));
  return [...(start ? [movePointer(start.x, start.y)] : []), setButton('down'), ...moves, setButton('up')];
}

function recordKeys<K extends string>(record: Readonly<Record<K, unknown>>): K[] {
  return Object.keys(record) as K[];
}
