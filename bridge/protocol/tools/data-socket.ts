import * as z from 'zod';
import { tool } from './descriptor.ts';

const most = { messages: 500, text: 100_000 };
const text = z.string().max(most.text);

const outgoing = z.strictObject({
  text: text.optional().describe('websocket: the text to send; write JSON as text'),
  event: z.string().min(1).max(500).optional().describe("socket.io: the event's name"),
  data: z.array(z.unknown()).max(50).default([]).describe("socket.io: the event's arguments"),
});

const incoming = z.object({
  at_ms: z.number().nonnegative().describe('since the connection was open'),
  kind: z.enum(['text', 'binary', 'event']),
  event: z.string().max(500).nullable().describe("socket.io: the event's name"),
  text: text.describe(
    'text; for an event, its arguments as JSON, with bytes as {"base64": …}; binary as base64',
  ),
  clipped: z.boolean().describe('the message is longer'),
});

/** WebSocket and Socket.IO from inside of the sandbox. */
export const socketTools = {
  websocketTest: tool({
    name: 'websocket_test',
    title: 'Test a WebSocket server',
    description:
      "Connects to a WebSocket or Socket.IO server from inside the sandbox, sends messages, and collects the messages received until there are enough, one matches a pattern, the server closes, or the time is over. Supports version 4 of the Socket.IO protocol (servers 3 and 4) over WebSocket. Bytes in received events are returned as base64; bytes can't be sent.",
    family: 'data',
    where: 'bridge',
    readOnly: false,
    sources: [{ from: 'IDE-Bench', name: 'websocket_test' }],
    input: z.strictObject({
      url: z
        .url({ protocol: /^(?:ws|http)s?$/ })
        .max(20_000)
        .describe('ws, wss, http or https; for socket.io, a path is the one that the server listens on'),
      protocol: z.enum(['websocket', 'socket.io']).default('websocket').describe("the server's protocol"),
      namespace: z
        .string()
        .regex(/^\/[^,?]{0,200}$/)
        .default('/')
        .describe('socket.io: the namespace to join'),
      subprotocols: z
        .array(z.string().min(1).max(200))
        .max(10)
        .default([])
        .describe('subprotocols offered to the server'),
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
        .describe('number of messages to wait for; 0: only send; default: collect until the time is over'),
      until: z.string().max(1000).optional().describe('regular expression: stop at a message that matches'),
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
      subprotocol: z.string().max(200).describe('the subprotocol that the server chose; else empty'),
      ended: z
        .enum(['count', 'match', 'time', 'closed', 'full'])
        .describe('why it stopped; full: more was received than fits into an answer'),
      close: z
        .object({ code: z.int(), reason: z.string().max(1000) })
        .nullable()
        .describe("the server's close code; null if it did not close"),
      unread: z
        .int()
        .nonnegative()
        .describe(
          'socket.io: packets that are not events, such as acknowledgements and those of other namespaces',
        ),
      expected: z.boolean().describe('false: count or until was given and not reached'),
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
