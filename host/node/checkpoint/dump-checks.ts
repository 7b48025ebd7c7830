import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { readProcessStat } from '../../lib/index.ts';
import { listProcessIds } from '../container/index.ts';

/**
 * Refuses a live checkpoint while a process of the sandbox is traced by another, as debuggers of machine code and strace
 * do: CRIU traces all of them itself, and the kernel allows one tracer for each. It would try for half a minute first.
 * Errors: `checkpoint-failed`.
 */
export async function requireNoTracedProcess(id: string): Promise<void> {
  const pids = await listProcessIds(id);
  const statuses = new Map(
    await Promise.all(pids.map(async (pid) => [pid, await readProcessStatus(pid)] as const)),
  );
  for (const status of statuses.values()) {
    if (!status || status.tracer === 0) continue;
    const by = statuses.get(status.tracer);
    const tracer = by ? describeProcess(by) : 'another process';
    throw new PwpError(
      'checkpoint-failed',
      `${describeProcess(status)} is traced by ${tracer}, as by a debugger; a live checkpoint can't hold that`,
      {
        help: 'End the debug session or the program that traces, then try again, or keep the files alone: --kind disk.',
      },
    );
  }
}

/** Device number of /dev/tty: the terminal of the process that opens it. */
const ttyDevice = 5 << 8;

/**
 * Refuses a live checkpoint while a program in a terminal has that open as /dev/tty, as an interactive `sh` does: CRIU
 * takes it for one terminal, whichever of several it is, and gives up where another process holds the terminal's other
 * end, as the IDE does. It would try three times first. Errors: `checkpoint-failed`.
 */
export async function requireNoOpenTty(id: string): Promise<void> {
  for (const pid of await listProcessIds(id)) {
    if (!(await isInTerminal(pid)) || !(await hasTtyOpen(pid))) continue;
    const status = await readProcessStatus(pid);
    if (!status) continue;
    throw new PwpError(
      'checkpoint-failed',
      `${describeProcess(status)} has its terminal open as /dev/tty, as an interactive sh does; a live checkpoint can't hold that`,
      {
        help: 'End that program, then try again, or keep the files alone: --kind disk. An interactive bash can be held.',
      },
    );
  }
}

/** Few are: no other process has to be looked at. */
async function isInTerminal(pid: number): Promise<boolean> {
  const terminal = (await readProcessStat(pid))?.field(7) ?? '0';
  return terminal !== '0';
}

async function hasTtyOpen(pid: number): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const open = await readdir(folder).catch((): string[] => []);
  const devices = await Promise.all(
    open.map((one) =>
      stat(`${folder}/${one}`).then(
        (found) => found.isCharacterDevice() && found.rdev === ttyDevice,
        () => false,
      ),
    ),
  );
  return devices.includes(true);
}

/** The kernel's facts about a process. */
interface ProcessStatus {
  readonly name: string;
  /** Its number inside the sandbox. */
  readonly inside: string;
  /** Process outside that traces it; 0 for none. */
  readonly tracer: number;
}

/** Undefined for one that has ended meanwhile. */
async function readProcessStatus(pid: number): Promise<ProcessStatus | undefined> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(text)?.[1];
  const name = field('Name');
  if (name === undefined) return undefined;
  const inside = field('NSpid')?.split(/\s+/).at(-1) ?? String(pid);
  return { name, inside, tracer: Number(field('TracerPid') ?? 0) };
}

/** How a process is named to people. */
function describeProcess({ name, inside }: ProcessStatus): string {
  return `${name} (process ${inside})`;
}

/**
 * Bytes in a terminal's line that no program has read yet are written into it again by a restore, at a time when no
 * program can read, and line ends may grow by a character on the way. The kernel takes about 14 KiB, which is what a
 * program leaves that is faster than its reader, and then waits forever. In bytes.
 */
const mostWaitingBytes = 8 * 1024;
/** The file's own mark, before its entries. */
const ttyHeadBytes = 8;

/** Errors: `checkpoint-failed` if a terminal holds more than a restore could write. */
export async function requireRestorableTerminals(images: string): Promise<void> {
  const path = join(images, 'tty-data.img');
  const image = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const most = image ? Math.max(...listEntrySizes(image)) : 0;
  if (most <= mostWaitingBytes) return;
  throw new PwpError('checkpoint-failed', `a terminal holds ${most} bytes that no program has read yet`, {
    help: 'A program in it writes faster than it is read: stop its output for a moment and try again.',
  });
}

/** Sizes of the entries: each is a length and a message with a number of a few bytes and the waiting bytes. */
function listEntrySizes(image: Buffer): number[] {
  const sizes: number[] = [];
  for (let at = ttyHeadBytes; at + 4 <= image.length;) {
    const size = image.readUInt32LE(at);
    sizes.push(size);
    at += 4 + size;
  }
  return sizes;
}

/**
 * A descriptor that one process has sent to another over a Unix socket, and that was not received yet, is not restored
 * right: where CRIU has the receiver make both ends of the socket, it sends the descriptor that has the same number
 * there, which may be any. Chromium's processes send each other shared memory all the time, and a window that gets a
 * socket in its place never answers again. Such a message is in flight for moments only.
 *
 * The format is CRIU's `images/sk-packet.proto`: after the file's own mark come entries, each a length, a message and
 * the bytes that were in the socket.
 */
const queueHeadBytes = 8;
const lengthField = 2;
const descriptorsField = 4;

/** Errors: `checkpoint-failed` if a descriptor was in flight between two programs. */
export async function requireNothingInFlight(images: string): Promise<void> {
  const image = await readFile(join(images, 'sk-queues.img')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!image || !holdsDescriptors(image)) return;
  throw new PwpError(
    'checkpoint-failed',
    'a program has sent an open file to another one, which has not received it yet',
    { help: 'This lasts for moments, unless the other program has stopped. Try again.' },
  );
}

/** Errors: `RangeError` for a file that is cut off. */
export function holdsDescriptors(image: Buffer): boolean {
  for (let at = queueHeadBytes; at < image.length;) {
    const start = at + 4;
    const end = start + image.readUInt32LE(at);
    let payload = 0;
    for (const { field, value } of parseFields(image, start, end)) {
      if (field === descriptorsField) return true;
      if (field === lengthField) payload = value;
    }
    at = end + payload;
  }
  return false;
}

/** The fields of a message in Protocol Buffers. `value` is the number, or the length of the bytes that follow. */
function* parseFields(
  image: Buffer,
  start: number,
  end: number,
): Generator<{ field: number; value: number }> {
  for (let at = start; at < end;) {
    const key = parseVarint(image, at);
    const { value, next } = parseVarint(image, key.next);
    yield { field: Math.floor(key.value / 8), value };
    const isBytes = key.value % 8 === 2;
    at = isBytes ? next + value : next;
  }
}

function parseVarint(image: Buffer, start: number): { value: number; next: number } {
  let value = 0;
  for (let at = start, unit = 1; ; at += 1, unit *= 128) {
    const byte = image.readUInt8(at);
    value += (byte % 128) * unit;
    if (byte < 128) return { value, next: at + 1 };
  }
}
