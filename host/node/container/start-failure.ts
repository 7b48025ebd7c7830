import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import type { Usage } from '../../../bridge/protocol/index.ts';
import { takeLastLines } from './command.ts';
import { readTailInside } from './files-inside.ts';
import { explainWatcherFailure } from './kernel-limits.ts';
import type { SandboxPaths } from './sandbox-record.ts';

/** Log files that are looked at: a sandbox may write any number of them. */
const maxLogs = 10;
/** Bytes that are read from the end of each log. */
const maxLogBytes = 4000;
const maxLogLines = 8;

/** The error for a sandbox that did not start: the reason, the limits that it hit, and the last lines of its logs. */
export async function explainSandboxFailure(
  id: string,
  { desk, shared }: Pick<SandboxPaths, 'desk' | 'shared'>,
  cause: unknown,
  usage: Usage | null,
): Promise<PwpError> {
  const logs = [...(await readLastLogs(desk)), ...(await readLastLogs(shared))];
  const help = await explainWatcherFailure(logs.join('\n'));
  return new PwpError(
    'sandbox-failed',
    [`sandbox ${id} is not ready: ${describeError(cause)}`, ...describeLimitsHit(usage), ...logs].join('\n'),
    { cause, ...(help !== undefined && { help }) },
  );
}

/** Many sandboxes that start well are throttled by the limit of cores, so that limit is left out. */
function describeLimitsHit(usage: Usage | null): string[] {
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
async function readLastLogs(shared: string): Promise<string[]> {
  const names = await readdir(join(shared, 'log')).catch(() => []);
  const logs = names.filter((name) => name.endsWith('.log')).sort();
  const texts = logs.slice(0, maxLogs).map(async (name) => {
    const bytes = await readTailInside(shared, `/log/${name}`, maxLogBytes).catch(() => null);
    const text = takeLastLines(bytes ? Buffer.from(bytes).toString('utf8') : '', maxLogLines);
    return text && `--- ${name}\n${text}`;
  });
  return (await Promise.all(texts)).filter(Boolean);
}

/** Without any of these in the lowest layer nothing starts. */
const essential = ['usr/bin/bash', 'usr/bin/env', 'usr/lib', 'bin', 'lib'];

/**
 * Why nothing starts from these layers where parts of them were removed, e.g. by a clean-up of cache folders; else the
 * cause itself. Errors it makes: `image-missing`.
 * @param layers topmost first
 */
export async function explainImageDamage(layers: readonly string[], cause: unknown): Promise<unknown> {
  const lowest = layers.at(-1) ?? '';
  const paths = [...layers, ...essential.map((name) => join(lowest, name))];
  for (const path of paths) {
    if (await hasContent(path)) continue;
    return new PwpError(
      'image-missing',
      `the cache of sandbox images is damaged: there is nothing at ${path}`,
      {
        help: `Remove ${dirname(layers.find((layer) => path.startsWith(layer)) ?? path)} and run: pwp images build`,
        cause,
      },
    );
  }
  return cause;
}

async function hasContent(path: string): Promise<boolean> {
  const info = await lstat(path).catch(() => undefined);
  if (!info?.isDirectory()) return info !== undefined;
  return (await readdir(path)).length > 0;
}
