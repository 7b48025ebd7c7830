import type { ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { agent, type AgentStep } from '../../../../bridge/protocol/index.ts';
import {
  callTool,
  type IdeState,
  readIdeState,
  requireViewRight,
  stepReportsOf,
} from '../../../ide/index.ts';
import type { Sandbox } from '../../../node/index.ts';

/** The resources that always exist. */
export const resourceUris = {
  screen: 'pwp://screen',
  state: 'pwp://state',
  record: 'pwp://record',
} as const;

const filePrefix = 'pwp://file/';

/** A file of the workspace as a resource. */
export function fileUri(path: string): string {
  return filePrefix + path.split('/').map(encodeURIComponent).join('/');
}

/** The path of such a resource; undefined for other URIs. */
function parseFileUri(uri: string): string | undefined {
  if (!uri.startsWith(filePrefix)) return undefined;
  try {
    return decodeURIComponent(uri.slice(filePrefix.length));
  } catch {
    return undefined;
  }
}

/** The maximum length of a text, in UTF-16 code units. */
const longestText = 500_000;

type ResourceContents = ReadResourceResult['contents'];
type ResourceReader = (uri: string, sandbox: Sandbox, signal: AbortSignal) => Promise<ResourceContents>;

const fixedReaders: Readonly<Record<string, ResourceReader>> = {
  [resourceUris.screen]: readScreenResource,
  [resourceUris.state]: readStateResource,
  [resourceUris.record]: readStepsResource,
};

/** The reader of a resource; undefined if it does not exist. It rejects as the sandbox does, or as `read_file`. */
export function readResource(
  uri: string,
): ((sandbox: Sandbox, signal: AbortSignal) => Promise<ReadResourceResult>) | undefined {
  const path = parseFileUri(uri);
  const read = fixedReaders[uri] ?? (path === undefined ? undefined : makeFileReader(path));
  return read && (async (sandbox, signal) => ({ contents: await read(uri, sandbox, signal) }));
}

async function readScreenResource(
  uri: string,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<ResourceContents> {
  await requireViewRight(sandbox, signal);
  const { bytes } = await sandbox.picture({ format: 'png', signal });
  return [{ uri, mimeType: 'image/png', blob: Buffer.from(bytes).toString('base64') }];
}

async function readStateResource(
  uri: string,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<ResourceContents> {
  await requireViewRight(sandbox, signal);
  const state = await readIdeState((method, params) => sandbox.call(method, params, { signal }));
  return stateContents(uri, state);
}

/** If the parts are too long together, leaves out the longest ones, and names them. */
export function stateContents(uri: string, state: IdeState): ResourceContents {
  const parts = Object.entries(state).map(([name, value]) => ({
    name,
    text: JSON.stringify(value) ?? 'null',
  }));
  const leftOut: string[] = [];
  const length = () => parts.reduce((sum, { text }) => sum + text.length, 0);
  while (length() > longestText) {
    parts.sort((a, b) => a.text.length - b.text.length);
    leftOut.push(parts.pop()?.name ?? '');
  }
  const kept = Object.fromEntries(parts.map(({ name, text }) => [name, JSON.parse(text) as unknown]));
  return jsonContents(uri, leftOut.length === 0 ? kept : { ...kept, leftOut });
}

/** The newest steps that fit. */
async function readStepsResource(
  uri: string,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<ResourceContents> {
  await requireViewRight(sandbox, signal);
  await stepReportsOf(sandbox).idle(signal);
  const { steps } = await sandbox.call(agent.steps, {}, { signal });
  const kept: AgentStep[] = [];
  let room = longestText;
  for (const step of steps.toReversed()) {
    room -= JSON.stringify(step).length;
    if (room < 0) break;
    kept.unshift(step);
  }
  return jsonContents(uri, { steps: kept, omitted: steps.length - kept.length });
}

function makeFileReader(path: string): ResourceReader {
  return async (uri, sandbox, signal) => {
    const call = { name: 'read_file', arguments: { path, line_numbers: false } };
    const { result } = await callTool(sandbox, call, { signal });
    const { text, truncated, end_line: last, total_lines: all } = result as FileText;
    const whole = [{ uri, mimeType: 'text/plain', text }];
    if (!truncated) return whole;
    const note = `cut after line ${last} of ${all}: read_file reads on from there`;
    return [...whole, { uri: `${uri}#cut`, mimeType: 'text/plain', text: note }];
  };
}

/** The part of `read_file`'s answer that is used here; it was checked against the tool's schema. */
interface FileText {
  readonly text: string;
  readonly truncated: boolean;
  readonly end_line: number;
  readonly total_lines: number;
}

function jsonContents(uri: string, value: unknown): ResourceContents {
  return [{ uri, mimeType: 'application/json', text: JSON.stringify(value, null, 1) }];
}
