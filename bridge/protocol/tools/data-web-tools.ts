import * as z from 'zod';
import { clip } from '../../text/index.ts';
import { defineTool } from './tool.ts';

const browserText = z.string().max(20_000);
const selector = z.string().min(1).max(5000).describe('CSS selector; the first match that is visible counts');
const actionTimeout = z
  .int()
  .min(1)
  .max(120_000)
  .optional()
  .describe('maximum milliseconds of this action; default: timeout_ms of the call');

const browserAction = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('goto'),
    url: z
      .url({ protocol: /^(?:https?|data|about)$/ })
      .max(100_000)
      .describe('http, https, data or about:blank'),
    timeout_ms: actionTimeout,
  }),
  z.strictObject({ do: z.literal('click'), selector, timeout_ms: actionTimeout }),
  z.strictObject({
    do: z.literal('type'),
    selector: selector.optional().describe('the field; default: the focused one'),
    text: z.string().max(100_000),
    clear: z.boolean().default(true).describe('clear the field first'),
    timeout_ms: actionTimeout,
  }),
  z.strictObject({
    do: z.literal('press'),
    key: z.string().min(1).max(50).describe('e.g. Enter, Tab, Escape, ArrowDown, or one character'),
    timeout_ms: actionTimeout,
  }),
  z.strictObject({
    do: z.literal('select'),
    selector,
    value: z.string().max(1000).describe("an option's value or label"),
    timeout_ms: actionTimeout,
  }),
  z.strictObject({
    do: z.literal('wait'),
    selector: selector.optional(),
    text: z.string().min(1).max(5000).optional().describe('a part of the text on the page, or in the match'),
    gone: z.boolean().default(false).describe('wait until it is gone'),
    timeout_ms: actionTimeout,
  }),
  z.strictObject({
    do: z.literal('read'),
    selector: selector.optional().describe('default: the whole page'),
    what: z.enum(['text', 'value', 'html', 'count', 'visible']).default('text'),
    timeout_ms: actionTimeout,
  }),
  z.strictObject({
    do: z.literal('screenshot'),
    selector: selector.optional().describe('default: the active one'),
    timeout_ms: actionTimeout,
  }),
]);

const finishedAction = z.object({
  do: z.string().max(20),
  ok: z.boolean(),
  value: browserText.nullable().describe('what was read'),
  clipped: z.boolean().describe('the value is longer'),
  error: browserText.nullable(),
  duration_ms: z.number().nonnegative(),
});

/** A browser beside the IDE's. */
export const browserTools = {
  browserTest: defineTool({
    name: 'browser_test',
    title: 'Test a page in a browser',
    description:
      'Drives a page in a headless browser inside the sandbox: go to an address, click, type, press keys, select, wait, read, take pictures. Actions run in order and stop at the first that fails. Errors on the page’s console are reported. With keep, the page stays open for the next call.',
    family: 'data',
    where: 'bridge',
    readOnly: false,
    sources: [{ from: 'IDE-Bench', name: 'ui_test' }],
    input: z.strictObject({
      actions: z.array(browserAction).max(100).describe('run in this order'),
      keep: z
        .boolean()
        .default(false)
        .describe(
          'leave the page open for the next call, which continues with it; otherwise the browser is closed',
        ),
      width: z.int().min(100).max(4000).default(1280).describe('of the window in pixels'),
      height: z.int().min(100).max(4000).default(800).describe('of the window in pixels'),
      timeout_ms: z.int().min(1).max(120_000).default(10_000).describe('maximum milliseconds of one action'),
    }),
    output: z.object({
      actions: z.array(finishedAction).max(100).describe('as far as it was received'),
      failed: z
        .int()
        .nonnegative()
        .nullable()
        .describe('index of the action that failed; null: all were done'),
      url: browserText.describe('of the page at the end'),
      title: browserText,
      errors: z
        .array(z.object({ kind: z.enum(['console', 'exception', 'network', 'dialog']), text: browserText }))
        .max(100)
        .describe('errors and warnings of the console, exceptions, requests that failed, dialogs (accepted)'),
      omitted: z.int().nonnegative().describe('number of errors beyond the limit'),
      kept: z.boolean().describe('the page stays for the next call'),
    }),
    text: ({ actions, failed, url, title, errors }) =>
      [
        failed === null
          ? `all ${actions.length} actions done`
          : `action ${failed} failed, the others were not done`,
        ...actions.map((one, at) => `${at} ${one.do}: ${one.error ?? one.value ?? 'done'}`),
        `page: ${url} ${JSON.stringify(title)}`,
        ...errors.map((one) => `${one.kind}: ${one.text}`),
      ].join('\n'),
    effect: ({ actions, failed }) => ({
      effect: failed === null ? 'confirmed' : failed === 0 ? 'no-effect' : 'partial',
      evidence:
        failed === null
          ? `all ${actions.length} actions done`
          : `action ${failed} failed: ${clip(actions[failed]?.error ?? '', 300)}`,
    }),
  }),
};

