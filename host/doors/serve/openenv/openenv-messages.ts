import * as z from 'zod';
import { writtenActions } from '../../../run/index.ts';

/** What is on the screen as a picture: of each observation after a reset, or of one step. */
const pictureChoice = z
  .enum(['none', 'screen', 'marks'])
  .describe('a PNG of the screen with each observation; `marks`: with the marks drawn in');

/** The data of `reset`. Keys that it does not have are answered in the observation. */
export const resetData = z.looseObject({
  task: z.string().min(1).max(500).nullish().describe('id of the task; default: the only one that is served'),
  split: z.literal('train').nullish().describe('with `index`, in place of `task`'),
  index: z.int().nonnegative().nullish().describe('of the task in its split'),
  seed: z.int().nonnegative().nullish().describe('chooses the task if nothing else does'),
  episode_id: z.string().max(255).nullish().describe('a name of your own for the episode, for `state`'),
  picture: pictureChoice.nullish(),
});
export type ResetData = z.output<typeof resetData>;

/** Clients of the owners add it to every action. */
const metadata = z.record(z.string(), z.unknown()).optional().describe('not used');

const playedAction = z.strictObject({
  actions: writtenActions.default([]),
  done: z.boolean().default(false).describe('the task is finished: the reward is the score by its tests'),
  picture: pictureChoice.optional(),
  metadata,
});

/** The action of the owners' clients for tools. */
const toolAction = z.strictObject({
  type: z.literal('call_tool'),
  tool_name: z.string().min(1).max(200),
  arguments: z.record(z.string(), z.unknown()).default({}),
  metadata,
});

export const openEnvAction = z.union([playedAction, toolAction]);
export type OpenEnvAction = z.output<typeof openEnvAction>;

const sessionId = z.string().max(200).optional().describe('of the reset; default: the user in the address');

/** The bodies of requests over HTTP. */
export const openEnvRequests = {
  reset: resetData.extend({ session_id: sessionId }),
  step: z.strictObject({
    session_id: sessionId,
    action: openEnvAction,
    request_id: z
      .string()
      .max(255)
      .nullish()
      .describe('a name of your own, which the observation has as well'),
    timeout_s: z.null().optional().describe('a step can have no time limit: it ends when the IDE is at rest'),
  }),
} as const;

const rpcId = z.union([z.string(), z.int()]).nullish();

export const rpcRequest = z.strictObject({
  jsonrpc: z.literal('2.0'),
  method: z.string().max(200),
  params: z.record(z.string(), z.unknown()).default({}),
  id: rpcId,
});

export const rpcReply = z.object({
  jsonrpc: z.literal('2.0'),
  id: rpcId,
  result: z.unknown().optional(),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
});
export type RpcReply = z.output<typeof rpcReply>;

/** What a client may send over `/ws`. */
export const clientMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('reset'), data: resetData.prefault({}) }),
  z.strictObject({ type: z.literal('step'), data: openEnvAction }),
  z.strictObject({ type: z.literal('state') }),
  z.strictObject({ type: z.literal('close') }),
  z.strictObject({ type: z.literal('mcp'), data: z.record(z.string(), z.unknown()) }),
]);
export type ClientMessage = z.output<typeof clientMessage>;

/** The codes of errors: after the last one the connection ends. */
export type OpenEnvCode =
  | 'INVALID_JSON'
  | 'UNKNOWN_TYPE'
  | 'VALIDATION_ERROR'
  | 'EXECUTION_ERROR'
  | 'CAPACITY_REACHED'
  | 'FACTORY_ERROR'
  | 'SESSION_ERROR';

const seen = {
  text: z.string().describe('the screen in words: focus, editor, marks'),
  width: z.int().describe('of the screen and its picture, in pixels'),
  height: z.int().describe('of the screen and its picture, in pixels'),
  picture: z.string().optional().describe('PNG, base64; absent if none was requested'),
};

const resetObservation = z.strictObject({
  ...seen,
  task: z.string().describe('id of the task'),
  instruction: z.string().describe("what the agent is asked to do, in the task's words"),
  session_id: z.string().describe('of the connection, for `/mcp` and for HTTP'),
  ignored: z.array(z.string()).optional().describe('keys of the reset that changed nothing'),
});

const stepObservation = z.strictObject({
  ...seen,
  step: z.int().describe('1 for the first after a reset'),
  outcomes: z
    .array(z.looseObject({ action: z.string(), effect: z.string(), evidence: z.string() }))
    .describe('one for each action that was tried, see docs/actions.md'),
  skipped: z.int().describe('number of actions after the first failure, which were not tried'),
  truncated: z.boolean().describe('the maximum number of steps is reached, which ends the episode'),
  why: z.string().optional().describe('why the reward is unknown, or may be wrong'),
  checks: z
    .array(z.object({ name: z.string(), passed: z.boolean().nullable(), why: z.string() }))
    .optional()
    .describe('what the tests checked, at the end of an episode'),
  tool_name: z.string().optional().describe('of the action `call_tool`'),
  result: z.string().optional().describe('what that tool printed'),
  request_id: z.string().optional().describe('of the request, over HTTP'),
});

const ending = {
  reward: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('0 before the end; null: unknown, which is not 0, and `why` says why'),
  done: z.boolean().describe('the episode is over, and was graded'),
};

export const resetReply = z.strictObject({ observation: resetObservation, ...ending });
export const stepReply = z.strictObject({ observation: stepObservation, ...ending });
export type ResetReply = z.output<typeof resetReply>;
export type StepReply = z.output<typeof stepReply>;

export const openEnvState = z.strictObject({
  episode_id: z.string().nullable().describe('as in the reset, or given by the server; null: no episode'),
  step_count: z.int(),
  session_id: z.string(),
  task: z.string().nullable(),
  done: z.boolean(),
  episode: z.string().nullable().describe('its id at /episodes/<id>, to checkpoint, restore or fork it'),
});
export type OpenEnvState = z.output<typeof openEnvState>;

/** What `/schema` answers. An observation is described with its reward and end, as the owners' servers do. */
export function describeSchemas(): object {
  return {
    action: z.toJSONSchema(openEnvAction, { io: 'input' }),
    observation: z.toJSONSchema(stepObservation.extend(ending), { io: 'output' }),
    reset_observation: z.toJSONSchema(resetObservation.extend(ending), { io: 'output' }),
    state: z.toJSONSchema(openEnvState, { io: 'output' }),
  };
}
