import * as z from 'zod';

/**
 * The part of Harbor's Agent Trajectory Interchange Format that this project writes, version 1.8. Field names,
 * required fields and rules follow Harbor's RFC 0001; every object refuses fields that the format does not know.
 */
export const ATIF_VERSION = 'ATIF-v1.8';

const extraFields = z.record(z.string(), z.unknown()).optional();

const contentPart = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({
    type: z.literal('image'),
    source: z.strictObject({
      media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
      path: z.string().describe('relative to the folder of the trajectory file'),
    }),
  }),
]);
export type AtifContentPart = z.output<typeof contentPart>;
const atifContent = z.union([z.string(), z.array(contentPart)]);

const atifToolCall = z.strictObject({
  tool_call_id: z.string(),
  function_name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  extra: extraFields,
});
export type AtifToolCall = z.output<typeof atifToolCall>;

const observationResult = z.strictObject({
  source_call_id: z.string().optional().describe('a tool_call_id of the same step'),
  content: atifContent.optional(),
  extra: extraFields,
});
export type AtifObservationResult = z.output<typeof observationResult>;

const atifMetrics = z.strictObject({
  prompt_tokens: z.int().optional(),
  completion_tokens: z.int().optional(),
  cached_tokens: z.int().optional(),
  cost_usd: z.number().optional(),
  extra: extraFields,
});

const stepFields = z.strictObject({
  step_id: z.int().positive(),
  timestamp: z.iso.datetime().optional(),
  source: z.enum(['system', 'user', 'agent']),
  model_name: z.string().optional(),
  message: atifContent,
  reasoning_content: z.string().optional(),
  tool_calls: z.array(atifToolCall).optional(),
  observation: z.strictObject({ results: z.array(observationResult) }).optional(),
  metrics: atifMetrics.optional(),
  llm_call_count: z.int().nonnegative().optional().describe('0: dispatched without asking a model'),
  extra: extraFields,
});
export type AtifStep = z.output<typeof stepFields>;

const agentOnly = ['model_name', 'reasoning_content', 'tool_calls', 'metrics'] as const;
const modelOnly = ['reasoning_content', 'metrics'] as const;

const atifStep = stepFields
  .refine((value) => value.source === 'agent' || agentOnly.every((key) => value[key] === undefined), {
    message: `only an agent's step has ${agentOnly.join(', ')}`,
  })
  .refine((value) => value.llm_call_count !== 0 || modelOnly.every((key) => value[key] === undefined), {
    message: `a step without a model call has no ${modelOnly.join(', ')}`,
  })
  .refine(answersItsOwnCalls, { path: ['observation'], message: 'a result answers no call of its step' });

function answersItsOwnCalls(value: AtifStep): boolean {
  const calls = new Set((value.tool_calls ?? []).map((call) => call.tool_call_id));
  const answered = (value.observation?.results ?? []).map((one) => one.source_call_id);
  return answered.every((id) => id === undefined || calls.has(id));
}

const atifToolDefinition = z
  .object({
    type: z.literal('function'),
    function: z.object({
      name: z.string(),
      description: z.string().optional(),
      parameters: z.record(z.string(), z.unknown()).describe('a JSON Schema'),
    }),
  })
  .describe("in the form of OpenAI's function calls");
export type AtifToolDefinition = z.output<typeof atifToolDefinition>;

/** `trajectory.json`. */
export const trajectorySchema = z.strictObject({
  schema_version: z.literal(ATIF_VERSION),
  session_id: z.string().optional(),
  trajectory_id: z.string().optional(),
  agent: z.strictObject({
    name: z.string(),
    version: z.string(),
    model_name: z.string().optional(),
    tool_definitions: z.array(atifToolDefinition).optional(),
    extra: extraFields,
  }),
  steps: z
    .array(atifStep)
    .min(1)
    .refine((steps) => steps.every((one, index) => one.step_id === index + 1), 'step_id counts from 1'),
  notes: z.string().optional(),
  final_metrics: z
    .strictObject({
      total_prompt_tokens: z.int().optional(),
      total_completion_tokens: z.int().optional(),
      total_cached_tokens: z.int().optional(),
      total_cost_usd: z.number().optional(),
      total_steps: z.int().optional(),
      extra: extraFields,
    })
    .optional(),
  extra: extraFields,
});
export type Trajectory = z.output<typeof trajectorySchema>;
