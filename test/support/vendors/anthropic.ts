import { createHash } from 'node:crypto';
import * as z from 'zod';
import { event, piecesOf } from './events.ts';
import { type Protocol, Refusal, refuse, type Reply, type Saying, type Seen } from './server.ts';

/** The newest models, and those that only accept an older form of the computer tool. */
const toolForms: Readonly<Record<string, string>> = {
  'claude-sonnet-5': 'computer_toolset_20260801',
  'claude-opus-5': 'computer_toolset_20260801',
  'claude-fable-5-1': 'computer_toolset_20260801',
  'claude-sonnet-4-5': 'computer_20250124',
  'claude-opus-4-6': 'computer_20251124',
};
const betas: Readonly<Record<string, string>> = {
  computer_20251124: 'computer-use-2025-11-24',
  computer_20250124: 'computer-use-2025-01-24',
};
const mostImages = 100;

const cache = z.strictObject({ type: z.literal('ephemeral') }).optional();
const text = z.strictObject({
  type: z.literal('text'),
  text: z.string().regex(/\S/, 'text content blocks must contain non-whitespace text'),
  cache_control: cache,
});
const image = z.strictObject({
  type: z.literal('image'),
  source: z.strictObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']),
    data: z.base64().min(1),
  }),
});
const result = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.array(z.discriminatedUnion('type', [text, image])),
  is_error: z.boolean().optional(),
  toolset_name: z.literal('computer').optional(),
});
const use = z.strictObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  caller: z.unknown(),
  toolset_name: z.literal('computer').optional(),
});
const thinking = z.strictObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string().min(1),
});
const message = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.literal('user'),
    content: z.array(z.discriminatedUnion('type', [text, image, result])).min(1),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.array(z.discriminatedUnion('type', [text, use, thinking])).min(1),
  }),
]);
const older = z.strictObject({
  type: z.enum(['computer_20251124', 'computer_20250124']),
  name: z.literal('computer'),
  display_width_px: z.int().positive(),
  display_height_px: z.int().positive(),
  enable_zoom: z.boolean().optional(),
});
const toolset = z.strictObject({ type: z.literal('computer_toolset_20260801') });
const own = z.strictObject({
  name: z.string().regex(/^[\w-]{1,128}$/),
  description: z.string(),
  input_schema: z.looseObject({ type: z.literal('object') }),
});
const body = z.strictObject({
  model: z.string(),
  max_tokens: z.int().positive(),
  system: z.array(text),
  messages: z.array(message).min(1),
  tools: z.array(z.union([toolset, older, own])).optional(),
  cache_control: cache,
  thinking: z
    .union([
      z.strictObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1024) }),
      z.strictObject({
        type: z.literal('adaptive'),
        block_binding: z
          .strictObject({ prefix_mismatch_behavior: z.enum(['error', 'drop_block']) })
          .optional(),
      }),
    ])
    .optional(),
  stream: z.literal(true).optional(),
  output_config: z.strictObject({ effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']) }).optional(),
});
type Body = z.output<typeof body>;
type Message = z.output<typeof message>;

/** Anthropic's Messages API, as far as an agent needs it. */
export const anthropic: Protocol = {
  check(seen) {
    if (seen.headers.authorization !== 'Bearer right-key')
      throw new Refusal(401, 'invalid bearer token: wrong-key');
    if (seen.headers['anthropic-version'] === undefined) refuse('anthropic-version: header is required');
    if (seen.body === null) {
      if (!toolForms[seen.path.slice('/v1/models/'.length)]) throw new Refusal(404, `model: ${seen.path}`);
      return;
    }
    if (seen.path !== '/v1/messages') throw new Refusal(404, `no such path: ${seen.path}`);
    const read = body.safeParse(seen.body);
    if (!read.success) return refuse(z.prettifyError(read.error));
    checkTools(read.data, seen);
    checkTurns(read.data.messages, toolForms[read.data.model] === 'computer_toolset_20260801');
    checkThinking(seen);
  },
  facts({ body: asked, path }) {
    if (asked !== null) return undefined;
    return {
      type: 'model',
      id: path.slice('/v1/models/'.length),
      display_name: 'A model',
      created_at: '2026-01-01T00:00:00Z',
    };
  },
  turn: turnOf,
  events(seen, reply) {
    if ((seen.body as Body).stream !== true) return null;
    return eventsOf(turnOf(seen, reply)).map((one) => event(one, one.type));
  },
  errorEvent: (message) => event({ type: 'error', error: { type: 'overloaded_error', message } }, 'error'),
  error: (status, text) => ({ type: 'error', error: { type: typeOf(status), message: text } }),
};