const httpVerbs = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const maxHttp = { body: 1_000_000, headers: 200 };

/** HTTP from inside of the sandbox. */
export const httpTools = {
  httpRequest: defineTool({
    name: 'http_request',
    title: 'Make an HTTP request',
    description:
      'Makes one HTTP request from inside the sandbox, e.g. to a server that was started in a terminal, and returns status, headers and body. A status such as 404 or 500 is a result, not an error.',
    family: 'data',
    where: 'bridge',
    readOnly: false,
    sources: [{ from: 'IDE-Bench', name: 'api_call' }],
    input: z.strictObject({
      method: z.enum(httpVerbs).default('GET').describe('of the request'),
      url: z
        .url({ protocol: /^https?$/ })
        .max(20_000)
        .describe('http or https, e.g. http://127.0.0.1:8000/users'),
      headers: z.record(z.string().min(1).max(200), z.string().max(20_000)).default({}).describe('by name'),
      body: z
        .unknown()
        .optional()
        .describe(
          'text is sent as it is; anything else as JSON, with that content type unless a header says another',
        ),
      follow_redirects: z.boolean().default(true).describe('follow redirects, at most 20'),
      timeout_ms: z
        .int()
        .min(1)
        .max(300_000)
        .default(30_000)
        .describe('maximum milliseconds until the whole answer has arrived'),
      max_bytes: z
        .int()
        .min(0)
        .max(maxHttp.body)
        .default(200_000)
        .describe('maximum bytes of the body; the connection is closed after that'),
    }),
    output: z.object({
      status: z.int(),
      status_text: z.string().max(1000),
      url: z.string().max(20_000).describe('the address of the answer'),
      redirected: z.boolean(),
      headers: z.record(z.string().max(1000), z.string().max(20_000)).describe('names in lower case'),
      body: z.string().max(Math.ceil(maxHttp.body / 3) * 4 + 4),
      encoding: z.enum(['text', 'base64']).describe('encoding of body: base64 if it is not UTF-8 text'),
      bytes: z.int().nonnegative().describe('of the body, as far as it was read'),
      truncated: z.boolean().describe('the body is longer'),
      complete: z.boolean().describe('false: the server ended the connection in the middle of the body'),
      duration_ms: z.number().nonnegative(),
    }),
    text: (answer) => {
      const kind = answer.headers['content-type'] ?? 'no content type';
      const cut = answer.truncated ? ', cut here' : answer.complete ? '' : ', ended early';
      return `${answer.status} ${answer.status_text} (${kind}; ${answer.bytes} bytes${cut})\n${answer.body}`;
    },
    effect: ({ status, complete }) => ({
      effect: complete ? 'confirmed' : 'partial',
      evidence: `the server answered ${status}${complete ? '' : ' and broke off'}`,
    }),
  }),
};

const maxSocket = { messages: 500, text: 100_000 };
const socketText = z.string().max(maxSocket.text);

const outgoingMessage = z.strictObject({
  text: socketText.optional().describe('websocket: the text to send; write JSON as text'),
  event: z.string().min(1).max(500).optional().describe("socket.io: the event's name"),
  data: z.array(z.unknown()).max(50).default([]).describe("socket.io: the event's arguments"),
});

const incomingMessage = z.object({
  at_ms: z.number().nonnegative().describe('since the connection was open'),
  kind: z.enum(['text', 'binary', 'event']),
  event: z.string().max(500).nullable().describe("socket.io: the event's name"),
  text: socketText.describe(
    'text; for an event, its arguments as JSON, with bytes as {"base64": …}; binary as base64',
  ),
  clipped: z.boolean().describe('the message is longer'),
});

/** WebSocket and Socket.IO from inside of the sandbox. */
export const socketTools = {
  websocketTest: defineTool({
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
      send: z
        .array(outgoingMessage)
        .max(100)
        .default([])
        .describe('sent in this order once the connection is open'),
      count: z
        .int()
        .min(0)
        .max(maxSocket.messages)
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
      messages: z.array(incomingMessage).max(maxSocket.messages),
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
