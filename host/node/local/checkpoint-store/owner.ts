import { randomBytes } from 'node:crypto';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { bootId, identify, isAlive } from '../../../lib/index.ts';

/** As it is in names of files: `<pid>-<start time>-<start of the boot id>-<random>`. */
const pattern = /^(\d+)-(\d+)-([0-9a-f]{8})-[0-9a-f]{8}$/;

/** A new name that says who made the file: the name exists from the start, so the maker of a file is never unknown. */
export async function ownerTag(): Promise<string> {
  const self = await identify(process.pid);
  if (!self) throw new PwpError('no-proc', "can't read this process's entry in /proc");
  return `${self.pid}-${self.startTime}-${(await bootId()).slice(0, 8)}-${randomBytes(4).toString('hex')}`;
}

/** Whether the process of a tag still runs. Text that is not a tag has no owner. */
export async function isOwned(tag: string): Promise<boolean> {
  const [, pid, startTime, boot] = pattern.exec(tag) ?? [];
  if (pid === undefined || startTime === undefined || boot === undefined) return false;
  if (!(await bootId()).startsWith(boot)) return false;
  return isAlive({ pid: Number(pid), startTime });
}
