import * as z from 'zod';
import { absentTool, adaptTool, longText, pathText, type SetTool } from './tool-set.ts';

const timeoutField = z
  .number()
  .positive()
  .max(120_000)
  .optional()
  .describe('seconds that it may take; more than 120: milliseconds');
/** The address at which its agents start the server of a task. */
const serverAddress = 'http://127.0.0.1:3000';

/** Its names for MongoDB operations, in lower case without underscores. */
const queryNames: Readonly<Record<string, string>> = {
  find: 'find',
  findone: 'find_one',
  count: 'count',
  countdocuments: 'count',
  distinct: 'distinct',
  aggregate: 'aggregate',
};

/** Its agents' names for actions of a browser. */
const browserActs: Readonly<Record<string, string>> = {
  navigate: 'goto',
  goto: 'goto',
  open: 'goto',
  visit: 'goto',
  click: 'click',
  type: 'type',
  fill: 'type',
  input: 'type',
  press: 'press',
  read: 'read',
  get_text: 'read',
  wait: 'wait',
  wait_for: 'wait',
  wait_for_element: 'wait',
  wait_for_selector: 'wait',
  screenshot: 'screenshot',
};

interface UiTest {
  readonly action: string;
  readonly selector?: string | undefined;
  readonly text?: string | undefined;
  readonly url?: string | undefined;
  readonly timeout?: number | undefined;
}

/** Tools of IDE-Bench that run programs, or talk to running ones. */
export const runningTools: readonly SetTool[] = [
  adaptTool(
    'run_terminal_cmd',
    'Runs a command in a terminal: 120 seconds at most in the foreground, or in the background.',
    'run_terminal_cmd',
    {
      command: z.string().min(1).max(100_000).describe('run by bash in the workspace'),
      is_background: z.boolean().describe('answer at once; the command keeps running'),
    },
    ({ command, is_background: background }) => ({ command, is_background: background }),
  ),
  adaptTool(
    'edit_notebook',
    'Changes a cell of a notebook, or adds one.',
    'edit_notebook',
    {
      target_notebook: pathText.describe('the notebook'),
      cell_idx: z.int().nonnegative().describe('from 0'),
      is_new_cell: z.boolean().describe('add a cell there'),
      cell_language: z.string().max(100).describe('e.g. python, markdown'),
      old_string: longText.describe('exactly as in the cell; empty for a new one'),
      new_string: longText.describe('instead of it'),
    },
    ({ target_notebook: where, cell_idx: cell, is_new_cell: added, cell_language: language, ...rest }) => ({
      path: where,
      cell,
      new_cell: added,
      language,
      old_string: rest.old_string,
      new_string: rest.new_string,
    }),
  ),
  adaptTool(
    'api_call',
    'Makes an HTTP request from inside the sandbox.',
    'http_request',
    {
      method: z.string().max(20).describe('e.g. GET'),
      url: z.string().min(1).max(20_000).describe(`where to; a path is of ${serverAddress}`),
      headers: z.record(z.string(), z.string()).optional().describe('by name'),
      body: z.unknown().optional().describe('text, or JSON'),
    },
    ({ method, url, headers, body }) => ({
      method: method.toUpperCase(),
      url: toAbsoluteUrl(url),
      headers,
      body: body ?? undefined,
    }),
  ),
  adaptTool(
    'database_query',
    "Asks the task's MongoDB; reading only: find, find_one, count, distinct, aggregate.",
    'mongo_query',
    {
      query_type: z.string().max(100).describe('find, find_one, count, distinct or aggregate'),
      collection: z.string().max(500).describe('its name'),
      query: z.unknown().optional().describe('the filter, or the stages of an aggregation'),
      data: z.unknown().optional().describe('distinct: the name of the field'),
    },
    ({ query_type: type, collection, query, data }) => ({
      query_type: queryNames[type.toLowerCase().replaceAll('_', '')] ?? type,
      collection,
      query: query ?? undefined,
      field: typeof data === 'string' ? data : undefined,
    }),
  ),
  adaptTool(
    'websocket_test',
    'Connects to a WebSocket or Socket.IO server, sends and listens. Each call opens a new connection.',
    'websocket_test',
    {
      action: z.enum(['connect', 'emit', 'listen']).optional().describe('what to do; default: listen'),
      url: z.string().max(20_000).describe('of the server: ws for WebSocket, http for Socket.IO'),
      event: z.string().max(500).optional().describe("Socket.IO: the event's name"),
      data: z.unknown().optional().describe('what to send'),
      timeout: timeoutField,
    },
    ({ action, url, event, data, timeout: ms }) => ({
      url,
      protocol: url.startsWith('http') ? 'socket.io' : 'websocket',
      send: action === 'emit' ? [socketMessage(event, data)] : [],
      count: action === 'connect' ? 0 : undefined,
      timeout_ms: toMilliseconds(ms),
    }),
  ),
  adaptTool(
    'ui_test',
    'Drives a page in a browser, which stays for the next call: navigate, click, type, press, read, wait, screenshot.',
    'browser_test',
    {
      action: z.string().max(100).describe('navigate, click, type, press, read, wait or screenshot'),
      selector: z.string().max(5000).optional().describe('CSS selector'),
      text: z
        .string()
        .max(100_000)
        .optional()
        .describe('what to type, the key to press, or what to wait for'),
      url: z.string().max(20_000).optional().describe('of the page; with another action: go there first'),
      timeout: timeoutField,
    },
    (input) => ({
      actions: readActions(input),
      keep: true,
      timeout_ms: toMilliseconds(input.timeout),
    }),
  ),
  adaptTool(
    'create_diagram',
    'Draws a Mermaid diagram and shows it.',
    'preview_diagram',
    { content: z.string().min(1).max(1_000_000).describe('Mermaid source') },
    ({ content }) => ({ source: stripFence(content) }),
  ),
  absentTool(
    'web_search',
    'Searches the web.',
    { search_term: z.string().max(5000).describe('what to look for') },
    'a sandbox has no network in an evaluation; use what is in the workspace',
  ),
];

