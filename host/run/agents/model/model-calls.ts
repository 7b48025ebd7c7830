import * as z from 'zod';
import { findNearestName } from '../../../../bridge/protocol/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import {
  type Action,
  type ActionOutcome,
  type AnswerPicture,
  beforeText,
  effectText,
  type StepInfo,
} from '../../../ide/index.ts';
import type {
  AnswerBlock,
  CallResult,
  FunctionCall,
  FunctionTool,
  ImageMime,
  MessageContent,
  ModelComputerCall,
} from '../../models/index.ts';
import type { AgentTools } from './agent-tools.ts';

/** One call of a model, as actions of a step. */
export interface CallActions {
  readonly id: string;
  readonly actions: readonly (string | Action)[];
  /** It used, or wanted to see, the screen. */
  readonly screen: boolean;
  /** A call of the vendor's computer tool. */
  readonly call?: ModelComputerCall;
}

/** A turn's calls, in order, and whether the model says that it has finished. */
interface TurnActions {
  readonly calls: readonly CallActions[];
  readonly finished: boolean;
}

const actArguments = z.strictObject({ actions: z.array(z.string()).min(1).max(50) });
const regionCorner = z.int().nonnegative();
const lookArguments = z.strictObject({
  region: z.tuple([regionCorner, regionCorner, regionCorner, regionCorner]).optional(),
});

/** An impossible call becomes an action, too: the step refuses it with the reason, so that the model learns about it. */
export function readTurnActions(
  blocks: readonly AnswerBlock[],
  tools: AgentTools,
  computer: boolean,
): TurnActions {
  const calls = blocks.filter((block) => block.kind === 'call' || block.kind === 'computer');
  return {
    calls: calls.map((call) =>
      call.kind === 'call' ? readFunctionCall(call, tools, computer) : readComputerCall(call),
    ),
    finished: calls.some((call) => call.kind === 'call' && call.name === finishTool.name),
  };
}

function readComputerCall(call: ModelComputerCall): CallActions {
  const actions = call.actions.map((action): Action => ({ kind: 'computer', call: action }));
  return { id: call.id, actions, screen: true, call };
}

function readFunctionCall(call: FunctionCall, tools: AgentTools, computer: boolean): CallActions {
  const { id, name, arguments: given } = call;
  if (name === finishTool.name) return { id, actions: [], screen: false };
  if (given === null)
    return refuseCall(call, `the arguments are not a JSON object: ${clip(call.written ?? '', 200)}`);
  if (computer && name === actTool.name) {
    const read = actArguments.safeParse(given);
    if (!read.success) return refuseCall(call, z.prettifyError(read.error));
    return { id, actions: read.data.actions, screen: true };
  }
  if (computer && name === lookTool.name) {
    const read = lookArguments.safeParse(given);
    if (!read.success) return refuseCall(call, z.prettifyError(read.error));
    const { region: part } = read.data;
    const look = part ? { action: 'zoom', region: part } : { action: 'screenshot' };
    return { id, actions: [{ kind: 'computer', call: look }], screen: part === undefined };
  }
  const action = tools.action(name, given);
  return action
    ? { id, actions: [action], screen: false }
    : refuseCall(call, explainUnknownTool(name, tools, computer));
}

function refuseCall({ id, name, arguments: given, written }: FunctionCall, why: string): CallActions {
  const line = clip(`${name} ${given === null ? (written ?? '') : JSON.stringify(given)}`, 500);
  return { id, actions: [{ kind: 'unreadable', line, why }], screen: false };
}

function explainUnknownTool(name: string, { tools }: AgentTools, computer: boolean): string {
  const known = [
    ...tools.map((tool) => tool.name),
    ...(computer ? [actTool.name, lookTool.name] : []),
    finishTool.name,
  ];
  const like = findNearestName(name, known);
  const instead = like === undefined ? `The tools are ${known.join(', ')}.` : `Did you mean ${like}?`;
  return `there is no tool ${JSON.stringify(clip(name, 100))}. ${instead}`;
}

const sentMimes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

interface CallResultOptions {
  /** The model gets effect and evidence of its actions. */
  readonly effects: boolean;
  /** It is shown the pictures that calls returned. Default true. */
  readonly pictures?: boolean;
}

/** The results of a turn's calls. */
export function toCallResults(
  calls: readonly CallActions[],
  info: StepInfo | undefined,
  { effects, pictures = true }: CallResultOptions,
): CallResult[] {
  let next = 0;
  return calls.map(({ id, actions, call }, i) => {
    const outcomes = (info?.outcomes ?? []).slice(next, next + actions.length);
    next += actions.length;
    const missing = actions.length - outcomes.length;
    const text = [
      ...(i === 0 && effects && info ? beforeText(info) : []),
      ...outcomes.map((outcome) => formatOutcome(outcome, effects)),
      ...(missing > 0
        ? [`not done: ${missing === actions.length ? 'a former call' : 'a former action'} failed`]
        : []),
    ].join('\n');
    return {
      id,
      ofComputer: call !== undefined,
      failed: missing > 0 || outcomes.some(({ effect }) => effect === 'refused'),
      content: [
        { kind: 'text', text: text === '' ? 'done' : text },
        ...outcomes.flatMap(({ images = [] }) => images.map(pictures ? toPictureContent : withholdPicture)),
      ],
      // The call has no effect outside of the sandbox.
      ...(call && call.safetyChecks.length > 0 && { acknowledged: call.safetyChecks }),
    };
  });
}

function formatOutcome(outcome: ActionOutcome, effects: boolean): string {
  if (effects || outcome.effect === 'refused') return effectText(outcome);
  return outcome.output ?? 'done';
}

function toPictureContent({ bytes, mime, title }: AnswerPicture): MessageContent {
  if (!sentMimes.includes(mime)) return { kind: 'text', text: `(a picture of type ${mime}: ${title})` };
  return { kind: 'image', bytes, mime: mime as ImageMime };
}

function withholdPicture({ title }: AnswerPicture): MessageContent {
  return { kind: 'text', text: `(a picture that can't be shown to you: ${title})` };
}

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
