import * as z from 'zod';
import { clip } from '../../text/index.ts';
import { tool } from './descriptor.ts';

const text = z.string().max(20_000);
const selector = z.string().min(1).max(5000).describe('CSS selector; the first match that is visible counts');
const timeout = z
  .int()
  .min(1)
  .max(120_000)
  .optional()
  .describe('maximum milliseconds of this action; default: timeout_ms of the call');

const action = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('goto'),
    url: z
      .url({ protocol: /^(?:https?|data|about)$/ })
      .max(100_000)
      .describe('http, https, data or about:blank'),
    timeout_ms: timeout,
  }),
  z.strictObject({ do: z.literal('click'), selector, timeout_ms: timeout }),
  z.strictObject({
    do: z.literal('type'),
    selector: selector.optional().describe('the field; default: the focused one'),
    text: z.string().max(100_000),
    clear: z.boolean().default(true).describe('clear the field first'),
    timeout_ms: timeout,
  }),
  z.strictObject({
    do: z.literal('press'),
    key: z.string().min(1).max(50).describe('e.g. Enter, Tab, Escape, ArrowDown, or one character'),
    timeout_ms: timeout,
  }),
  z.strictObject({
    do: z.literal('select'),
    selector,
    value: z.string().max(1000).describe("an option's value or label"),
    timeout_ms: timeout,
  }),
  z.strictObject({
    do: z.literal('wait'),
    selector: selector.optional(),
    text: z.string().min(1).max(5000).optional().describe('a part of the text on the page, or in the match'),
    gone: z.boolean().default(false).describe('wait until it is gone'),
    timeout_ms: timeout,
  }),
  z.strictObject({
    do: z.literal('read'),
    selector: selector.optional().describe('default: the whole page'),
    what: z.enum(['text', 'value', 'html', 'count', 'visible']).default('text'),
    timeout_ms: timeout,
  }),
  z.strictObject({
    do: z.literal('screenshot'),
    selector: selector.optional().describe('default: the active one'),
    timeout_ms: timeout,
  }),
]);
export type BrowserAction = z.output<typeof action>;

const done = z.object({
  do: z.string().max(20),
  ok: z.boolean(),
  value: text.nullable().describe('what was read'),
  clipped: z.boolean().describe('the value is longer'),
  error: text.nullable(),
  duration_ms: z.number().nonnegative(),
});

/** A browser beside the IDE's. */
export const browserTools = {
  browserTest: tool({
    name: 'browser_test',
    title: 'Test a page in a browser',
    description:
      'Drives a page in a headless browser inside the sandbox: go to an address, click, type, press keys, select, wait, read, take pictures. Actions run in order and stop at the first that fails. Errors on the page’s console are reported. With keep, the page stays open for the next call.',
    family: 'data',
    where: 'bridge',
    readOnly: false,
    sources: [{ from: 'IDE-Bench', name: 'ui_test' }],
    input: z.strictObject({
      actions: z.array(action).max(100).describe('run in this order'),
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
      actions: z.array(done).max(100).describe('as far as it was received'),
      failed: z
        .int()
        .nonnegative()
        .nullable()
        .describe('index of the action that failed; null: all were done'),
      url: text.describe('of the page at the end'),
      title: text,
      errors: z
        .array(z.object({ kind: z.enum(['console', 'exception', 'network', 'dialog']), text }))
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
