import type { FunctionTool } from '../../models/index.ts';

/** Mouse and keyboard for models without a computer tool of their vendor, and for models that are shown marks. */
export const actTool: FunctionTool = {
  name: 'act',
  description: [
    'Uses mouse and keyboard. Takes lines, done in order; the first that is refused ends them. A line is one of',
    '`click [12]`, `double_click [12]`, `triple_click [12]`, `right_click [12]`, `hover [12]`, `drag [12] to [15]`,',
    "`scroll [12] down 5`, `type [12] 'text'` (puts the text in place of what the field holds), where the number is that of",
    "a mark of the newest observation; `xdotool mousemove 640 360 click 1`, `xdotool key ctrl+s`, `xdotool type 'text'`,",
    'in pixels of the newest picture; `dialog accept` or `dialog dismiss`. Then the screen is shown as it has come to rest.',
  ].join(' '),
  schema: {
    type: 'object',
    properties: {
      actions: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        maxItems: 50,
        description: 'the lines',
      },
    },
    required: ['actions'],
    additionalProperties: false,
  },
};

/** A look for models that are not shown the screen after each turn, and a closer look for all. */
export const lookTool: FunctionTool = {
  name: 'look',
  description:
    'Shows the screen; with a region, that part of it in full resolution. The region is in pixels of the newest picture.',
  schema: {
    type: 'object',
    properties: {
      region: {
        type: 'array',
        items: { type: 'integer', minimum: 0 },
        minItems: 4,
        maxItems: 4,
        description: 'left, top, right, bottom',
      },
    },
    additionalProperties: false,
  },
};

export const finishTool: FunctionTool = {
  name: 'finish',
  description: 'Ends the work on the task. Call it when the task is done, or when it can not be done.',
  schema: {
    type: 'object',
    properties: { summary: { type: 'string', description: 'what was done, in a sentence or two' } },
    additionalProperties: false,
  },
};