/** Its agents count in seconds; a value of more than two minutes is meant in milliseconds. */
function toMilliseconds(timeout: number | undefined): number | undefined {
  if (timeout === undefined) return undefined;
  return Math.ceil(timeout > 120 ? timeout : timeout * 1000);
}

/** A path is one of the task's own server. */
function toAbsoluteUrl(url: string): string {
  return /^[a-z][a-z\d+.-]*:/i.test(url) ? url : `${serverAddress}${url.startsWith('/') ? '' : '/'}${url}`;
}

/** Its agents write Mermaid as in Markdown, or bare. */
function stripFence(content: string): string {
  return (
    /^\s*(`{3,}|~{3,})[ \t]*mermaid[ \t]*\r?\n([\s\S]*?)\r?\n[ \t]*\1\s*$/i.exec(content)?.[2] ?? content
  );
}

function socketMessage(event: string | undefined, data: unknown): object {
  if (event !== undefined) return { event, data: data === undefined ? [] : [data] };
  return { text: typeof data === 'string' ? data : JSON.stringify(data ?? null) };
}

/** An action that the registry does not know is passed on: the registry's error lists the valid ones. */
function readActions({ action, selector, text: given, url }: UiTest): object[] {
  const act = browserActs[action.toLowerCase()] ?? action;
  const first = url === undefined ? [] : [{ do: 'goto', url }];
  if (act === 'goto') return url === undefined ? [{ do: 'goto' }] : first;
  const named = selector === undefined ? {} : { selector };
  const words = given === undefined ? {} : { text: given };
  if (act === 'press') return [...first, { do: act, ...(given !== undefined && { key: given }) }];
  const withText = act === 'type' || act === 'wait';
  return [...first, { do: act, ...named, ...(withText && words) }];
}
