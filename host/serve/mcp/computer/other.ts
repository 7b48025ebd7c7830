import * as z from 'zod';
import type { Action } from '../../../env/index.ts';
import { actingTool } from './descriptor.ts';
import { computer, seconds } from './fields.ts';

const vendorAction = z
  .record(z.string().max(100), z.unknown())
  .describe('a computer action in its vendor’s form, e.g. {"action": "left_click", "coordinate": [40, 80]}');

export const otherTools = [
  actingTool({
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
      actions.map((action): string | Action => (typeof action === 'string' ? action : computer(action))),
  }),
  actingTool({
    name: 'computer_wait',
    title: 'Wait',
    description:
      'Waits for some time, and then until the IDE is at rest. All other computer tools already wait until the IDE is at rest: use this for work that shows no activity on the screen.',
    readOnly: true,
    fields: { seconds: seconds.default(0) },
    actions: ({ seconds: duration }) => [computer({ action: 'wait', duration })],
  }),
  actingTool({
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
