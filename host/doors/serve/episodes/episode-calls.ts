import * as z from 'zod';
import { describeTool, tools } from '../../../../bridge/protocol/index.ts';
import { writtenActions } from '../../../run/index.ts';

/** The most environments that one fork makes. */
const mostForks = 64;

const request = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe(
    "the caller's id of this request: when it is repeated, the first reply is sent again and nothing is done twice",
  );

const picture = z
  .enum(['none', 'screen', 'marks'])
  .default('screen')
  .describe('the screen as PNG, base64; `marks`: with the marks drawn in');

const checkpointId = z.string().min(1).max(200).describe('id of a checkpoint');

const pixels = z.int().positive().describe('in pixels');

/** What is on the screen. Coordinates are pixels of the picture; marks are numbers for `click [12]`. */
const observation = z.object({
  number: z.int().nonnegative().describe('rises with every observation; marks of an older one are refused'),
  width: pixels,
  height: pixels,
  title: z.string().describe('of the window'),
  focus: z.looseObject({}).nullable().describe('what the keyboard types into'),
  caret: z.looseObject({}).nullable().describe('box of the text cursor'),
  dialog: z
    .looseObject({})
    .nullable()
    .describe('a JavaScript dialog; without an answer to it there are no marks'),
  marks: z.array(z.looseObject({ id: z.int(), role: z.string(), name: z.string() })),
  unread: z.array(z.looseObject({})).describe('parts of the page that did not answer'),
  text: z.string().describe('the screen in words, for models without pictures: about 2,000 tokens at most'),
  picture: z.string().optional().describe('PNG, base64; absent if none was requested'),
});

const path = z.string().min(1).max(4096).describe('relative to the workspace');

/** Bytes of a file in one request or reply. */
export const filePieceBytes = 2 * 1024 * 1024;
const piece = z.base64().max(Math.ceil(filePieceBytes / 3) * 4);

const episode = z.string().describe('id of the episode');

const reply = {
  episode,
  sequence: z.int().nonnegative().describe('number of this reply in its episode'),
  request: z.string().optional().describe('as in the request'),
};

const begun = z.object({
  ...reply,
  task: z.string().describe('id of the task'),
  instruction: z.string().describe("what the agent is asked to do, in the task's words"),
  from: z.enum(['cold', 'golden', 'fork', 'joined']).describe('how the sandbox was started'),
  startMs: z.number().describe('milliseconds until it was ready'),
  observation,
});

const outcome = z.looseObject({
  action: z.string().describe('as it was understood'),
  effect: z.string().describe('confirmed, none seen, refused …, see docs/actions.md'),
  evidence: z.string().describe('the reason for this judgment'),
  output: z.string().optional().describe('what a tool printed'),
});

