import * as z from 'zod';
import { event, piecesOf } from './events.ts';
import { type Protocol, Refusal, refuse, type Reply, type Saying, type Seen } from './server.ts';

const part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({
    type: z.literal('image_url'),
    image_url: z.strictObject({ url: z.string().regex(/^data:image\/(png|jpeg|webp);base64,/) }),
  }),
]);
const call = z.strictObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
});
const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.string() }),
  z.strictObject({ role: z.literal('user'), content: z.array(part).min(1) }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string().nullable(),
    reasoning_content: z.string().optional(),
    tool_calls: z.array(call).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string().min(1) }),
]);
type Message = z.output<typeof message>;
const body = z.strictObject({
  model: z.literal('qwen3-vl'),
  messages: z.array(message).min(1),
  max_tokens: z.int().positive(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string(),
          description: z.string(),
          parameters: z.looseObject({ type: z.literal('object') }),
        }),
      }),
    )
    .min(1)
    .optional(),
  temperature: z.number().optional(),
  seed: z.int().optional(),
  reasoning_effort: z.string().optional(),
  stream: z.literal(true).optional(),
  stream_options: z.strictObject({ include_usage: z.literal(true) }).optional(),
});

/** As Mistral's and Groq's servers mostly do: refuses fields that the protocol does not have. */
const strictly = z.array(
  z.looseObject({ reasoning_content: z.undefined('property is unsupported').optional() }),
);

/** A self-hosted server with Chat Completions, which counts no tokens. */
export const chat: Protocol = {
  check(seen) {
    if (seen.headers.authorization === undefined) throw new Refusal(401, 'no key');
    if (seen.body === null) return;
    if (seen.path !== '/chat/completions') throw new Refusal(404, `no such path: ${seen.path}`);
    const read = body.safeParse(seen.body);
    if (!read.success) return refuse(z.prettifyError(read.error));
    checkCalls(read.data.messages);
  },
  facts({ body: asked }) {
    if (asked !== null) return undefined;
    return { object: 'list', data: [{ id: 'qwen3-vl', object: 'model', created: 1, owned_by: 'us' }] };
  },
  turn: turnOf,
  events(seen, reply) {
    if ((seen.body as z.output<typeof body>).stream !== true) return null;
    return [...chunksOf(turnOf(seen, reply)).map((one) => event(one)), event('[DONE]')];
  },
  errorEvent: (message) => event({ error: { message, type: 'server_error', code: 503 } }),
  error: (_, text) => ({ error: { message: text, type: 'error' } }),
};

function turnOf({ body: asked }: Pick<Seen, 'body'>, reply: Extract<Reply, { say: unknown }>) {
  const { messages } = asked as z.output<typeof body>;
  const calls = reply.say.flatMap((said, i) => toCall(said, `call_${messages.length}_${i}`));
  const thought = reply.say.flatMap((said) => ('thinking' in said ? [said.thinking] : []))[0];
  const text = reply.say.flatMap((said) => ('text' in said ? [said.text] : [])).join('\n');
  const finish =
    reply.stop === 'refusal' ? 'content_filter' : (reply.stop ?? (calls.length > 0 ? 'tool_calls' : 'stop'));
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'qwen3-vl',
    choices: [
      {
        index: 0,
        finish_reason: finish,
        message: {
          role: 'assistant',
          content: text === '' ? null : text,
          ...(thought !== undefined && { reasoning_content: thought }),
          ...(calls.length > 0 && { tool_calls: calls }),
        },
      },
    ],
  };
}

/** A completion in chunks, as OpenAI sends them. */
function chunksOf({ choices, ...rest }: ReturnType<typeof turnOf>): object[] {
  const chunk = { ...rest, object: 'chat.completion.chunk' };
  return choices.flatMap(({ message, finish_reason }) => [
    ...deltasOf(message).map((delta) => ({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] })),
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] },
  ]);
}

function deltasOf(message: ReturnType<typeof turnOf>['choices'][number]['message']): object[] {
  const { content, reasoning_content: thought, tool_calls: calls = [] } = message;
  return [
    { role: 'assistant', content: '' },
    ...(thought === undefined ? [] : piecesOf(thought).map((piece) => ({ reasoning_content: piece }))),
    ...(content === null ? [] : piecesOf(content).map((piece) => ({ content: piece }))),
    ...calls.flatMap((call, index) => [
      { tool_calls: [{ ...call, index, function: { ...call.function, arguments: '' } }] },
      ...piecesOf(call.function.arguments).map((piece) => ({
        tool_calls: [{ index, function: { arguments: piece } }],
      })),
    ]),
  ];
}

/** The same for a server that refuses thoughts sent back. */
export const strictChat: Protocol = {
  ...chat,
  check(seen) {
    chat.check(seen);
    if (seen.body === null) return;
    const read = strictly.safeParse((seen.body as z.output<typeof body>).messages);
    if (!read.success) refuse(z.prettifyError(read.error));
  },
};

/** Every call is directly followed by its result, and no result is without a call. */
function checkCalls(messages: readonly Message[]): void {
  let open: string[] = [];
  messages.forEach((one, i) => {
    if (one.role === 'user' && messages[i - 1]?.role === 'user') refuse('Conversation roles must alternate');
    if (one.role === 'assistant' && one.content === null && !one.tool_calls?.length)
      refuse("an assistant message needs 'content' or 'tool_calls'");
  });
  for (const one of messages) {
    if (one.role === 'tool') {
      if (!open.includes(one.tool_call_id)) refuse(`tool message without a call: ${one.tool_call_id}`);
      open = open.filter((id) => id !== one.tool_call_id);
      continue;
    }
    if (open.length > 0)
      refuse(`an assistant message with 'tool_calls' must be followed by tool messages: ${open.join()}`);
    open = one.role === 'assistant' ? (one.tool_calls ?? []).map(({ id }) => id) : [];
  }
  if (open.length > 0) refuse(`calls without a result: ${open.join()}`);
}

function toCall(
  said: Saying,
  id: string,
): { id: string; type: string; function: { name: string; arguments: string } }[] {
  if (!('call' in said)) return [];
  const written = 'written' in said ? said.written : JSON.stringify(said.arguments);
  return [{ id, type: 'function', function: { name: said.call, arguments: written } }];
}
