import { readFile, readdir, readlink } from 'node:fs/promises';
import { PwpError, deadline, poll } from '../../../../bridge/lib/index.ts';
import { processesOf } from '../cgroup.ts';

/** Time for other processes to end their work on a sandbox before they let go of it. In milliseconds. */
const closingMs = 10_000;
/**
 * The same before a restore: as long as a request that waits, plus some other work. A bridge that hangs never lets go.
 */
const graceMs = 1000;
const againMs = 5;
/** Inside, the folder of all sockets that outside processes connect to. */
const desk = '/desk/';
const connected = '03';

/**
 * Waits until no process outside a sandbox is connected to a Unix socket in it: a dump can't hold half a connection.
 * Errors: `checkpoint-failed` if one stays connected, e.g. another process that has opened the sandbox.
 */
export async function awaitNobodyOutside(id: string, signal: AbortSignal): Promise<void> {
  try {
    await awaitNone(id, closingMs, signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new PwpError('checkpoint-failed', 'another process is connected to the sandbox', {
      help: 'It did not disconnect in time: end every other program that drives or watches this sandbox, then try again. If there is no such program, the bridge hangs: restore an earlier checkpoint.',
      cause,
    });
  }
}

/** Before a restore, which ends all connections in any case: processes that let go in time lose no answer. */
export async function letOthersGo(id: string, signal: AbortSignal): Promise<void> {
  await awaitNone(id, graceMs, signal).catch(() => signal.throwIfAborted());
}

async function awaitNone(id: string, mostMs: number, signal: AbortSignal): Promise<void> {
  using limit = deadline('the end of connections', mostMs, signal);
  const probe = async () => {
    const there = await connectedFromOutside(id);
    if (there.length === 0) return { done: true, value: undefined } as const;
    return { done: false, saw: there.join(', ') } as const;
  };
  await poll('the end of connections from outside', probe, { intervalMs: againMs, signal: limit.signal });
}

/**
 * Paths, as seen inside, of the sockets that outside processes are connected to; once for each connection. The kernel
 * counts the sandbox's end of a connection to the network namespace of the process that has connected: it is in our
 * table, and CRIU, which looks into the sandbox's, would not find it.
 */
export async function connectedFromOutside(id: string): Promise<string[]> {
  const accepted = acceptedIn(await readFile('/proc/self/net/unix', 'utf8'));
  if (accepted.size === 0) return [];
  const held = (await Promise.all((await processesOf(id)).map(socketsOf))).flat();
  return held.flatMap((socket) => accepted.get(socket) ?? []);
}

/** Number and path of each connected end inside any sandbox, from a table of `/proc/net/unix`. */
export function acceptedIn(table: string): Map<string, string> {
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/));
  return new Map(
    rows.flatMap(([, , , , , state, socket, path]) =>
      state === connected && socket !== undefined && path?.startsWith(desk) ? [[socket, path]] : [],
    ),
  );
}

/** Empty for a process that has ended meanwhile. */
async function socketsOf(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
}
