import * as z from 'zod';

/** A row of a data set, which begins an episode: its `task`, also in `verifier_metadata`; the only one that is served by default. */
export const nemoRow = z.looseObject({
  task: z.string().max(500).optional(),
  verifier_metadata: z.looseObject({ task: z.string().max(500).optional() }).optional(),
});

export type NemoRow = z.output<typeof nemoRow>;

const functionCall = z.looseObject({
  type: z.literal('function_call'),
  call_id: z.string().max(200),
  name: z.string().max(200),
  arguments: z.string().max(1_000_000),
});

/** The answer of a model: its calls of tools, and anything else. */
const modelResponse = z.looseObject({
  output: z
    .array(
      z.union([functionCall, z.looseObject({ type: z.string().refine((type) => type !== 'function_call') })]),
    )
    .max(1000),
});

export const nemoStep = z.looseObject({ response: modelResponse });
export const nemoVerify = z.looseObject({ responses_create_params: z.unknown(), response: z.unknown() });
export const nemoToolArguments = z.record(z.string(), z.unknown());
export const nemoMetrics = z.looseObject({
  verify_responses: z.array(z.looseObject({ reward: z.number(), _ng_task_index: z.int().optional() })),
});

export type NemoCall = z.output<typeof functionCall>;

export function readModelCalls({ response }: z.output<typeof nemoStep>): NemoCall[] {
  return response.output.flatMap((item) => functionCall.safeParse(item).data ?? []);
}

/** What a step answers. */
export interface NemoStepReply {
  /** The next message to the model; null for none. */
  readonly observation: string | null;
  readonly reward: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly info: Readonly<Record<string, unknown>>;
}

/** Means of rewards, of all and of each task. */
export function summarizeRewards({ verify_responses: all }: z.output<typeof nemoMetrics>): object {
  if (all.length === 0) return { group_level_metrics: [], agent_metrics: {}, key_metrics: {} };
  const groups = Map.groupBy(all, (one) => one._ng_task_index ?? 0);
  const mean = (some: typeof all) => some.reduce((sum, { reward }) => sum + reward, 0) / some.length;
  const overall = { 'mean/reward': mean(all) };
  return {
    group_level_metrics: [...groups]
      .toSorted(([one], [other]) => one - other)
      .map(([index, some]) => ({ _ng_task_index: index, 'mean/reward': mean(some) })),
    agent_metrics: overall,
    key_metrics: overall,
  };
}
