import * as z from 'zod';
import type { InputCommand } from '../../node/index.ts';
import type { ComputerRead } from './action.ts';
import {
  actingRead,
  clickAt,
  holdKeys,
  movePointer,
  parseChord,
  pressKeys,
  scrollWheel,
  setButton,
} from './model-input.ts';

const pixel = z.number().int().nonnegative().max(32_767);
const coordinate = z.tuple([pixel, pixel]).describe('x and y in screen pixels');
const text = z.string().max(1_000_000);
const modifiers = z.string().max(100).optional().describe('keys held meanwhile, e.g. ctrl+shift');
const seconds = z.number().nonnegative().max(60);

type Xy = readonly [number, number];

const click = (name: string, button: number, repeat: number) =>
  z
    .strictObject({ action: z.literal(name), coordinate: coordinate.optional(), text: modifiers })
    .transform(({ coordinate: at, text: keys }) => holding(keys, clickAt(at, button, repeat)));

const buttonHeld = (name: string, action: 'down' | 'up') =>
  z
    .strictObject({ action: z.literal(name), coordinate: coordinate.optional(), text: modifiers })
    .transform(({ coordinate: at, text: keys }) => holding(keys, [...moveCommands(at), setButton(action)]));

/** Anthropic's computer actions. */
export const anthropicActions = z.discriminatedUnion(
  'action',
  [
    click('left_click', 1, 1),
    click('right_click', 3, 1),
    click('middle_click', 2, 1),
    click('double_click', 1, 2),
    click('triple_click', 1, 3),
    buttonHeld('left_mouse_down', 'down'),
    buttonHeld('left_mouse_up', 'up'),
    z.strictObject({ action: z.literal('screenshot') }).transform(() => actingRead([])),
    z
      .strictObject({ action: z.literal('zoom'), region: z.tuple([pixel, pixel, pixel, pixel]) })
      .refine(({ region: [left, top, right, bottom] }) => left < right && top < bottom, {
        path: ['region'],
        message: 'expected [left, top, right, bottom]',
      })
      .transform(({ region: zoom }): ComputerRead => ({ zoom })),
    z
      .strictObject({ action: z.literal('cursor_position') })
      .transform(() => actingRead([{ kind: 'locate' }])),
    z
      .strictObject({ action: z.literal('mouse_move'), coordinate, text: modifiers })
      .transform(({ coordinate: at, text: keys }) => holding(keys, moveCommands(at))),
    z
      .strictObject({
        action: z.literal('left_click_drag'),
        start_coordinate: coordinate.optional(),
        coordinate,
        text: modifiers,
      })
      .transform(({ start_coordinate: from, coordinate: to, text: keys }) =>
        holding(keys, [...moveCommands(from), setButton('down'), ...moveCommands(to), setButton('up')]),
      ),
    z
      .strictObject({
        action: z.literal('key'),
        text: z.string().min(1).max(200),
        repeat: z.number().int().min(1).max(100).default(1),
      })
      .transform(({ text: chords, repeat }) => {
        const once = chords
          .trim()
          .split(/\s+/u)
          .map((chord) => pressKeys(parseChord(chord)));
        return actingRead(Array.from({ length: repeat }, () => once).flat());
      }),
    z
      .strictObject({ action: z.literal('type'), text })
      .transform(({ text: typed }) => actingRead([{ kind: 'type', text: typed, delayMs: 0 }])),
    z
      .strictObject({ action: z.literal('hold_key'), text: z.string().min(1).max(100), duration: seconds })
      .transform(({ text: keys, duration }) =>
        actingRead(holdKeys(parseChord(keys), [{ kind: 'sleep', ms: duration * 1000 }])),
      ),
    z
      .strictObject({ action: z.literal('wait'), duration: seconds })
      .transform(({ duration }) => actingRead([{ kind: 'sleep', ms: duration * 1000 }])),
    z
      .strictObject({
        action: z.literal('scroll'),
        coordinate: coordinate.optional(),
        scroll_direction: z.enum(['up', 'down', 'left', 'right']),
        scroll_amount: z.number().int().nonnegative().max(100).describe('notches of the wheel'),
        text: modifiers,
      })
      .transform((given) =>
        holding(given.text, [
          ...moveCommands(given.coordinate),
          ...scrollWheel(given.scroll_direction, given.scroll_amount),
        ]),
      ),
  ],
  { error: 'no such action' },
);

/** Does something while keys are held, if any are. */
function holding(keys: string | undefined, commands: readonly InputCommand[]): ComputerRead {
  return actingRead(holdKeys(keys ? parseChord(keys) : [], commands));
}

function moveCommands(at: Xy | undefined): InputCommand[] {
  return at ? [movePointer(at[0], at[1])] : [];
}
