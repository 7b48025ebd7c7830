import * as z from 'zod';
import { event, piecesOf } from './events.ts';
import { type Protocol, Refusal, refuse, type Reply, type Saying, type Seen } from './server.ts';

const picture = z.string().regex(/^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+=*$/);
const inputText = z.strictObject({ type: z.literal('input_text'), text: z.string() });
const inputImage = z.strictObject({
  type: z.literal('input_image'),
  image_url: picture,
  detail: z.enum(['auto', 'low', 'high', 'original']),
});
const parts = z.array(z.discriminatedUnion('type', [inputText, inputImage])).min(1);
const check = z.strictObject({ id: z.string(), code: z.string().nullish(), message: z.string().nullish() });

const item = z.union([
  z.strictObject({ role: z.literal('user'), content: parts }),
  z.strictObject({
    type: z.literal('message'),
    id: z.string(),
    role: z.literal('assistant'),
    status: z.enum(['completed', 'incomplete']),
    content: z.array(z.looseObject({ type: z.enum(['output_text', 'refusal']) })).min(1),
  }),
  z.strictObject({
    type: z.literal('reasoning'),
    id: z.string(),
    summary: z.array(z.unknown()),
    encrypted_content: z.literal('sealed'),
  }),
  z.strictObject({
    type: z.literal('function_call'),
    id: z.string(),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
    status: z.literal('completed'),
  }),
  z.strictObject({
    type: z.literal('computer_call'),
    id: z.string(),
    call_id: z.string(),
    status: z.literal('completed'),
    action: z.unknown().optional(),
    actions: z.array(z.unknown()).optional(),
    pending_safety_checks: z.array(check),
  }),
  z.strictObject({ type: z.literal('function_call_output'), call_id: z.string(), output: parts }),
  z.strictObject({
    type: z.literal('computer_call_output'),
    call_id: z.string(),
    output: z.strictObject({ type: z.literal('computer_screenshot'), image_url: picture }),
    acknowledged_safety_checks: z.array(check).optional(),
  }),
]);
type Item = z.output<typeof item>;

const body = z.strictObject({
  model: z.string(),
  instructions: z.string(),
  input: z.array(item).min(1),
  tools: z.array(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('computer') }),
      z.strictObject({
        type: z.literal('computer_use_preview'),
        display_width: z.int().positive(),
        display_height: z.int().positive(),
        environment: z.enum(['linux', 'ubuntu', 'windows', 'mac', 'browser']),
      }),
      z.strictObject({
        type: z.literal('function'),
        name: z.string().regex(/^[\w-]{1,64}$/),
        description: z.string(),
        parameters: z.looseObject({ type: z.literal('object') }),
        strict: z.boolean(),
      }),
    ]),
  ),
  max_output_tokens: z.int().min(16),
  store: z.boolean(),
  include: z.array(z.literal('reasoning.encrypted_content')).optional(),
  reasoning: z
    .strictObject({
      summary: z.literal('auto'),
      effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).optional(),
    })
    .optional(),
  temperature: z.number().min(0).max(2).optional(),
  truncation: z.enum(['auto', 'disabled']).optional(),
  stream: z.literal(true).optional(),
});
type Body = z.output<typeof body>;
type Said = Readonly<Record<string, unknown>>;

const models = ['gpt-5.4', 'gpt-4.1', 'computer-use-preview'];

/** OpenAI's Responses API, as far as an agent needs it. */
export const openai: Protocol = {
  check(seen) {
    if (seen.headers.authorization !== 'Bearer right-key')
      throw new Refusal(401, 'Incorrect API key provided: wrong-key');
    if (seen.body === null) {
      if (!models.includes(seen.path.slice('/models/'.length))) throw new Refusal(404, 'no such model');
      return;
    }
    if (seen.path !== '/responses') throw new Refusal(404, `no such path: ${seen.path}`);
    const read = body.safeParse(seen.body);
    if (!read.success) return refuse(z.prettifyError(read.error));
    checkModel(read.data);
    checkItems(read.data.input);
  },
  facts({ body: asked, path }) {
    return asked === null
      ? { id: path.slice('/models/'.length), object: 'model', created: 1, owned_by: 'us' }
      : undefined;
  },
  turn: turnOf,
  events(seen, reply) {
    if ((seen.body as Body).stream !== true) return null;
    return eventsOf(turnOf(seen, reply)).map((one, i) => event({ ...one, sequence_number: i }, one.type));
  },
  errorEvent: (message) => event({ type: 'error', code: 'server_error', message, param: null }, 'error'),
  error: (status, message) => ({
    error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', code: null },
  }),
};

function turnOf({ body: asked }: Pick<Seen, 'body'>, reply: Extract<Reply, { say: unknown }>) {
  const { model, input } = asked as Body;
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model,
    status: reply.stop === 'length' ? 'incomplete' : 'completed',
    incomplete_details: reply.stop === 'length' ? { reason: 'max_output_tokens' } : null,
    error: null,
    output: reply.say.map((said, i) => toItem(said, reply, `${input.length}_${i}`, model)),
    usage: {
      input_tokens: 110,
      input_tokens_details: { cached_tokens: reply.cached ?? 0, cache_write_tokens: 10 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: 130,
    },
  };
}

