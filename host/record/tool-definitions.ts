import type { ToolDefinition } from './atif.ts';
import type { EpisodeHistory } from './read.ts';
import { callOf } from './actions.ts';

/**
 * The tools of an agent in ATIF: those that its model was shown, and definitions of its other calls in the trajectory, so
 * that each call has a definition. Undefined without tools.
 */
export function toolDefinitions({ start, steps }: EpisodeHistory): ToolDefinition[] | undefined {
  const { tools = [], parts = [] } = start.agent;
  const shown = tools.map(inOpenAiForm);
  const names = new Set(shown.map((one) => one.function.name));
  const actions = steps.flatMap(({ outcomes, skipped }) => [
    ...outcomes.map(({ action }) => action),
    ...skipped,
  ]);
  const called = new Set(actions.map((action) => callOf(action).name));
  if (names.has('act')) called.add('xdotool');
  else if (parts.includes('picture')) called.add('computer');
  const others = [...called].filter((name) => !names.has(name)).map(ownDefinition);
  const all = [...shown, ...others];
  return all.length === 0 ? undefined : all;
}

/** Models are shown tools as `name`, `description` and a JSON Schema, whose field name depends on the vendor. */
function inOpenAiForm(tool: Readonly<Record<string, unknown>>): ToolDefinition {
  const of = isObject(tool['function']) ? tool['function'] : tool;
  const { name, description } = of;
  const parameters = [of['parameters'], of['schema'], of['input_schema'], of['inputSchema']].find(isObject);
  return definition(
    typeof name === 'string' ? name : 'unnamed',
    parameters ?? { type: 'object' },
    typeof description === 'string' ? description : undefined,
  );
}

/** A call with another name than the tools, e.g. of mouse and keyboard; an unknown one takes any arguments. */
function ownDefinition(name: string): ToolDefinition {
  const [description, properties, required] = own[name] ?? ['a call without a description', {}, []];
  const isOpen = Object.keys(properties).length === 0;
  const closed = isOpen ? {} : { required, additionalProperties: false };
  return definition(name, { type: 'object', properties, ...closed }, description);
}

function definition(
  name: string,
  parameters: Record<string, unknown>,
  description: string | undefined,
): ToolDefinition {
  return {
    type: 'function',
    function: { name, ...(description !== undefined && { description }), parameters },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const text = { type: 'string' };
const mark = { mark: { type: 'integer', description: 'number of a mark of the observation before' } };

type Own = readonly [description: string, properties: Record<string, unknown>, required: readonly string[]];

const own: Readonly<Record<string, Own>> = {
  xdotool: ['mouse and keyboard, as a line of xdotool', { line: text }, ['line']],
  computer: ["mouse and keyboard, as the computer tool of the model's vendor", {}, []],
  click: ['click a mark', mark, ['mark']],
  double_click: ['double-click a mark', mark, ['mark']],
  triple_click: ['triple-click a mark', mark, ['mark']],
  right_click: ['right-click a mark', mark, ['mark']],
  middle_click: ['middle-click a mark', mark, ['mark']],
  hover: ['move the pointer to a mark', mark, ['mark']],
  drag: ['drag a mark to another one', { ...mark, to: mark.mark }, ['mark', 'to']],
  scroll: [
    'scroll at a mark',
    {
      ...mark,
      direction: { type: 'string', enum: ['up', 'down', 'left', 'right'] },
      amount: { type: 'integer', description: 'notches of the wheel' },
    },
    ['mark', 'direction', 'amount'],
  ],
  type: ['type into a mark', { ...mark, text }, ['mark', 'text']],
  dialog: ['answer a dialog of the browser', { accept: { type: 'boolean' }, text }, ['accept']],
  ask_person: [
    'ask a person',
    {
      text,
      wants: { type: 'string', enum: ['answer', 'hands'] },
      choices: { type: 'array', items: text },
      timeout: { type: 'number', description: 'seconds' },
    },
    ['text'],
  ],
  unreadable: ['a line that could not be read as an action, and was refused', { line: text }, ['line']],
};