type Said = Extract<Reply, { say: unknown }>;
type Block = Readonly<Record<string, unknown>>;

function turnOf({ body: asked }: Pick<Seen, 'body'>, reply: Said) {
  const { model } = asked as Body;
  const toolset = toolForms[model] === 'computer_toolset_20260801';
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: reply.say.flatMap((one, i) =>
      toContent(one, `toolu_${i}_${(asked as Body).messages.length}`, toolset, signatureOf(asked as Body)),
    ),
    stop_reason: stopOf(reply),
    stop_sequence: null,
    stop_details: null,
    container: null,
    usage: {
      input_tokens: 100,
      output_tokens: 20,
      cache_read_input_tokens: reply.cached ?? 0,
      cache_creation_input_tokens: 10,
      output_tokens_details: { thinking_tokens: 5 },
    },
  };
}

/** A message in the order and form of the documented stream. */
function eventsOf({ content, stop_reason, usage, ...message }: ReturnType<typeof turnOf>) {
  const { output_tokens, output_tokens_details, ...input } = usage;
  const start = { ...message, content: [], stop_reason: null, usage: { ...input, output_tokens: 1 } };
  const delta = { stop_reason, stop_sequence: null };
  return [
    { type: 'message_start', message: start },
    { type: 'ping' },
    ...content.flatMap((one, index) => [
      { type: 'content_block_start', index, content_block: emptyOf(one) },
      ...deltasOf(one).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta, usage: { output_tokens, output_tokens_details } },
    { type: 'message_stop' },
  ];
}

function emptyOf(one: Block): Block {
  if (one['type'] === 'text') return { ...one, text: '' };
  if (one['type'] === 'thinking') return { ...one, thinking: '', signature: '' };
  return one['type'] === 'tool_use' ? { ...one, input: {} } : one;
}

function deltasOf({ type, text, thinking, signature, input }: Block): Block[] {
  if (type === 'text') return piecesOf(String(text)).map((piece) => ({ type: 'text_delta', text: piece }));
  if (type === 'thinking')
    return [
      ...piecesOf(String(thinking)).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
      { type: 'signature_delta', signature },
    ];
  if (type !== 'tool_use') return [];
  const json = ['', ...piecesOf(JSON.stringify(input))];
  return json.map((piece) => ({ type: 'input_json_delta', partial_json: piece }));
}

function checkTools({ model, tools = [] }: Body, { headers }: Seen): void {
  const form = toolForms[model];
  if (form === undefined) throw new Refusal(404, `model: ${model}`);
  for (const tool of tools) {
    if (!('type' in tool)) continue;
    if (tool.type !== form) refuse(`tools.0: '${model}' does not support tool types: ${tool.type}`);
    const wanted = betas[tool.type];
    if (wanted !== undefined && headers['anthropic-beta'] !== wanted)
      refuse(`tools.0: ${tool.type} needs the header anthropic-beta: ${wanted}`);
  }
}

function checkTurns(messages: readonly Message[], toolset: boolean): void {
  const images = JSON.stringify(messages).split('"type":"image"').length - 1;
  if (images > mostImages) refuse(`at most ${mostImages} images may be in a request, found ${images}`);
  messages.forEach(({ role }, i) => {
    if (role !== (i % 2 === 0 ? 'user' : 'assistant')) refuse('messages: roles must alternate');
  });
  if (messages.at(-1)?.role !== 'user') refuse('messages: the last one must be of the user');
  messages.forEach((one, i) => {
    const before = messages[i - 1];
    if (one.role === 'assistant' && one.content.at(-1)?.type === 'thinking')
      refuse(`messages.${i}: The final block in an assistant message cannot be \`thinking\`.`);
    if (one.role === 'user') checkResults(one, before, toolset);
  });
}

function checkResults(
  { content }: Extract<Message, { role: 'user' }>,
  before: Message | undefined,
  toolset: boolean,
): void {
  const uses = before?.role === 'assistant' ? before.content.filter((one) => one.type === 'tool_use') : [];
  const results = content.filter((one) => one.type === 'tool_result');
  const first = content.slice(0, results.length);
  if (first.some(({ type }) => type !== 'tool_result')) refuse('tool_result blocks must come first');
  const [asked, answered] = [uses.map(({ id }) => id), results.map(({ tool_use_id: id }) => id)];
  const missing = asked.filter((id) => !answered.includes(id));
  if (missing.length > 0) refuse(`tool_use ids without tool_result blocks right after: ${missing.join()}`);
  const extra = answered.filter((id) => !asked.includes(id));
  if (extra.length > 0) refuse(`unexpected tool_use_id in tool_result blocks: ${extra.join()}`);
  for (const one of results) {
    if (one.is_error && one.content.length === 0)
      refuse('tool_result: content cannot be empty if `is_error` is true');
    if (one.is_error && one.content.some(({ type }) => type !== 'text'))
      refuse('a tool_result with is_error may have text alone');
    const member = uses.find(({ id }) => id === one.tool_use_id)?.toolset_name;
    if (toolset && member !== one.toolset_name)
      refuse('tool_result.toolset_name must be that of its tool_use');
  }
}

/** Hash of all that was said before a thought. */
function signatureOf({ system, messages }: Pick<Body, 'system' | 'messages'>): string {
  return createHash('sha256')
    .update(JSON.stringify([system, messages]))
    .digest('hex');
}

/** From Fable 5.1 on, a thought may only be sent back after the messages it was about, unless it may be left out. */
function checkThinking({ body: sent, headers }: Seen): void {
  const { model, system, messages, thinking } = sent as Body;
  const binding = thinking?.type === 'adaptive' ? thinking.block_binding : undefined;
  if (binding && headers['anthropic-beta'] !== 'thinking-binding-controls-2026-08-01')
    refuse('thinking.block_binding needs the header anthropic-beta');
  if (model !== 'claude-fable-5-1' || binding?.prefix_mismatch_behavior === 'drop_block') return;
  messages.forEach(({ role, content }, i) => {
    const signature = signatureOf({ system, messages: messages.slice(0, i) });
    if (role === 'assistant' && content.some((one) => one.type === 'thinking' && one.signature !== signature))
      refuse(`messages.${i}.content: The block is bound to a different conversation.`);
  });
}

function toContent(said: Saying, id: string, toolset: boolean, signature: string): Block[] {
  if ('text' in said) return [{ type: 'text', text: said.text }];
  if ('thinking' in said) return [{ type: 'thinking', thinking: said.thinking, signature }];
  const caller = { type: 'direct' };
  if ('computer' in said)
    return said.computer.map(({ action, ...input }, i) =>
      toolset
        ? { type: 'tool_use', id: `${id}_${i}`, name: action, input, toolset_name: 'computer', caller }
        : { type: 'tool_use', id: `${id}_${i}`, name: 'computer', input: { action, ...input }, caller },
    );
  const input = 'arguments' in said ? said.arguments : said.written;
  return [{ type: 'tool_use', id, name: said.call, input, caller }];
}

function stopOf({ say, stop }: Extract<Reply, { say: unknown }>): string {
  if (stop) return stop === 'length' ? 'max_tokens' : 'refusal';
  return say.some((one) => 'call' in one || 'computer' in one) ? 'tool_use' : 'end_turn';
}

function typeOf(status: number): string {
  const types: Readonly<Record<number, string>> = {
    401: 'authentication_error',
    404: 'not_found_error',
    429: 'rate_limit_error',
    529: 'overloaded_error',
  };
  return types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}
