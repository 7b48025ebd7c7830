import * as z from 'zod';
import { tool } from './descriptor.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const most = { body: 1_000_000, headers: 200 };

/** HTTP from inside of the sandbox. */
export const httpTools = {
  httpRequest: tool({
    name: 'http_request',
    title: 'Make an HTTP request',
    description:
      'Makes one HTTP request from inside the sandbox, e.g. to a server that was started in a terminal, and returns status, headers and body. A status such as 404 or 500 is a result, not an error.',
    family: 'data',
    where: 'bridge',
    readOnly: false,
    sources: [{ from: 'IDE-Bench', name: 'api_call' }],
    input: z.strictObject({
      method: z.enum(methods).default('GET').describe('of the request'),
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
        .max(most.body)
        .default(200_000)
        .describe('maximum bytes of the body; the connection is closed after that'),
    }),
    output: z.object({
      status: z.int(),
      status_text: z.string().max(1000),
      url: z.string().max(20_000).describe('the address of the answer'),
      redirected: z.boolean(),
      headers: z.record(z.string().max(1000), z.string().max(20_000)).describe('names in lower case'),
      body: z.string().max(Math.ceil(most.body / 3) * 4 + 4),
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
