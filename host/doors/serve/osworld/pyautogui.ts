import * as z from 'zod';
import { normalizeKeyName } from '../../../ide/index.ts';
import type { EpisodeInput } from '../episodes/index.ts';
import { type Literal, type PythonCall, readPythonCalls } from './python-calls.ts';

type WrittenAction = EpisodeInput<'step'>['actions'][number];

/** The most actions that one program is read as, and repetitions of a click, a key or a turn of the wheel. */
const mostActions = 100;
const mostRepeats = 100;
/** In seconds. */
const longestSleep = 60;

/** A program that does something else. */
class NotPlayable extends Error {}

/**
 * The actions that a program of pyautogui means, as agents for OSWorld write them; undefined for a program with anything
 * else in it. How fast the pointer moves is left out.
 */
export function readPyautogui(program: string): WrittenAction[] | undefined {
  const calls = readPythonCalls(program);
  if (!calls) return undefined;
  try {
    const actions = playCalls(calls);
    return actions.length <= mostActions ? actions : undefined;
  } catch (error) {
    if (error instanceof NotPlayable) return undefined;
    throw error;
  }
}

/** Many agents type by the clipboard: text that is copied and pasted is typed. */
function playCalls(calls: readonly PythonCall[]): WrittenAction[] {
  const clipboard: { text?: string; isPasted: boolean } = { isPasted: true };
  const actions = calls.flatMap((call) => {
    const [first] = call.positional;
    if (call.name === 'pyperclip.copy' && typeof first === 'string' && call.positional.length === 1) {
      Object.assign(clipboard, { text: first, isPasted: false });
      return [];
    }
    const isPaste = call.name === 'pyautogui.hotkey' && call.positional.join('+').toLowerCase() === 'ctrl+v';
    if (!isPaste || clipboard.text === undefined) return playCall(call);
    clipboard.isPasted = true;
    return typeText(clipboard.text);
  });
  if (!clipboard.isPasted) throw new NotPlayable();
  return actions;
}

function typeText(text: string): WrittenAction[] {
  return text === '' ? [] : [{ computer: { action: 'type', text } }];
}

function playCall({ name, positional, named }: PythonCall): WrittenAction[] {
  const own = name === 'time.sleep' ? 'sleep' : /^pyautogui\.(\w+)$/.exec(name)?.[1];
  const play = own !== undefined && Object.hasOwn(functions, own) ? functions[own] : undefined;
  if (!play) throw new NotPlayable();
  return play(positional, named);
}

type Player = (positional: readonly Literal[], named: ReadonlyMap<string, Literal>) => WrittenAction[];

/** A function by its parameters in order. None is as if it was not given. */
function define<S extends z.ZodRawShape>(
  shape: S,
  play: (given: z.output<z.ZodObject<S>>) => WrittenAction[],
): Player {
  const parameters = Object.keys(shape);
  const schema = z.strictObject({ ...shape, logScreenshot: ignored, _pause: ignored });
  return (positional, named) => {
    const values = parameters[0] === 'x' ? spreadPlace(positional) : positional;
    if (values.length > parameters.length) throw new NotPlayable();
    const ordered = values.map((value, at) => [parameters[at], value] as const);
    const given = [...ordered, ...named].filter(([, value]) => value !== null);
    const read = schema.safeParse(Object.fromEntries(given));
    if (!read.success) throw new NotPlayable();
    return play(read.data as z.output<z.ZodObject<S>>);
  };
}

/** A place may be one value of two numbers. */
function spreadPlace([first, ...rest]: readonly Literal[]): readonly Literal[] {
  if (first === undefined) return rest;
  return typeof first === 'object' && first !== null ? [...first, ...rest] : [first, ...rest];
}

const ignored = z.unknown().optional();
const pixel = z.number().min(0).max(32_767).transform(Math.round).optional();
const distance = z.number().min(-32_767).max(32_767).transform(Math.round).default(0);
const repeats = z.int().min(0).max(mostRepeats).default(1);
const notches = z
  .number()
  .transform((turns) => Math.max(-mostRepeats, Math.min(mostRepeats, Math.round(turns))));
const buttons = { left: 1, primary: 1, middle: 2, right: 3, secondary: 3, 1: 1, 2: 2, 3: 3 } as const;
const button = z
  .union([z.enum(['left', 'primary', 'middle', 'right', 'secondary']), z.literal([1, 2, 3])])
  .transform((name) => buttons[name]);
const keyName = z.string().min(1).max(20);
const keys = z.union([keyName.transform((one) => [one]), z.array(keyName).max(mostActions)]);

const place = { x: pixel, y: pixel };
const way = { duration: ignored, tween: ignored };

interface Place {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
}

/** Words of xdotool as one action. */
function line(...parts: readonly string[]): WrittenAction[] {
  const words = parts.filter((part) => part !== '');
  return words.length === 0 ? [] : [`xdotool ${words.join(' ')}`];
}

