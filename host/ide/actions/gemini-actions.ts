import * as z from 'zod';
import type { InputCommand } from '../../node/index.ts';
import type { ComputerRead, PictureSize } from './action.ts';
import {
  actingRead,
  clickAt,
  countNotches,
  movePointer,
  normalizeKeyName,
  parseChord,
  pressKeys,
  scrollWheel,
  setButton,
} from './model-input.ts';

/** Gemini's places are thousandths of the picture. */
const grid = 1000;
/** Its older `wait` has no argument for the time, which is part of its name. */
const olderWaitMs = 5000;

const thousandth = z.number().min(0).max(grid);
const place = { x: thousandth, y: thousandth };
const text = z.string().max(1_000_000);
const key = z.string().min(1).max(100);
const keys = z.union([key, z.array(key).min(1).max(10)]);
const direction = z.enum(['up', 'down', 'left', 'right']);
const distance = z.number().nonnegative().max(100_000);
/** Why the model acts; for people. */
const intent = z.string().optional();

type Place = { readonly x: number; readonly y: number };
type Acting = (size: PictureSize) => ComputerRead;

const click = (name: string, button: number, repeat: number) =>
  z.strictObject({ function: z.literal(name), ...place, intent }).transform(
    (given): Acting =>
      (size) =>
        actingRead(clickAt(toPixel(given, size), button, repeat)),
  );

const buttonHeld = (name: string, action: 'down' | 'up') =>
  z.strictObject({ function: z.literal(name), ...place, intent }).transform(
    (given): Acting =>
      (size) =>
        actingRead([...moveCommands(given, size), setButton(action)]),
  );

const keyHeld = (name: string, action: 'down' | 'up') =>
  z.strictObject({ function: z.literal(name), key, intent }).transform(
    ({ key: name }): Acting =>
      () =>
        actingRead([{ kind: 'key', keys: [normalizeKeyName(name)], action, delayMs: 0 }]),
  );

const look = (name: string) =>
  z.strictObject({ function: z.literal(name), intent }).transform((): Acting => () => actingRead([]));

