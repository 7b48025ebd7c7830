import * as z from 'zod';
import type { InputCommand } from '../../node/index.ts';
import { chordOf } from './keynames.ts';
import { clickAt, held, moveTo, press, scroll } from './strokes.ts';
import type { ComputerRead } from './types.ts';

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
    .transform(({ coordinate: at, text: keys }) => holding(keys, [...move(at), button(action)]));

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
    z.strictObject({ action: z.literal('screenshot') }).transform(() => acting([])),
    z
      .strictObject({ action: z.literal('zoom'), region: z.tuple([pixel, pixel, pixel, pixel]) })
      .refine(({ region: [left, top, right, bottom] }) => left < right && top < bottom, {
        path: ['region'],
        message: 'expected [left, top, right, bottom]',
      })
      .transform(({ region: zoom }): ComputerRead => ({ zoom })),
    z.strictObject({ action: z.literal('cursor_position') }).transform(() => acting([{ kind: 'locate' }])),
    z
      .strictObject({ action: z.literal('mouse_move'), coordinate, text: modifiers })
      .transform(({ coordinate: at, text: keys }) => holding(keys, move(at))),
    z
      .strictObject({
        action: z.literal('left_click_drag'),
        start_coordinate: coordinate.optional(),
        coordinate,
        text: modifiers,
      })
      .transform(({ start_coordinate: from, coordinate: to, text: keys }) =>
        holding(keys, [...move(from), button('down'), ...move(to), button('up')]),
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
          .map((chord) => press(chordOf(chord)));
        return acting(Array.from({ length: repeat }, () => once).flat());
      }),
    z
      .strictObject({ action: z.literal('type'), text })
      .transform(({ text: typed }) => acting([{ kind: 'type', text: typed, delayMs: 0 }])),
    z
      .strictObject({ action: z.literal('hold_key'), text: z.string().min(1).max(100), duration: seconds })
      .transform(({ text: keys, duration }) =>
        acting(held(chordOf(keys), [{ kind: 'sleep', ms: duration * 1000 }])),
      ),
    z
      .strictObject({ action: z.literal('wait'), duration: seconds })
      .transform(({ duration }) => acting([{ kind: 'sleep', ms: duration * 1000 }])),
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
          ...move(given.coordinate),
          ...scroll(given.scroll_direction, given.scroll_amount),
        ]),
      ),
  ],
  { error: 'no such action' },
);

function acting(commands: readonly InputCommand[]): ComputerRead {
  return { commands };
}

/** Does something while keys are held, if any are. */
function holding(keys: string | undefined, commands: readonly InputCommand[]): ComputerRead {
  return acting(held(keys ? chordOf(keys) : [], commands));
}

function move(at: Xy | undefined): InputCommand[] {
  return at ? [moveTo(at[0], at[1])] : [];
}

function button(action: 'down' | 'up'): InputCommand {
  return { kind: 'button', button: 1, action, repeat: 1, delayMs: 0 };
}
