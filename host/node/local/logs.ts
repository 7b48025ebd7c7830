import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError, messageOf } from '../../../bridge/lib/index.ts';
import type { Usage } from '../node.ts';
import { tailInside } from './inside.ts';
import type { SandboxPaths } from './paths.ts';
import { lastLines } from './run.ts';
import { watchersHelp } from './watch-limits.ts';

/** Log files that are looked at: a sandbox may write any number of them. */
const maxLogs = 10;
/** Bytes that are read from the end of each log. */
const maxBytes = 4000;
const maxLines = 8;

/** The error for a sandbox that did not start: the reason, the limits that it hit, and the last lines of its logs. */
export async function sandboxFailed(
  id: string,
  { desk, shared }: Pick<SandboxPaths, 'desk' | 'shared'>,
  cause: unknown,
  usage: Usage | null,
): Promise<PwpError> {
  const logs = [...(await lastLogs(desk)), ...(await lastLogs(shared))];
  const help = await watchersHelp(logs.join('\n'));
  return new PwpError(
    'sandbox-failed',
    [`sandbox ${id} is not ready: ${messageOf(cause)}`, ...limitsHit(usage), ...logs].join('\n'),
    { cause, ...(help !== undefined && { help }) },
  );
}

/** Many sandboxes that start well are throttled by the limit of cores, so that limit is left out. */
function limitsHit(usage: Usage | null): string[] {
  if (!usage) return [];
  const { memory, pids, disk } = usage.hits;
  const texts = [
    memory > 0 && `it hit its limit of memory (${memory} processes were ended)`,
    pids > 0 && `it hit its limit of processes (${pids} were refused)`,
    disk > 0 && 'its disk is full',
  ];
  return texts.filter((text) => text !== false);
}

/** The last lines of every log in a folder that is shared with a sandbox. Only detail: unreadable logs are left out. */
async function lastLogs(shared: string): Promise<string[]> {
  const names = await readdir(join(shared, 'log')).catch(() => []);
  const logs = names.filter((name) => name.endsWith('.log')).sort();
  const texts = logs.slice(0, maxLogs).map(async (name) => {
    const bytes = await tailInside(shared, `/log/${name}`, maxBytes).catch(() => null);
    const text = lastLines(bytes ? Buffer.from(bytes).toString('utf8') : '', maxLines);
    return text && `--- ${name}\n${text}`;
  });
  return (await Promise.all(texts)).filter(Boolean);
}