/** What a client can ask of an episode, by name: the body of a request, and of its reply. */
export const episodeCalls = {
  reset: {
    about: "start over in the task's initial state, in a fresh sandbox",
    input: z.strictObject({ request, picture }),
    output: begun,
  },
  step: {
    about: 'do actions in order, wait until the IDE is at rest, and look',
    input: z.strictObject({ request, picture, actions: writtenActions }),
    output: z.object({
      ...reply,
      step: z.int().describe('1 for the first after a reset'),
      outcomes: z.array(outcome).describe('one for each action that was tried'),
      skipped: z.int().describe('number of actions after the first failure, which were not tried'),
      truncated: z.boolean().describe('the maximum number of steps is reached'),
      observation,
    }),
  },
  tool: {
    about: 'call one tool, as a step; GET /tools lists them',
    input: z.strictObject({
      request,
      name: z.string().min(1).max(200),
      arguments: z.record(z.string(), z.unknown()).default({}),
    }),
    output: z.object({
      ...reply,
      step: z.int().describe('1 for the first after a reset'),
      effect: outcome.shape.effect,
      evidence: outcome.shape.evidence,
      output: z.string().describe('what the tool printed; empty if it printed nothing'),
      truncated: z.boolean().describe('the maximum number of steps is reached'),
    }),
  },
  exec: {
    about:
      "run a program in the sandbox as the agent's user, beside the IDE; what it leaves running is ended",
    input: z.strictObject({
      request,
      argv: z.array(z.string().max(200_000)).min(1).max(10_000),
      cwd: path.default('.'),
      env: z.record(z.string().min(1).max(1000), z.string().max(200_000)).default({}),
      stdin: z
        .string()
        .max(1024 * 1024)
        .default(''),
      timeout: z.number().positive().max(86_400).default(600).describe('seconds'),
    }),
    output: z.object({
      ...reply,
      exitCode: z.int().nullable().describe('null if a signal or its time-out ended it'),
      stdout: z.string(),
      stderr: z.string(),
      truncated: z.boolean().describe('it wrote more than is here: 4 MiB of each'),
      timedOut: z.boolean(),
    }),
  },
  read_file: {
    about: "read a piece of a file as the agent's user",
    input: z.strictObject({ request, path, offset: z.int().nonnegative().default(0).describe('in bytes') }),
    output: z.object({
      ...reply,
      content: piece.describe('base64, at most 2 MiB'),
      end: z.boolean().describe('the file has no more'),
    }),
  },
  write_file: {
    about: "write a file as the agent's user, or a further piece of it; missing folders are made",
    input: z.strictObject({
      request,
      path,
      content: piece.describe('base64, at most 2 MiB'),
      append: z.boolean().default(false).describe('to what is there, in place of it'),
    }),
    output: z.object({ ...reply }),
  },
  observe: {
    about: 'look without acting',
    input: z.strictObject({ request, picture }),
    output: z.object({ ...reply, observation }),
  },
  checkpoint: {
    about: 'save the IDE with its running programs and unsaved text',
    input: z.strictObject({ request, name: z.string().min(1).max(200).optional() }),
    output: z.object({ ...reply, checkpoint: checkpointId, step: z.int().nullable() }),
  },
  restore: {
    about: 'return to a checkpoint',
    input: z.strictObject({ request, picture, checkpoint: checkpointId }),
    output: z.object({ ...reply, step: z.int().nullable(), branch: z.int(), observation }),
  },
  fork: {
    about:
      'new episodes in the state of this one, or of a checkpoint, each in its own sandbox; this one continues',
    input: z.strictObject({
      request,
      picture,
      count: z.int().min(1).max(mostForks).default(1),
      checkpoint: checkpointId.optional(),
    }),
    output: z.object({ ...reply, forks: z.array(begun) }),
  },
  grade: {
    about: 'score what the agent left, in a sandbox that it never touched',
    input: z.strictObject({ request }),
    output: z.object({
      ...reply,
      reward: z.number().min(0).max(1).nullable().describe('null: unknown, which is not 0; `why` says why'),
      why: z.string().optional().describe('why there is no reward, or why it may be wrong'),
      checks: z.array(z.object({ name: z.string(), passed: z.boolean().nullable(), why: z.string() })),
      log: z.string().describe('what the tests printed, bounded'),
    }),
  },
} as const;

export type EpisodeCall = keyof typeof episodeCalls;
export type EpisodeInput<C extends EpisodeCall> = z.output<(typeof episodeCalls)[C]['input']>;
export type EpisodeOutput<C extends EpisodeCall> = z.output<(typeof episodeCalls)[C]['output']>;
/** What a call found, before the server adds the names of episode and reply. */
export type EpisodeFinding<C extends EpisodeCall> = Omit<EpisodeOutput<C>, keyof typeof reply>;

/** The names that the server adds to a finding: those of episode, reply and request. */
export type ReplyNames = Pick<EpisodeOutput<'observe'>, keyof typeof reply>;

export const openCall = {
  about: 'start an episode: its own sandbox, with a task',
  input: z.strictObject({
    request,
    picture,
    task: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('id of a task; default: the only one that is served'),
  }),
  output: begun,
};

export const closeReply = z.object({ episode });

/** The tools that an episode's agent can call. */
export const toolsReply = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      family: z.string().describe('tools of one subject'),
      readOnly: z.boolean(),
      inputSchema: z.looseObject({}).describe('JSON Schema of its arguments'),
    }),
  ),
});

export type ServedToolList = z.output<typeof toolsReply>['tools'];

/** The tools of these names, as clients read them. */
export function describeServedTools(names: readonly string[]): ServedToolList {
  return tools
    .filter(({ name }) => names.includes(name))
    .map((tool) => {
      const { name, description, family, readOnly, input } = describeTool(tool);
      return { name, description, family, readOnly, inputSchema: input };
    });
}

export const tasksReply = z.object({
  tasks: z.array(z.object({ id: z.string(), instruction: z.string() })),
});

export const errorReply = z.object({
  error: z.object({
    code: z.string().describe('the kind of failure, see docs/errors.md'),
    message: z.string(),
    help: z.string().optional().describe('what to do'),
  }),
});

export const healthReply = z.object({
  status: z.literal('healthy'),
  version: z.string(),
  episodes: z.int().describe('open now'),
  capacity: z.int().describe('the most at a time'),
  worker: z.string().optional().describe('its id among the workers of a front'),
  workers: z
    .array(
      z.object({
        id: z.string(),
        name: z.string().describe('host and process'),
        labels: z.array(z.string()),
        episodes: z.int(),
        capacity: z.int(),
      }),
    )
    .optional()
    .describe('of a front'),
});

export function isEpisodeCall(name: string): name is EpisodeCall {
  return Object.hasOwn(episodeCalls, name);
}
