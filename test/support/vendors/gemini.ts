import * as z from 'zod';
import { event, piecesOf } from './events.ts';
import { type Protocol, Refusal, refuse, type Reply, type Saying } from './server.ts';

const inlineData = z.strictObject({
  mimeType: z.enum(['image/png', 'image/jpeg', 'image/webp']),
  data: z.base64().min(1),
});
const functionCall = z.strictObject({
  id: z.string().optional(),
  name: z.string(),
  args: z.record(z.string(), z.unknown()).optional(),
});
const functionResponse = z.strictObject({
  id: z.string().optional(),
  name: z.string().min(1),
  response: z.looseObject({ output: z.string().optional(), error: z.string().optional() }),
  parts: z.array(z.strictObject({ inlineData })).optional(),
});
const said = z.union([
  z.strictObject({ text: z.string(), thought: z.literal(true).optional() }),
  z.strictObject({ functionCall, thoughtSignature: z.literal('signed') }),
]);
const content = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.literal('user'),
    parts: z
      .array(
        z.union([
          z.strictObject({ text: z.string() }),
          z.strictObject({ inlineData }),
          z.strictObject({ functionResponse }),
        ]),
      )
      .min(1),
  }),
  z.strictObject({ role: z.literal('model'), parts: z.array(said).min(1) }),
]);
type Content = z.output<typeof content>;
const body = z.strictObject({
  contents: z.array(content).min(1),
  systemInstruction: z.looseObject({ parts: z.array(z.strictObject({ text: z.string() })) }),
  tools: z
    .array(
      z.union([
        z.strictObject({ computerUse: z.strictObject({ environment: z.literal('ENVIRONMENT_DESKTOP') }) }),
        z.strictObject({
          functionDeclarations: z.array(
            z.strictObject({
              name: z.string(),
              description: z.string(),
              parametersJsonSchema: z.looseObject({ type: z.literal('object') }),
            }),
          ),
        }),
      ]),
    )
    .optional(),
  generationConfig: z.strictObject({
    maxOutputTokens: z.int().positive(),
    temperature: z.number().optional(),
    seed: z.int().optional(),
    thinkingConfig: z
      .strictObject({
        includeThoughts: z.boolean(),
        thinkingBudget: z.int().optional(),
        thinkingLevel: z.enum(['LOW', 'MEDIUM', 'HIGH']).optional(),
      })
      .optional(),
  }),
});

const models = ['gemini-3.5-flash', 'gemini-2.5-pro'];

/** Google's Gemini API, as far as an agent needs it. */
export const gemini: Protocol = {
  check(seen) {
    if (seen.headers['x-goog-api-key'] !== 'right-key')
      throw new Refusal(403, 'API key not valid: wrong-key');
    const [, model = '', verb] = /^\/v1\/models\/([\w.-]+)(?::(\w+))?$/.exec(seen.path) ?? [];
    if (!models.includes(model)) throw new Refusal(404, `models/${model} is not found`);
    if (seen.body === null) return;
    if (verb !== 'generateContent' && verb !== 'streamGenerateContent')
      throw new Refusal(404, `no such path: ${seen.path}`);
    const read = body.safeParse(seen.body);
    if (!read.success) return refuse(z.prettifyError(read.error));
    if (JSON.stringify(read.data.tools ?? []).includes('computerUse') && model === 'gemini-2.5-pro')
      refuse('Computer Use is not enabled for this model');
    checkTurns(read.data.contents);
  },
  facts({ body: asked, path }) {
    return asked === null ? { name: path.slice('/v1/'.length), displayName: 'A model' } : undefined;
  },
  turn: (_, reply) => turnOf(reply),
  events({ path }, reply) {
    return path.endsWith(':streamGenerateContent') ? chunksOf(turnOf(reply)).map((one) => event(one)) : null;
  },
  errorEvent: (message) => event({ error: { code: 503, message, status: 'UNAVAILABLE' } }),
  error: (status, message) => ({ error: { code: status, message, status: 'FAILED' } }),
};

type Said = Extract<Reply, { say: unknown }>;
type Part = Readonly<Record<string, unknown>>;

function turnOf(reply: Said) {
  if (reply.stop === 'refusal')
    return { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 110 } };
  return {
    candidates: [
      {
        index: 0,
        finishReason: reply.stop === 'length' ? 'MAX_TOKENS' : 'STOP',
        content: { role: 'model', parts: reply.say.flatMap((one) => toParts(one, reply)) },
      },
    ],
    usageMetadata: {
      promptTokenCount: 110,
      ...(reply.cached !== undefined && { cachedContentTokenCount: reply.cached }),
      candidatesTokenCount: 15,
      thoughtsTokenCount: 5,
      totalTokenCount: 130,
    },
  };
}

/** An answer in several chunks: each has some parts and the counts so far, and the last one says why it ended. */
function chunksOf({ candidates, ...rest }: ReturnType<typeof turnOf>): object[] {
  if (!candidates) return [rest];
  return candidates.flatMap(({ content, finishReason, index }) => {
    const chunk = (parts: readonly object[], more = {}) => ({
      candidates: [{ content: { role: 'model', parts }, index, ...more }],
      ...rest,
    });
    const parts = content.parts.flatMap((part) => {
      const { text, ...others } = part;
      return typeof text === 'string' ? piecesOf(text).map((piece) => ({ text: piece, ...others })) : [part];
    });
    return [...parts.map((part) => chunk([part])), chunk([{ text: '' }], { finishReason })];
  });
}

function checkTurns(contents: readonly Content[]): void {
  contents.forEach(({ role }, i) => {
    if (role !== (i % 2 === 0 ? 'user' : 'model')) refuse('Please ensure that turns alternate');
  });
  contents.forEach((one, i) => {
    if (one.role !== 'model') return;
    const calls = one.parts.flatMap((part) => ('functionCall' in part ? [part.functionCall] : []));
    const next = contents[i + 1];
    const answers =
      next?.role === 'user'
        ? next.parts.flatMap((part) => ('functionResponse' in part ? [part.functionResponse] : []))
        : [];
    if (calls.map(({ name }) => name).join() !== answers.map(({ name }) => name).join())
      refuse('the number of function response parts must equal that of the function call parts');
    calls.forEach((call, at) => {
      if (call.id !== answers[at]?.id) refuse('function response without the id of its call');
      const asks = JSON.stringify(call.args ?? {}).includes('require_confirmation');
      if (asks && answers[at]?.response['safety_acknowledgement'] !== 'true')
        refuse('safety_acknowledgement is missing');
    });
  });
}

/** Calls have no id in this API, unless several are made at once. */
function toParts(one: Saying, { say }: Said): Part[] {
  if ('text' in one) return [{ text: one.text }];
  if ('thinking' in one) return [{ text: one.thinking, thought: true }];
  const thoughtSignature = 'signed';
  const id = say.length > 1 ? { id: `fc-${say.indexOf(one)}` } : {};
  if ('computer' in one)
    return one.computer.map(({ function: name, ...args }, i) => ({
      functionCall: {
        ...(one.computer.length > 1 ? { id: `fc-${say.indexOf(one)}-${i}` } : id),
        name,
        args: {
          ...args,
          ...(one.check !== undefined && {
            safety_decision: { decision: 'require_confirmation', explanation: one.check },
          }),
        },
      },
      thoughtSignature,
    }));
  return [
    {
      functionCall: { ...id, name: one.call, args: 'arguments' in one ? one.arguments : {} },
      thoughtSignature,
    },
  ];
}