function moveWords({ x, y }: Place): string {
  if (x === undefined && y === undefined) return '';
  if (x === undefined || y === undefined) throw new NotPlayable();
  return `mousemove ${x} ${y}`;
}

function clickWords(count: number, number: number): string {
  return count === 0 ? '' : `click --repeat ${count} ${number}`;
}

const clickFunction = (count: number, usual: 1 | 2 | 3) =>
  define({ ...place, interval: ignored, button: button.default(usual), ...way }, (given) =>
    line(moveWords(given), clickWords(count, given.button)),
  );

const wheelFunction = (forward: number, back: number) =>
  define({ clicks: notches, ...place }, (given) =>
    line(moveWords(given), clickWords(Math.abs(given.clicks), given.clicks > 0 ? forward : back)),
  );

const buttonFunction = (command: 'mousedown' | 'mouseup') =>
  define({ ...place, button: button.default(1), ...way }, (given) =>
    line(moveWords(given), `${command} ${given.button}`),
  );

const keyFunction = (command: 'keydown' | 'keyup') =>
  define({ key: keyName }, ({ key }) => line(`${command} ${normalizeKeyName(readKey(key))}`));

const offsets = { xOffset: distance, yOffset: distance };
const dragging = { ...way, button: button.default(1), mouseDownUp: ignored };

function offsetWords({ xOffset, yOffset }: { readonly xOffset: number; readonly yOffset: number }): string {
  return `mousemove_relative -- ${xOffset} ${yOffset}`;
}

function dragWords(number: number, way: string): string[] {
  return [`mousedown ${number}`, way, `mouseup ${number}`];
}

const moveBy = define({ ...offsets, ...way }, (given) => line(offsetWords(given)));
const dragBy = define({ ...offsets, ...dragging }, (given) =>
  line(...dragWords(given.button, offsetWords(given))),
);
const write = define(
  { message: z.union([z.string().max(200_000), z.array(keyName)]), interval: ignored },
  ({ message }) => (typeof message === 'string' ? typeText(message) : message.flatMap(pressKey)),
);

const functions: Readonly<Record<string, Player>> = {
  click: define(
    { ...place, clicks: repeats, interval: ignored, button: button.default(1), ...way },
    (given) => line(moveWords(given), clickWords(given.clicks, given.button)),
  ),
  leftClick: clickFunction(1, 1),
  doubleClick: clickFunction(2, 1),
  tripleClick: clickFunction(3, 1),
  middleClick: clickFunction(1, 2),
  rightClick: clickFunction(1, 3),
  moveTo: define({ ...place, ...way }, (given) => line(moveWords(given))),
  move: moveBy,
  moveRel: moveBy,
  dragTo: define({ ...place, ...dragging }, (given) => line(...dragWords(given.button, moveWords(given)))),
  drag: dragBy,
  dragRel: dragBy,
  mouseDown: buttonFunction('mousedown'),
  mouseUp: buttonFunction('mouseup'),
  scroll: wheelFunction(4, 5),
  vscroll: wheelFunction(4, 5),
  hscroll: wheelFunction(7, 6),
  write,
  typewrite: write,
  press: define({ keys, presses: repeats, interval: ignored }, ({ keys: all, presses }) =>
    Array.from({ length: presses }, () => all.flatMap(pressKey)).flat(),
  ),
  keyDown: keyFunction('keydown'),
  keyUp: keyFunction('keyup'),
  hotkey: (positional, named) => {
    const read = z.array(keyName).min(1).max(10).safeParse(positional.flat());
    if (!read.success || [...named.keys()].some((name) => name !== 'interval')) throw new NotPlayable();
    return [{ computer: { type: 'keypress', keys: read.data.map(readKey) } }];
  },
  // Every step ends with a picture.
  screenshot: define({}, () => []),
  sleep: define({ seconds: z.number().min(0) }, ({ seconds }) =>
    line(`sleep ${Math.min(seconds, longestSleep)}`),
  ),
};

/** A capital letter is one that is typed, with Shift. */
function pressKey(name: string): WrittenAction[] {
  const key = readKey(name);
  return /^[A-Z]$/.test(key) ? line(`key ${key}`) : [{ computer: { type: 'keypress', keys: [key] } }];
}

/** Names that pyautogui alone has for keys. */
const ownKeyNames: ReadonlyMap<string, string> = new Map([
  ['\n', 'enter'],
  ['\r', 'enter'],
  ['\t', 'tab'],
  ['pgup', 'pageup'],
  ['pgdn', 'pagedown'],
  ['prntscrn', 'printscreen'],
  ['prtscr', 'printscreen'],
]);

/** A letter keeps its case. */
function readKey(name: string): string {
  const lower = name.toLowerCase();
  const own = ownKeyNames.get(lower) ?? /^(alt|ctrl|shift|win|option)(left|right)$/.exec(lower)?.[1];
  return own ?? (name.length === 1 ? name : lower);
}
