import * as z from 'zod';
import { screenBox } from '../../../bridge/protocol/index.ts';

/** Everything that is known about an episode before it begins. */
export const recordMeta = z.object({
  session: z.string().min(1).describe('id of this episode, unique among all'),
  task: z.string().nullable().describe('name of the task; null for a free session'),
  seed: z
    .int()
    .nonnegative()
    .nullable()
    .optional()
    .describe('variant of the task; null if it has only one, absent in older records'),
  agent: z.object({
    name: z.string().min(1),
    version: z.string(),
    model: z.string().optional().describe('absent for agents without a model, such as the oracle'),
    system: z.string().optional().describe('its system prompt'),
    toolSet: z.string().optional().describe('name of its set of tools'),
    parts: z.array(z.string()).optional().describe('the parts of an observation that it is shown'),
    view: z
      .object({
        within: z.object({ width: z.int().positive(), height: z.int().positive() }).optional(),
        region: screenBox.optional(),
      })
      .nullable()
      .optional()
      .describe(
        'the size that its pictures fit in, and the part of the screen that they show, if not all: its coordinates are in their pixels; null for the screen itself; absent in older records',
      ),
    notSet: z.array(z.string()).optional().describe('settings that its model does not take, e.g. seed'),
    tools: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe('definitions, as shown to the model'),
  }),
  versions: z
    .record(z.string(), z.string())
    .describe('of each program that took part, e.g. pwp, code-server'),
  forkedFrom: z
    .object({
      session: z.string().min(1).describe('id of the episode it branched off'),
      checkpoint: z.string(),
      step: z.int().nonnegative().nullable().describe('of that episode; null if it is not known'),
      replayed: z
        .enum(['same', 'apart', 'not-compared'])
        .optional()
        .describe(
          'of a replay of that episode: whether the state there was found to be the recorded one; absent if it branched off the episode itself',
        ),
    })
    .optional()
    .describe('absent if the episode began with a reset'),
});
export type RecordMeta = z.output<typeof recordMeta>;

/** The agent's message with its actions; all of it is optional, none of it is trusted. */
export const recordedTurn = z.object({
  message: z.string().optional(),
  reasoning: z.string().optional(),
  model: z.string().optional().describe("where it differs from the agent's"),
  llmCalls: z.int().nonnegative().optional(),
  promptTokens: z.int().nonnegative().optional().describe('cached ones included'),
  completionTokens: z.int().nonnegative().optional(),
  cachedTokens: z.int().nonnegative().optional(),
  thinkingTokens: z.int().nonnegative().optional().describe('of completionTokens'),
  tries: z.int().nonnegative().optional().describe('requests until there was an answer'),
  modelMs: z.number().nonnegative().optional().describe('of the successful request'),
  costUsd: z.number().nonnegative().optional(),
});
export type RecordedTurn = z.output<typeof recordedTurn>;

/**
 * How an episode ended. `finished` is the agent's own claim; the score says whether it was right. `sandbox-failed`: the
 * programs inside ended or stopped answering, which the agent can cause; it is scored by what is on its disk.
 * `context-limit`: its model takes no conversation that long, and nothing more could be left out of it.
 * `model-refused`: the model, or a filter of its vendor, refused to continue. `agent-failed`: the agent threw; its final
 * state is scored. `model-failed`: its model could not be asked, and there is no score. `grading-failed`: the tests gave no
 * verdict, and there is no score. `infrastructure-error`: the machine or the node failed, and there is no score.
 */
export const episodeEnding = z.enum([
  'finished',
  'step-limit',
  'time-limit',
  'token-limit',
  'cost-limit',
  'context-limit',
  'model-refused',
  'agent-failed',
  'model-failed',
  'sandbox-failed',
  'grading-failed',
  'infrastructure-error',
  'cancelled',
]);
export type EpisodeEnding = z.output<typeof episodeEnding>;

export const recordedCheck = z.object({
  name: z.string(),
  passed: z.boolean().nullable().describe('null: it could not be measured'),
  why: z.string(),
});
export type RecordedCheck = z.output<typeof recordedCheck>;

/** For people: the outcome of a check. */
export function formatPassed(passed: RecordedCheck['passed']): 'passed' | 'failed' | 'not measured' {
  if (passed === null) return 'not measured';
  return passed ? 'passed' : 'failed';
}
