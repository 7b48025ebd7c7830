import * as z from 'zod';
import { explainArguments, readToolArguments } from '../../../bridge/protocol/index.ts';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import { omitUndefined } from '../../../bridge/text/index.ts';
import type { EpisodeOutput, ServedTable } from './episodes/index.ts';

/** The part of the table of episodes that calls need. */
type ToolTable = Pick<ServedTable, 'call' | 'tools'>;

/** What a call of a tool answers, in every protocol for trainers. */
export type AgentAnswer = AgentResult | AgentRefusal;

export interface AgentResult {
  readonly ok: true;
  readonly text: string;
  /** PNG, base64. */
  readonly picture?: string | undefined;
  /** Null if it was not graded, and if the tests could not judge: `facts.why` says why. */
  readonly reward: number | null;
  /** The episode is over: it was graded, or there are no steps left. */
  readonly finished: boolean;
  readonly truncated: boolean;
  /** For programs, not for models. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A call that was not done, for a reason that its caller can correct. */
export interface AgentRefusal {
  readonly ok: false;
  readonly error: string;
  readonly reason: 'not_found' | 'input_validation' | 'episode_finished';
}

/** A tool as it is described to a model. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly schema: object;
}

interface OwnTool<S extends z.ZodType> {
  readonly description: string;
  readonly input: S;
  readonly run: (table: ToolTable, episode: string, given: z.output<S>) => Promise<AgentResult>;
}

const actInput = z.strictObject({
  actions: z
    .array(z.string().min(1).max(200_000))
    .min(1)
    .max(100)
    .describe(
      'in order, each a line: `xdotool mousemove 100 200 click 1`, `xdotool type "text"`, `xdotool key ctrl+s`; or on a mark of the newest observation: `click [12]`, `type [12] "text"`, `scroll [12] down 5`',
    ),
  picture: z
    .enum(['none', 'screen', 'marks'])
    .default('screen')
    .describe('of the screen afterwards; marks: with the numbers of the marks drawn in'),
});

const pictureText = 'Then comes a picture of the screen, whose pixels are the coordinates.';

const act: OwnTool<typeof actInput> = {
  description:
    'Uses mouse and keyboard on the screen, waits until the IDE is at rest, and looks. Answers with the effect of each action, and with what is on the screen in words.',
  input: actInput,
  async run(table, episode, given) {
    const { step, outcomes, skipped, observation, truncated } = await table.call(episode, 'step', given);
    const lines = outcomes.map(writeOutcome);
    if (skipped > 0) lines.push(`not tried: ${skipped} later actions`);
    return {
      ...{ ok: true, reward: null, finished: false, truncated, picture: observation.picture },
      text: [...lines, observation.text].join('\n'),
      facts: { step, effects: outcomes.map(({ effect }) => effect) },
    };
  },
};

const submitInput = z.strictObject({});

const submit: OwnTool<typeof submitInput> = {
  description: 'Ends the task: call it once, when all of it is done. What you left is scored then.',
  input: submitInput,
  run: (table, episode) => gradeEpisode(table, episode),
};

/** Trainers in Python make functions of tools, whose parameters can't have these names. */
const pythonKeywords: ReadonlySet<string> = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/**
 * All that an agent can call: hands and eyes, the end, and the tools of the IDE. Left out are those that Python can't call.
 * @param pictures whether the protocol has pictures in results; default true
 */
export function listAgentTools(table: Pick<ServedTable, 'tools'>, { pictures = true } = {}): AgentTool[] {
  const tools = table.tools
    .filter(({ inputSchema: { properties = {} } }) =>
      Object.keys(properties as object).every((name) => !pythonKeywords.has(name)),
    )
    .map(({ name, description, inputSchema: schema }) => ({ name, description, schema }));
  return [
    {
      name: 'act',
      description: pictures ? `${act.description} ${pictureText}` : act.description,
      schema: toSchema(pictures ? actInput : actInput.omit({ picture: true })),
    },
    { name: 'submit', description: submit.description, schema: toSchema(submitInput) },
    ...tools,
  ];
}

function toSchema(input: z.ZodType): object {
  return omitUndefined({ ...z.toJSONSchema(input, { io: 'input' }), $schema: undefined });
}

/** Failures that an agent can correct. */
const callerErrors: ReadonlySet<string> = new Set(['usage', 'bad-action', 'bad-name']);

/**
 * Calls a tool. After the last step that an episode may have, it is graded, since no action can follow. Rejects for failures
 * that are not the caller's.
 */
export async function callAgentTool(
  table: ToolTable,
  episode: string,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<AgentAnswer> {
  try {
    const answer = await callOwnOrServed(table, episode, name, given);
    if (!answer.ok || !answer.truncated || answer.finished) return answer;
    const { text, reward, facts } = await gradeEpisode(table, episode);
    const both = { text: `${answer.text}\n${text}`, facts: { ...answer.facts, ...facts, truncated: true } };
    return { ...answer, ...both, reward, finished: true };
  } catch (error) {
    if (!(error instanceof PwpError) || !callerErrors.has(error.code)) throw error;
    return refuseCall(describeError(error), 'input_validation');
  }
}

/** Scores what an agent left. */
export async function gradeEpisode(table: ToolTable, episode: string): Promise<AgentResult> {
  const { reward, why, checks, log } = await table.call(episode, 'grade', {});
  const text = reward === null ? `The reward is unknown: ${why ?? 'no reason is known'}` : `reward ${reward}`;
  const facts = { checks, log, ...(why !== undefined && { why }) };
  return { ok: true, text, reward, finished: true, truncated: false, facts };
}

export function refuseCall(error: string, reason: AgentRefusal['reason']): AgentRefusal {
  return { ok: false, error, reason };
}

async function callOwnOrServed(
  table: ToolTable,
  episode: string,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<AgentAnswer> {
  if (name === 'act') return callOwn(act, table, episode, given);
  if (name === 'submit') return callOwn(submit, table, episode, given);
  if (!table.tools.some((tool) => tool.name === name))
    return refuseCall(`there is no tool ${JSON.stringify(name)}`, 'not_found');
  const found = await table.call(episode, 'tool', { name, arguments: { ...given } });
  const { step, effect, truncated } = found;
  const text = writeOutcome(found);
  if (effect === 'refused' && !truncated) return refuseCall(text, 'input_validation');
  return { ok: true, text, reward: null, finished: false, truncated, facts: { step, effects: [effect] } };
}

async function callOwn<S extends z.ZodType>(
  tool: OwnTool<S>,
  table: ToolTable,
  episode: string,
  given: Readonly<Record<string, unknown>>,
): Promise<AgentAnswer> {
  const read = readToolArguments(tool.input, given);
  if (!read.success) return refuseCall(explainArguments(tool.input, read.error), 'input_validation');
  return tool.run(table, episode, read.data);
}

function writeOutcome({
  effect,
  evidence,
  output = '',
}: Pick<EpisodeOutput<'tool'>, 'effect' | 'evidence'> & { readonly output?: string | undefined }): string {
  const head = `${effect}: ${evidence}`;
  if (output === '') return head;
  return `${output}\n`.startsWith(`${evidence}\n`) ? `${effect}: ${output}` : `${head}\n${output}`;
}
