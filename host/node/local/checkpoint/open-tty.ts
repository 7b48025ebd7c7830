import { readFile, readdir, stat } from 'node:fs/promises';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { processesOf } from '../cgroup.ts';
import { processName, statusOf } from './process-status.ts';

/** Device number of /dev/tty: the terminal of the process that opens it. */
const ttyDevice = 5 << 8;

/**
 * Refuses a live checkpoint while a program in a terminal has that open as /dev/tty, as an interactive `sh` does: CRIU
 * takes it for one terminal, whichever of several it is, and gives up where another process holds the terminal's other
 * end, as the IDE does. It would try three times first. Errors: `checkpoint-failed`.
 */
export async function requireNoOpenTty(id: string): Promise<void> {
  for (const pid of await processesOf(id)) {
    if (!(await isInTerminal(pid)) || !(await hasTtyOpen(pid))) continue;
    const status = await statusOf(pid);
    if (!status) continue;
    throw new PwpError(
      'checkpoint-failed',
      `${processName(status)} has its terminal open as /dev/tty, as an interactive sh does; a live checkpoint can't hold that`,
      {
        help: 'End that program, then try again, or keep the files alone: --kind disk. An interactive bash can be held.',
      },
    );
  }
}

/** Few are: no other process has to be looked at. */
async function isInTerminal(pid: number): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name, in brackets, may have any character in it.
  const [, , , , terminal = '0'] = text.slice(text.lastIndexOf(')') + 2).split(' ');
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
