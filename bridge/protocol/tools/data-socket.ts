import * as z from 'zod';
import { tool } from './descriptor.ts';

const most = { messages: 500, text: 100_000 };
const text = z.string().max(most.text);

const outgoing = z.strictObject({
  text: text.optional().describe('websocket: what to send; JSON has to be written out'),
  event: z.string().min(1).max(500).optional().describe("socket.io: the event's name"),
  data: z.array(z.unknown()).max(50).default([]).describe("socket.io: the event's arguments"),
});

const incoming = z.object({
  at_ms: z.number().nonnegative().describe('since the connection stood'),
  kind: z.enum(['text', 'binary', 'event']),
  event: z.string().max(500).nullable().describe("socket.io: the event's name"),
  text: text.describe(
    'text; of an event its arguments as JSON, bytes in them as {"base64": …}; binary as base64',
  ),
  clipped: z.boolean().describe('the message is longer'),
});

/** WebSocket and Socket.IO from inside of the sandbox. */
export const socketTools = {
  websocketTest: tool({
    name: 'websocket_test',
    title: 'Test a WebSocket server',
    description:
      'Connects to a WebSocket or Socket.IO server from inside the sandbox, sends messages, and collects what comes until enough has come, one fits a pattern, the server closes, or the time is over. Socket.IO is spoken in version 4 of its protocol (servers 3 and 4) over WebSocket; bytes in its events come as base64, and none can be sent.',
    family: 'data',
    where: 'bridge',
    readOnly: false,
    sources: [{ from: 'IDE-Bench', name: 'websocket_test' }],
    input: z.strictObject({
      url: z
        .url({ protocol: /^(?:ws|http)s?$/ })
        .max(20_000)
        .describe(
          'ws, wss, http or https; socket.io: a path of its own is the one that the server listens at',
        ),
      protocol: z.enum(['websocket', 'socket.io']).default('websocket').describe('what the server speaks'),
      namespace: z
        .string()
        .regex(/^\/[^,?]{0,200}$/)
        .default('/')
        .describe('socket.io: which namespace to join'),
      subprotocols: z.array(z.string().min(1).max(200)).max(10).default([]).describe('offered to the server'),
      headers: z
        .record(z.string().min(1).max(200), z.string().max(20_000))
        .default({})
        .describe('of the request'),
      send: z.array(outgoing).max(100).default([]).describe('sent in this order once the connection is open'),
      count: z
        .int()
        .min(0)
        .max(most.messages)
        .optional()
        .describe('messages that are enough; 0: only send; default: all that come until the time is over'),
      until: z.string().max(1000).optional().describe('regular expression: a message that fits is the last'),
      timeout_ms: z
        .int()
        .min(1)
        .max(300_000)
        .default(5000)
        .describe('milliseconds to connect, send and collect'),
    }),
    output: z.object({
      messages: z.array(incoming).max(most.messages),
      sent: z.int().nonnegative(),
      subprotocol: z.string().max(200).describe('that the server chose; else empty'),
      ended: z
        .enum(['count', 'match', 'time', 'closed', 'full'])
        .describe('why it stopped; full: more came than an answer holds'),
      close: z
        .object({ code: z.int(), reason: z.string().max(1000) })
        .nullable()
        .describe('what the server closed with; null where it did not'),
      unread: z
        .int()
        .nonnegative()
        .describe(
          'socket.io: packets that are no events, such as acknowledgements and those of other namespaces',
        ),
      expected: z.boolean().describe('false: count or until was asked for and did not come'),
      duration_ms: z.number().nonnegative(),
    }),
    text: ({ messages, sent, ended, close }) =>
      [
        `sent ${sent}, received ${messages.length}; ended: ${ended}${close ? ` (${close.code} ${close.reason})` : ''}`,
        ...messages.map((one) => `${Math.round(one.at_ms)} ms ${one.event ?? one.kind}: ${one.text}`),
      ].join('\n'),
    effect: ({ messages, sent, ended, expected }) => ({
      effect: expected ? 'confirmed' : 'partial',
      evidence: `sent ${sent}, received ${messages.length}; ended: ${ended}`,
    }),
  }),
};
