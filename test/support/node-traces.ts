import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { identifyProcess } from '../../host/lib/index.ts';

/**
 * Everything on a machine that still bears a sandbox's id: processes, mounts, folders, control groups.
 * @param home the node's cache folder, as its machine names it
 * @param process the folder in /proc of a process that sees the machine as the node does
 */
export async function tracesOf(id: string, home: string, process = '/proc/self'): Promise<string[]> {
  const root = join(process, 'root');
  const found = await Promise.all([
    processes(id),
    mounts(id, process),
    folders(id, home, root),
    groups(id, root),
  ]);
  return found.flat();
}

async function processes(id: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const checked = pids.map(async (pid) => {
    // A zombie that this machine's first process has not reaped yet is not a trace of ours.
    if (!(await identifyProcess(Number(pid)))) return [];
    const text = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '');
    return text.includes(`/pwp/${id}`) ? [`process ${pid}`] : [];
  });
  return (await Promise.all(checked)).flat();
}

async function mounts(id: string, process: string): Promise<string[]> {
  const lines = (await readFile(join(process, 'mountinfo'), 'utf8')).split('\n');
  return lines.filter((line) => line.includes(id)).map((line) => `mount ${line}`);
}

async function folders(id: string, home: string, root: string): Promise<string[]> {
  const parents = ['/run/pwp', '/run/pwp/runc', join(home, 'sandboxes')].map((path) => join(root, path));
  const checked = parents.map(async (parent) => {
    const names = await readdir(parent).catch(() => []);
    return names.filter((name) => name.includes(id)).map((name) => join(parent, name));
  });
  return (await Promise.all(checked)).flat();
}

async function groups(id: string, machine: string): Promise<string[]> {
  const root = join(machine, 'sys/fs/cgroup');
  const hierarchies = ['.', ...(await readdir(root))];
  const checked = hierarchies.map(async (name) => {
    const names = await readdir(join(root, name, 'pwp')).catch(() => []);
    return names.filter((group) => group === id).map(() => `control group ${name}`);
  });
  return (await Promise.all(checked)).flat();
}