const actions = z.discriminatedUnion(
  'function',
  [
    click('click', 1, 1),
    click('click_at', 1, 1),
    click('double_click', 1, 2),
    click('triple_click', 1, 3),
    click('middle_click', 2, 1),
    click('right_click', 3, 1),
    buttonHeld('mouse_down', 'down'),
    buttonHeld('mouse_up', 'up'),
    keyHeld('key_down', 'down'),
    keyHeld('key_up', 'up'),
    look('take_screenshot'),
    z.strictObject({ function: z.enum(['move', 'hover_at']), ...place, intent }).transform(
      (given): Acting =>
        (size) =>
          actingRead(moveCommands(given, size)),
    ),
    z
      .strictObject({ function: z.literal('type'), text, press_enter: z.boolean().default(false), intent })
      .transform(
        (given): Acting =>
          () =>
            actingRead(typeCommands(given.text, given.press_enter)),
      ),
    z
      .strictObject({
        function: z.literal('type_text_at'),
        ...place,
        text,
        press_enter: z.boolean().default(true),
        clear_before_typing: z.boolean().default(true),
        intent,
      })
      .transform(
        (given): Acting =>
          (size) =>
            actingRead([
              ...clickAt(toPixel(given, size), 1, 1),
              ...(given.clear_before_typing ? [pressKeys(['ctrl', 'a']), pressKeys(['Delete'])] : []),
              ...typeCommands(given.text, given.press_enter),
            ]),
      ),
    z.strictObject({ function: z.literal('press_key'), key, intent }).transform(
      (given): Acting =>
        () =>
          actingRead([pressKeys(parseChord(given.key))]),
    ),
    z.strictObject({ function: z.enum(['hotkey', 'key_combination']), keys, intent }).transform(
      ({ keys: chord }): Acting =>
        () =>
          actingRead([
            pressKeys(typeof chord === 'string' ? parseChord(chord) : chord.map(normalizeKeyName)),
          ]),
    ),
    z
      .strictObject({
        function: z.literal('drag_and_drop'),
        start_x: thousandth,
        start_y: thousandth,
        end_x: thousandth,
        end_y: thousandth,
        intent,
      })
      .transform(
        (given): Acting =>
          (size) =>
            actingRead(
              dragCommands({ x: given.start_x, y: given.start_y }, { x: given.end_x, y: given.end_y }, size),
            ),
      ),
    z
      .strictObject({
        function: z.literal('scroll'),
        ...place,
        direction,
        magnitude_in_pixels: distance.default(300),
        intent,
      })
      .transform(
        (given): Acting =>
          (size) =>
            actingRead([
              ...moveCommands(given, size),
              ...scrollWheel(given.direction, countNotches(given.magnitude_in_pixels)),
            ]),
      ),
    z
      .strictObject({
        function: z.literal('scroll_at'),
        ...place,
        direction,
        magnitude: distance.default(800).describe('thousandths of the picture'),
        intent,
      })
      .transform((given): Acting => (size) => {
        const side = given.direction === 'up' || given.direction === 'down' ? size.height : size.width;
        const notches = countNotches((given.magnitude * side) / grid);
        return actingRead([...moveCommands(given, size), ...scrollWheel(given.direction, notches)]);
      }),
    z.strictObject({ function: z.literal('scroll_document'), direction, intent }).transform(
      (given): Acting =>
        ({ height }) =>
          actingRead(scrollWheel(given.direction, countNotches(height * 0.8))),
    ),
    z
      .strictObject({
        function: z.literal('wait'),
        seconds: z.number().nonnegative().max(60).default(1),
        intent,
      })
      .transform(
        ({ seconds }): Acting =>
          () =>
            actingRead([{ kind: 'sleep', ms: seconds * 1000 }]),
      ),
    z
      .strictObject({ function: z.literal('wait_5_seconds'), intent })
      .transform((): Acting => () => actingRead([{ kind: 'sleep', ms: olderWaitMs }])),
  ],
  {
    error: ({ input }) =>
      isOfBrowsers(input)
        ? 'the screen shows VS Code, which has no pages to go to; use its own commands'
        : 'no such action',
  },
);

/** Gemini's computer actions for a desktop, and those of its older models, under `function`. */
export const geminiActions = z.preprocess(olderDrag, actions);

/** The older models' names for the start and the end of a drag. */
function olderDrag(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !('destination_x' in given)) return given;
  const { x, y, destination_x, destination_y, ...rest } = given as Readonly<Record<string, unknown>>;
  return { ...rest, start_x: x, start_y: y, end_x: destination_x, end_y: destination_y };
}

const browserFunctions = ['navigate', 'go_back', 'go_forward', 'search', 'open_web_browser'];

function isOfBrowsers(input: unknown): boolean {
  const name =
    typeof input === 'object' && input !== null && 'function' in input ? input.function : undefined;
  return typeof name === 'string' && browserFunctions.includes(name);
}

/** The pixel that a place falls on; 1000 is the last one. */
function toPixel({ x, y }: Place, { width, height }: PictureSize): [number, number] {
  const on = (part: number, size: number) => Math.min(size - 1, Math.floor((part * size) / grid));
  return [on(x, width), on(y, height)];
}

function moveCommands(at: Place, size: PictureSize): InputCommand[] {
  const [x, y] = toPixel(at, size);
  return [movePointer(x, y)];
}

function dragCommands(from: Place, to: Place, size: PictureSize): InputCommand[] {
  return [...moveCommands(from, size), setButton('down'), ...moveCommands(to, size), setButton('up')];
}

function typeCommands(written: string, enter: boolean): InputCommand[] {
  return [{ kind: 'type', text: written, delayMs: 0 }, ...(enter ? [pressKeys(['Return'])] : [])];
}
