import { mkdir, readFile, readdir, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

const root = '/sys/fs/cgroup';
/** `f_type` of cgroup v2's file system, from Linux's <linux/magic.h>. */
const cgroup2Magic = 0x63677270;

/**
 * Makes this container's own control groups writable, so that sandboxes get theirs below them: within the container's
 * limits, and gone with it.
 */
export async function openCgroups(): Promise<void> {
  if ((await statfs(root)).type !== cgroup2Magic) {
    for (const name of await readdir(root)) await remount(join(root, name));
    return;
  }
  await remount(root);
  // Version 2 lets a group hand controllers down only when no process is in the group itself.
  const leaf = join(root, 'node');
  await mkdir(leaf, { recursive: true });
  const pids = (await readFile(join(root, 'cgroup.procs'), 'utf8')).split('\n').filter(Boolean);
  for (const pid of pids) await writeFile(join(leaf, 'cgroup.procs'), pid);
  const controllers = (await readFile(join(root, 'cgroup.controllers'), 'utf8')).trim().split(' ');
  await writeFile(join(root, 'cgroup.subtree_control'), controllers.map((name) => `+${name}`).join(' '));
}

/** Version 1 has a link beside a controller that shares its mount with another; both lead to that mount. */
async function remount(path: string): Promise<void> {
  await execa('mount', ['-o', 'remount,rw,bind', path]);
}