/** A response in the order and form of the documented stream. */
function eventsOf(response: ReturnType<typeof turnOf>) {
  const begun = { ...response, status: 'in_progress', incomplete_details: null, output: [], usage: null };
  return [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...response.output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: { ...item, ...emptied(item) } },
      ...deltasOf(item).map((one) => ({ ...one, output_index, item_id: item['id'] })),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: `response.${response.status}`, response },
  ];
}

function emptied({ type }: Said): Said {
  if (type === 'message') return { status: 'in_progress', content: [] };
  return type === 'function_call' ? { status: 'in_progress', arguments: '' } : {};
}

function deltasOf({ type, arguments: written, content }: Said): (Said & { readonly type: string })[] {
  if (type === 'function_call')
    return [
      ...piecesOf(String(written)).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        delta,
      })),
      { type: 'response.function_call_arguments.done', arguments: written },
    ];
  if (type !== 'message') return [];
  return (content as Said[]).flatMap(({ text, refusal }, content_index) => {
    const kind = text === undefined ? 'refusal' : 'output_text';
    const pieces = piecesOf(String(text ?? refusal));
    return pieces.map((delta) => ({ type: `response.${kind}.delta`, content_index, delta }));
  });
}

function checkModel({ model, tools, temperature, truncation, reasoning }: Body): void {
  if (!models.includes(model)) throw new Refusal(404, `The model ${model} does not exist`);
  const preview = model === 'computer-use-preview';
  const thinks = model === 'gpt-5.4';
  for (const { type } of tools) {
    if (type === 'computer' && !thinks) refuse(`Tool 'computer' is not supported with ${model}`);
    if (type === 'computer_use_preview' && !preview) refuse(`Tool '${type}' is not supported with ${model}`);
  }
  if (preview && truncation !== 'auto') refuse("truncation must be 'auto' with this model");
  if (thinks && temperature !== undefined) refuse("Unsupported parameter: 'temperature'");
  if (!thinks && reasoning) refuse("Unsupported parameter: 'reasoning'");
}

function checkItems(items: readonly Item[]): void {
  const typed = items.flatMap((one) => ('type' in one ? [one] : []));
  for (const [call, output] of [
    ['function_call', 'function_call_output'],
    ['computer_call', 'computer_call_output'],
  ] as const) {
    const calls = typed.flatMap((one) => (one.type === call ? [one.call_id] : []));
    const outputs = typed.flatMap((one) => (one.type === output ? [one.call_id] : []));
    const missing = calls.find((id) => !outputs.includes(id));
    if (missing !== undefined) refuse(`No tool output found for ${call} ${missing}.`);
    const extra = outputs.find((id) => !calls.includes(id));
    if (extra !== undefined) refuse(`No tool call found for ${output} with call_id ${extra}.`);
  }
  const pending = typed.flatMap((one) => (one.type === 'computer_call' ? one.pending_safety_checks : []));
  const known = typed.flatMap((one) =>
    one.type === 'computer_call_output' ? (one.acknowledged_safety_checks ?? []) : [],
  );
  const open = pending.find(({ id }) => !known.some((one) => one.id === id));
  if (open) refuse(`Computer tool has pending safety check ${open.id}, which must be acknowledged`);
  items.forEach((one, i) => {
    const next = items[i + 1];
    const follows =
      next && 'type' in next && ['message', 'function_call', 'computer_call'].includes(next.type);
    if ('type' in one && one.type === 'reasoning' && !follows)
      refuse(`Item ${one.id} of type 'reasoning' was provided without its required following item.`);
  });
}

function toItem(said: Saying, reply: Extract<Reply, { say: unknown }>, id: string, model: string): Said {
  const status = 'completed';
  if ('thinking' in said)
    return {
      type: 'reasoning',
      id: `rs_${id}`,
      summary: [{ type: 'summary_text', text: said.thinking }],
      encrypted_content: 'sealed',
    };
  if ('text' in said) {
    const part =
      reply.stop === 'refusal'
        ? { type: 'refusal', refusal: said.text }
        : { type: 'output_text', text: said.text, annotations: [] };
    return { type: 'message', id: `msg_${id}`, role: 'assistant', status, content: [part] };
  }
  if ('computer' in said) {
    const checks =
      said.check === undefined ? [] : [{ id: `sc_${id}`, code: 'sensitive', message: said.check }];
    const actions =
      model === 'computer-use-preview' ? { action: said.computer[0] } : { actions: said.computer };
    return {
      type: 'computer_call',
      id: `cu_${id}`,
      call_id: `call_${id}`,
      status,
      ...actions,
      pending_safety_checks: checks,
    };
  }
  const written = 'written' in said ? said.written : JSON.stringify(said.arguments);
  return {
    type: 'function_call',
    id: `fc_${id}`,
    call_id: `call_${id}`,
    name: said.call,
    arguments: written,
    status,
  };
}
