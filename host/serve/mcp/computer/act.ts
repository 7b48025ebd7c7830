import * as z from 'zod';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { actingTool } from './descriptor.ts';
import { at, computer, coordinate, heldKeys, mark, place, seconds } from './fields.ts';

const clicks = {
  left: ['left_click', 'double_click', 'triple_click'],
  right: ['right_click'],
  middle: ['middle_click'],
} as const;

/** The tools that use mouse and keyboard. */
export const actingTools = [
  actingTool({
    name: 'computer_click',
    title: 'Click',
    description:
      'Clicks on a mark, at a position, or where the pointer is. Returns the effect that was seen.',
    fields: {
      ...place,
      button: z.enum(['left', 'right', 'middle']).default('left'),
      clicks: z
        .int()
        .min(1)
        .max(3)
        .default(1)
        .describe('2 for a double click, 3 for a triple click; left button only'),
      keys: heldKeys,
    },
    actions({ button, clicks: count, keys, ...where }) {
      const action = clicks[button][count - 1] ?? `${count} times ${button}_click`;
      // A click on a mark is played as one action, so that it is judged as one.
      const alone = where.coordinate === undefined && keys === undefined;
      if (where.mark === undefined || !alone) return at(where, { action, ...(keys && { text: keys }) });
      const verb = action === 'left_click' ? 'click' : action;
      return [`${verb} [${where.mark}]`];
    },
  }),
  actingTool({
    name: 'computer_mouse_move',
    title: 'Move the pointer',
    description: 'Moves the pointer to a mark or a position, e.g. to see a tooltip.',
    fields: place,
    actions: ({ mark, coordinate: xy }) =>
      mark !== undefined && xy === undefined
        ? [{ kind: 'mark', verb: 'hover', mark }]
        : at({ mark, coordinate: xy }, { action: 'mouse_move' }),
  }),
  actingTool({
    name: 'computer_drag',
    title: 'Drag',
    description:
      'Presses the left button at one mark or position, moves to another, and releases it. Give two marks or two positions.',
    fields: {
      start_mark: mark.optional(),
      mark: mark.optional(),
      start_coordinate: coordinate.optional(),
      coordinate: coordinate.optional(),
    },
    actions({ start_mark: from, mark: to, start_coordinate: start, coordinate: end }) {
      if (from !== undefined && to !== undefined && !start && !end) return [`drag [${from}] to [${to}]`];
      if (from !== undefined || to !== undefined || !start || !end)
        throw new PwpError('bad-action', 'give either two marks or two coordinates');
      return [computer({ action: 'left_click_drag', start_coordinate: start, coordinate: end })];
    },
  }),
  actingTool({
    name: 'computer_scroll',
    title: 'Scroll',
    description: 'Turns the wheel over a mark, at a position, or where the pointer is.',
    fields: {
      ...place,
      direction: z.enum(['up', 'down', 'left', 'right']),
      amount: z.int().positive().max(100).default(3).describe('notches of the wheel'),
      keys: heldKeys,
    },
    actions({ direction, amount, keys, ...where }) {
      const alone = where.coordinate === undefined && keys === undefined;
      if (where.mark !== undefined && alone) return [`scroll [${where.mark}] ${direction} ${amount}`];
      const scroll = { scroll_direction: direction, scroll_amount: amount };
      return at(where, { action: 'scroll', ...scroll, ...(keys && { text: keys }) });
    },
  }),
  actingTool({
    name: 'computer_type',
    title: 'Type text',
    description:
      'Types text where the focus is, or in place of all that a text field holds, and compares the result with the text sent. To change files, the file tools are faster and safer.',
    fields: {
      mark: mark.optional().describe('number of a text field: it is clicked, and what it holds is replaced'),
      text: z.string().min(1).max(1_000_000).describe('any Unicode; a line feed is Return, a tab is Tab'),
    },
    actions: ({ mark: field, text }) =>
      field === undefined
        ? [computer({ action: 'type', text })]
        : [{ kind: 'mark', verb: 'type', mark: field, text }],
  }),
  actingTool({
    name: 'computer_key',
    title: 'Press keys',
    description: 'Presses a key, or several at once; separate the keys of a chord by blanks.',
    fields: {
      keys: z.string().min(1).max(200).describe('e.g. Return, F1, ctrl+s, ctrl+shift+p, or ctrl+k ctrl+s'),
    },
    actions: ({ keys }) => [computer({ action: 'key', text: keys })],
  }),
  actingTool({
    name: 'computer_hold_key',
    title: 'Hold keys',
    description: 'Holds keys down for some time.',
    fields: { keys: z.string().min(1).max(100).describe('e.g. shift or ctrl+alt'), seconds },
    actions: ({ keys, seconds: duration }) => [computer({ action: 'hold_key', text: keys, duration })],
  }),
];
