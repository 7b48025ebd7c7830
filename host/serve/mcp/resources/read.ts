import type { ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { agent, type AgentStep } from '../../../../bridge/protocol/index.ts';
import { callTool, readState, reportsOf, requireSight, type IdeState } from '../../../env/index.ts';
import type { Sandbox } from '../../../node/index.ts';
import { pathOf, uris } from './uris.ts';

/** The maximum length of a text, in UTF-16 code units. */
const longest = 500_000;

type Contents = ReadResourceResult['contents'];
type Reader = (uri: string, sandbox: Sandbox, signal: AbortSignal) => Promise<Contents>;

const fixed: Readonly<Record<string, Reader>> = {
  [uris.screen]: readScreen,
  [uris.state]: readWholeState,
  [uris.record]: readRecord,
};

/** The reader of a resource; undefined if it does not exist. It rejects as the sandbox does, or as `read_file`. */
export function readResource(
  uri: string,
): ((sandbox: Sandbox, signal: AbortSignal) => Promise<ReadResourceResult>) | undefined {
  const path = pathOf(uri);
  const read = fixed[uri] ?? (path === undefined ? undefined : readFileAt(path));
  return read && (async (sandbox, signal) => ({ contents: await read(uri, sandbox, signal) }));
}

async function readScreen(uri: string, sandbox: Sandbox, signal: AbortSignal): Promise<Contents> {
  await requireSight(sandbox, signal);
  const { bytes } = await sandbox.picture({ format: 'png', signal });
  return [{ uri, mimeType: 'image/png', blob: Buffer.from(bytes).toString('base64') }];
}

async function readWholeState(uri: string, sandbox: Sandbox, signal: AbortSignal): Promise<Contents> {
  await requireSight(sandbox, signal);
  const state = await readState((method, params) => sandbox.call(method, params, { signal }));
  return stateContents(uri, state);
}

/** If the parts are too long together, leaves out the longest ones, and names them. */
export function stateContents(uri: string, state: IdeState): Contents {
  const parts = Object.entries(state).map(([name, value]) => ({
    name,
    text: JSON.stringify(value) ?? 'null',
  }));
  const leftOut: string[] = [];
  const length = () => parts.reduce((sum, { text }) => sum + text.length, 0);
  while (length() > longest) {
    parts.sort((a, b) => a.text.length - b.text.length);
    leftOut.push(parts.pop()?.name ?? '');
  }
  const kept = Object.fromEntries(parts.map(({ name, text }) => [name, JSON.parse(text) as unknown]));
  return json(uri, leftOut.length === 0 ? kept : { ...kept, leftOut });
}

/** The newest steps that fit. */
async function readRecord(uri: string, sandbox: Sandbox, signal: AbortSignal): Promise<Contents> {
  await requireSight(sandbox, signal);
  await reportsOf(sandbox).idle(signal);
  const { steps } = await sandbox.call(agent.steps, {}, { signal });
  const kept: AgentStep[] = [];
  let room = longest;
  for (const step of steps.toReversed()) {
    room -= JSON.stringify(step).length;
    if (room < 0) break;
    kept.unshift(step);
  }
  return json(uri, { steps: kept, omitted: steps.length - kept.length });
}

function readFileAt(path: string): Reader {
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

function json(uri: string, value: unknown): Contents {
  return [{ uri, mimeType: 'application/json', text: JSON.stringify(value, null, 1) }];
}
