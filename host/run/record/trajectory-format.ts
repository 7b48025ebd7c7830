import * as z from 'zod';

/**
 * Harbor's Agent Trajectory Interchange Format, version 1.8, with the fields and rules of its owner's models. Documents of
 * older versions are of the same form, with fewer fields. Every object refuses fields that the format does not know.
 */
export const ATIF_VERSION = 'ATIF-v1.8';

const versions = [
  'ATIF-v1.0',
  'ATIF-v1.1',
  'ATIF-v1.2',
  'ATIF-v1.3',
  'ATIF-v1.4',
  'ATIF-v1.5',
  'ATIF-v1.6',
  'ATIF-v1.7',
  ATIF_VERSION,
] as const;

const extraFields = z.record(z.string(), z.unknown()).optional();

/** Other names of types of sound, by which some programs call them. */
const audioNames: Readonly<Record<string, string>> = {
  'audio/mp3': 'audio/mpeg',
  'audio/mpga': 'audio/mpeg',
  'audio/x-mpeg': 'audio/mpeg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-m4a': 'audio/mp4',
  'audio/m4a': 'audio/mp4',
  'audio/x-aac': 'audio/aac',
  'audio/x-flac': 'audio/flac',
  'audio/x-aiff': 'audio/aiff',
};

const mediaPath = z.string().describe('relative to the folder of the trajectory file, absolute, or a URL');

const contentPart = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({
    type: z.literal('image'),
    source: z.strictObject({
      media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
      path: mediaPath,
    }),
  }),
  z.strictObject({
    type: z.literal('audio'),
    source: z.strictObject({
      media_type: z
        .string()
        .transform((name) => name.trim().toLowerCase())
        .transform((name) => audioNames[name] ?? name)
        .pipe(
          z.enum([
            'audio/wav',
            'audio/mpeg',
            'audio/mp4',
            'audio/aac',
            'audio/ogg',
            'audio/flac',
            'audio/webm',
            'audio/aiff',
          ]),
        ),
      path: mediaPath,
      duration_sec: z.number().nonnegative().optional(),
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

const subagentReference = z
  .strictObject({
    trajectory_id: z.string().optional().describe('of one in subagent_trajectories'),
    session_id: z.string().optional().describe('finds nothing: it is the run, which others may share'),
    trajectory_path: z.string().optional().describe('of another file'),
    extra: extraFields,
  })
  .refine(({ trajectory_id: id, trajectory_path: path }) => id !== undefined || path !== undefined, {
    message: 'expected trajectory_id or trajectory_path',
  });

const observationResult = z.strictObject({
  source_call_id: z.string().optional().describe('a tool_call_id of the same step'),
  content: atifContent.optional(),
  subagent_trajectory_ref: z.array(subagentReference).optional(),
  extra: extraFields,
});
export type AtifObservationResult = z.output<typeof observationResult>;

const atifMetrics = z.strictObject({
  prompt_tokens: z.int().optional().describe('cached ones included'),
  completion_tokens: z.int().optional(),
  cached_tokens: z.int().optional().describe('of prompt_tokens'),
  cost_usd: z.number().optional(),
  prompt_token_ids: z.array(z.int()).optional(),
  completion_token_ids: z.array(z.int()).optional(),
  logprobs: z.array(z.number()).optional().describe('of the completion'),
  extra: extraFields,
});
export type AtifMetrics = z.output<typeof atifMetrics>;

/** In any form of ISO 8601, with or without an offset. */
const atifTime = z
  .string()
  .refine((text) => /^\d{4}-?\d{2}-?\d{2}/.test(text) && !Number.isNaN(Date.parse(text)), {
    message: 'expected a time in ISO 8601',
  });

const stepFields = z.strictObject({
  step_id: z.int().positive(),
  timestamp: atifTime.optional(),
  source: z.enum(['system', 'user', 'agent']),
  model_name: z.string().optional().describe("absent: the agent's"),
  reasoning_effort: z.union([z.string(), z.number()]).optional(),
  message: atifContent,
  reasoning_content: z.string().optional(),
  tool_calls: z.array(atifToolCall).optional(),
  observation: z.strictObject({ results: z.array(observationResult) }).optional(),
  metrics: atifMetrics.optional(),
  is_copied_context: z
    .boolean()
    .optional()
    .describe('copied from an earlier trajectory, and not to be trained on'),
  llm_call_count: z.int().nonnegative().optional().describe('0: dispatched without asking a model'),
  extra: extraFields,
});
export type AtifStep = z.output<typeof stepFields>;

const agentOnly = ['model_name', 'reasoning_effort', 'reasoning_content', 'tool_calls', 'metrics'] as const;
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

/** A tool in the form of OpenAI's function calls. */
export interface AtifToolDefinition {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string | undefined;
    /** A JSON Schema. */
    readonly parameters: Record<string, unknown>;
  };
}

const ownFields = z.strictObject({
  schema_version: z.enum(versions).default(ATIF_VERSION),
  session_id: z.string().optional().describe('the run, which several documents may share'),
  trajectory_id: z.string().optional().describe('this document'),
  agent: z.strictObject({
    name: z.string(),
    version: z.string(),
    model_name: z.string().optional(),
    tool_definitions: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe("in the form of OpenAI's function calls, which the format does not require"),
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
      total_steps: z.int().nonnegative().optional(),
      extra: extraFields,
    })
    .optional(),
  continued_trajectory_ref: z.string().optional().describe('the file in which it continues'),
  extra: extraFields,
});

export interface Trajectory extends z.output<typeof ownFields> {
  subagent_trajectories?: Trajectory[] | undefined;
}

/** A document of any version. */
export const trajectorySchema: z.ZodType<Trajectory> = z.strictObject({
  ...ownFields.shape,
  subagent_trajectories: z
    .lazy(() => z.array(trajectorySchema))
    .refine(haveOwnIds, 'expected a trajectory_id of its own for each')
    .optional(),
});

function haveOwnIds(trajectories: readonly Trajectory[]): boolean {
  const ids = trajectories.map(({ trajectory_id: id }) => id);
  return !ids.includes(undefined) && new Set(ids).size === ids.length;
}

/** A document as this project writes it. */
export interface WrittenTrajectory extends Omit<Trajectory, 'agent'> {
  readonly schema_version: typeof ATIF_VERSION;
  readonly agent: Omit<Trajectory['agent'], 'tool_definitions'> & {
    readonly tool_definitions?: readonly AtifToolDefinition[] | undefined;
  };
}
