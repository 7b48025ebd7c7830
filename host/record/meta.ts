import * as z from 'zod';

/** What is known of an episode before it begins. */
export const recordMeta = z.object({
  session: z.string().min(1).describe('id of this episode, unique among all'),
  task: z.string().nullable().describe('name of the task; null for a free session'),
  seed: z
    .int()
    .nonnegative()
    .nullable()
    .optional()
    .describe('which variant of the task; null where it has only one, absent in older records'),
  agent: z.object({
    name: z.string().min(1),
    version: z.string(),
    model: z.string().optional().describe('absent for agents that ask no model, as the oracle'),
    tools: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe('definitions as the model was shown them'),
  }),
  versions: z
    .record(z.string(), z.string())
    .describe('of each program that took part, e.g. pwp, code-server'),
  forkedFrom: z
    .object({
      session: z.string().min(1).describe('id of the episode it branched off'),
      checkpoint: z.string(),
      step: z.int().nonnegative().nullable().describe('of that episode; null where it is not known'),
    })
    .optional()
    .describe('absent where the episode began with a reset'),
});
export type RecordMeta = z.output<typeof recordMeta>;

/** What the agent said with its actions; all of it optional, none of it trusted. */
export const turn = z.object({
  message: z.string().optional(),
  reasoning: z.string().optional(),
  model: z.string().optional().describe("where it differs from the agent's"),
  llmCalls: z.int().nonnegative().optional(),
  promptTokens: z.int().nonnegative().optional().describe('cached ones included'),
  completionTokens: z.int().nonnegative().optional(),
  cachedTokens: z.int().nonnegative().optional(),
  costUsd: z.number().nonnegative().optional(),
});
export type Turn = z.output<typeof turn>;

/**
 * How an episode ended. `finished` is the agent's own word; the score says whether it was right. `sandbox-failed`: what
 * runs inside ended or stopped answering, which the agent can bring about; it is scored by what is on its disk.
 * `infrastructure-error`: the machine, the node or the agent's model failed, and there is no score.
 */
export const ending = z.enum([
  'finished',
  'step-limit',
  'time-limit',
  'sandbox-failed',
  'infrastructure-error',
  'cancelled',
]);
export type Ending = z.output<typeof ending>;

export const check = z.object({ name: z.string(), passed: z.boolean(), why: z.string() });
export type RecordedCheck = z.output<typeof check>;
