import * as z from 'zod';
import { PwpError } from '../../../../bridge/lib/index.ts';
import {
  type Action,
  observationText,
  pageText,
  type PageText,
  pointerText,
  seenText,
} from '../../../ide/index.ts';
import {
  actAtTarget,
  coordinateField,
  defineActingTool,
  defineLookingTool,
  heldKeysField,
  makeComputerAction,
  markField,
  pictureChoice,
  pointerFields,
  renderScreenContents,
  secondsField,
} from './computer-tool-definition.ts';
import { imageContent, textContent } from './results.ts';
import type { ServedTool } from './tool-definitions.ts';

const observationMeta = (number: number) => ({ 'pwp/observation': number });

/** The tools that show the screen and change nothing. */
const lookingTools = [
  defineLookingTool({
    name: 'computer_screenshot',
    title: 'Screenshot',
    description:
      'Returns the current screen of the IDE as an image in screen pixels. With marks, every useful element is drawn in with its number and listed with its role and name: click elements by number instead of guessing coordinates.',
    fields: {
      marks: z.boolean().default(false).describe('draw the marks in, and list them'),
    },
    async look({ marks }, { session, signal }) {
      const observation = await session.observe({ signal });
      const pictures = await renderScreenContents(observation, marks ? 'marks' : 'screen');
      return {
        content: [textContent(seenText(observation)), ...pictures],
        _meta: observationMeta(observation.number),
      };
    },
  }),
  defineLookingTool({
    name: 'computer_zoom',
    title: 'Look closer',
    description:
      'Returns a part of the current screen as an image in full resolution: for small text, at less cost than the whole screen. Earlier marks stay valid.',
    fields: {
      region: z
        .array(z.int().nonnegative().max(32_767))
        .length(4)
        .describe('[x0, y0, x1, y1] in screen pixels: upper left corner, and lower right corner (exclusive)'),
    },
    async look({ region: [x0 = 0, y0 = 0, x1 = 0, y1 = 0] }, { session, signal }) {
      const box = { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
      const shot = await session.picture({
        region: box,
        format: 'png',
        signal,
      });
      const { region, width, height } = shot;
      const shown = `the image shows ${region.width}x${region.height} screen pixels from (${region.x}, ${region.y})`;
      return { content: [textContent(`${shown}, in ${width}x${height}`), imageContent(shot)] };
    },
  }),
  defineLookingTool({
    name: 'computer_marks',
    title: 'Marks',
    description:
      'Returns the useful elements on the screen as text, one a line: number, role, name, box in screen pixels, value, states. Much cheaper than a screenshot. Narrow it down if you know what you are looking for.',
    fields: {
      role: z.string().max(60).optional().describe('exactly this ARIA role, e.g. button, treeitem, tab'),
      text: z
        .string()
        .max(300)
        .optional()
        .describe('part of the name, the value or the static text, ignoring case'),
      within: z.string().max(1000).optional().describe('only inside matches of this CSS selector'),
      limit: z.int().positive().max(2000).default(200).describe('maximum number'),
      static_text: z
        .boolean()
        .default(false)
        .describe('also what can only be read: messages, descriptions, headings'),
      screenshot: pictureChoice,
    },
    async look({ screenshot, static_text: readable, ...query }, { session, signal }) {
      const observation = await session.observe({ marks: query, signal });
      const pictures = (await renderScreenContents(observation, screenshot)).filter(
        ({ type }) => type === 'image',
      );
      const { within } = query;
      const read = readable
        ? filterByText(await session.text({ ...(within !== undefined && { within }), signal }), query.text)
        : undefined;
      const words = [observationText(observation), ...(read ? [pageText(read)] : [])].join('\n');
      return { content: [textContent(words), ...pictures], _meta: observationMeta(observation.number) };
    },
  }),
  defineLookingTool({
    name: 'computer_cursor_position',
    title: 'Pointer position',
    description: 'Returns the position of the pointer in screen pixels, and the element under it.',
    fields: {},
    look: async (_, { session, signal }) => ({
      content: [textContent(pointerText(await session.pointer({ signal })))],
    }),
  }),
];

/** The pieces that contain the wanted text. */
function filterByText(page: PageText, wanted = ''): PageText {
  const part = wanted.toLowerCase();
  return { ...page, pieces: page.pieces.filter(({ text: words }) => words.toLowerCase().includes(part)) };
}

const clickActions = {
  left: ['left_click', 'double_click', 'triple_click'],
  right: ['right_click'],
  middle: ['middle_click'],
} as const;

/** The tools that use mouse and keyboard. */
const actingTools = [
  defineActingTool({
    name: 'computer_click',
    title: 'Click',
    description:
      'Clicks on a mark, at a position, or where the pointer is. Returns the effect that was seen.',
    fields: {
      ...pointerFields,
      button: z.enum(['left', 'right', 'middle']).default('left'),
      clicks: z
        .int()
        .min(1)
        .max(3)
        .default(1)
        .describe('2 for a double click, 3 for a triple click; left button only'),
      keys: heldKeysField,
    },
    actions({ button, clicks: count, keys, ...where }) {
      const action = clickActions[button][count - 1] ?? `${count} times ${button}_click`;
      // A click on a mark is played as one action, so that it is judged as one.
      const alone = where.coordinate === undefined && keys === undefined;
      if (where.mark === undefined || !alone)
        return actAtTarget(where, { action, ...(keys && { text: keys }) });
      const verb = action === 'left_click' ? 'click' : action;
      return [`${verb} [${where.mark}]`];
    },
  }),
  defineActingTool({
    name: 'computer_mouse_move',
    title: 'Move the pointer',
    description: 'Moves the pointer to a mark or a position, e.g. to see a tooltip.',
    fields: pointerFields,
    actions: ({ mark, coordinate: xy }) =>
      mark !== undefined && xy === undefined
        ? [{ kind: 'mark', verb: 'hover', mark }]
        : actAtTarget({ mark, coordinate: xy }, { action: 'mouse_move' }),
  }),
  defineActingTool({
    name: 'computer_drag',
    title: 'Drag',
    description:
      'Presses the left button at one mark or position, moves to another, and releases it. Give two marks or two positions.',
    fields: {
      start_mark: markField.optional(),
      mark: markField.optional(),
      start_coordinate: coordinateField.optional(),
      coordinate: coordinateField.optional(),
    },
    actions({ start_mark: from, mark: to, start_coordinate: start, coordinate: end }) {
      if (from !== undefined && to !== undefined && !start && !end) return [`drag [${from}] to [${to}]`];
      if (from !== undefined || to !== undefined || !start || !end)
        throw new PwpError('bad-action', 'give either two marks or two coordinates');
      return [makeComputerAction({ action: 'left_click_drag', start_coordinate: start, coordinate: end })];
    },
  }),
  defineActingTool({
    name: 'computer_scroll',
    title: 'Scroll',
    description: 'Turns the wheel over a mark, at a position, or where the pointer is.',
    fields: {
      ...pointerFields,
      direction: z.enum(['up', 'down', 'left', 'right']),
      amount: z.int().positive().max(100).default(3).describe('notches of the wheel'),
      keys: heldKeysField,
    },
    actions({ direction, amount, keys, ...where }) {
      const alone = where.coordinate === undefined && keys === undefined;
      if (where.mark !== undefined && alone) return [`scroll [${where.mark}] ${direction} ${amount}`];
      const scroll = { scroll_direction: direction, scroll_amount: amount };
      return actAtTarget(where, { action: 'scroll', ...scroll, ...(keys && { text: keys }) });
    },
  }),
  defineActingTool({
    name: 'computer_type',
    title: 'Type text',
    description:
      'Types text where the focus is, or in place of all that a text field holds, and compares the result with the text sent. To change files, the file tools are faster and safer.',
    fields: {
      mark: markField
        .optional()
        .describe('number of a text field: it is clicked, and what it holds is replaced'),
      text: z.string().min(1).max(1_000_000).describe('any Unicode; a line feed is Return, a tab is Tab'),
    },
    actions: ({ mark: field, text }) =>
      field === undefined
        ? [makeComputerAction({ action: 'type', text })]
        : [{ kind: 'mark', verb: 'type', mark: field, text }],
  }),
  defineActingTool({
    name: 'computer_key',
    title: 'Press keys',
    description: 'Presses a key, or several at once; separate the keys of a chord by blanks.',
    fields: {
      keys: z.string().min(1).max(200).describe('e.g. Return, F1, ctrl+s, ctrl+shift+p, or ctrl+k ctrl+s'),
    },
    actions: ({ keys }) => [makeComputerAction({ action: 'key', text: keys })],
  }),
  defineActingTool({
    name: 'computer_hold_key',
    title: 'Hold keys',
    description: 'Holds keys down for some time.',
    fields: { keys: z.string().min(1).max(100).describe('e.g. shift or ctrl+alt'), seconds: secondsField },
    actions: ({ keys, seconds: duration }) => [
      makeComputerAction({ action: 'hold_key', text: keys, duration }),
    ],
  }),
];

const vendorAction = z
  .record(z.string().max(100), z.unknown())
  .describe('a computer action in its vendor’s form, e.g. {"action": "left_click", "coordinate": [40, 80]}');

const otherTools = [
  defineActingTool({
    name: 'computer_step',
    title: 'Several actions at once',
    description:
      "Plays an ordered batch: xdotool lines (xdotool mousemove 40 80 click 1 && xdotool type 'hello'), marks (click [12], double_click [12], right_click [12], hover [12]), and computer actions of Anthropic and OpenAI. It stops at the first that is refused, whose text does not land, or whose click does not focus its target, and returns the effect of each. The lines are parsed, never given to a shell.",
    fields: {
      actions: z
        .array(z.union([z.string().min(1).max(1_000_000), vendorAction]))
        .min(1)
        .max(100)
        .describe('in order'),
      force: z.boolean().default(false).describe('play on where text did not land or a click missed'),
    },
    force: ({ force }) => force,
    actions: ({ actions }) =>
      actions.map((action): string | Action =>
        typeof action === 'string' ? action : makeComputerAction(action),
      ),
  }),
  defineActingTool({
    name: 'computer_wait',
    title: 'Wait',
    description:
      'Waits for some time, and then until the IDE is at rest. All other computer tools already wait until the IDE is at rest: use this for work that shows no activity on the screen.',
    readOnly: true,
    fields: { seconds: secondsField.default(0) },
    actions: ({ seconds: duration }) => [makeComputerAction({ action: 'wait', duration })],
  }),
  defineActingTool({
    name: 'computer_dialog',
    title: 'Answer a dialog',
    description:
      'Answers a JavaScript dialog of the browser (alert, confirm, prompt, leave this page?). It blocks the page and has no marks.',
    fields: {
      accept: z.boolean().describe('OK, or Cancel'),
      text: z.string().max(10_000).optional().describe('for a prompt'),
    },
    actions: ({ accept, text }) => [{ kind: 'dialog', accept, text }],
  }),
];

/** The screen, the mouse and the keyboard as tools, under the names that computer-using models know. */
export const servedComputerTools: readonly ServedTool[] = [...lookingTools, ...actingTools, ...otherTools];

/** The tools that most work at the screen needs. */
export const coreComputerTools: readonly string[] = [
  'computer_screenshot',
  'computer_zoom',
  'computer_marks',
  'computer_click',
  'computer_scroll',
  'computer_type',
  'computer_key',
  'computer_step',
];
