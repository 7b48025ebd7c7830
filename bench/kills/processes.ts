import { readdir, readFile } from 'node:fs/promises';

/** A part of a sandbox's desktop that can be killed from outside, found by its command line. */
const parts = {
  'X server': /^Xvfb /,
  browser: /chromium(?!.*--type=).*--kiosk|chromium(?!.*--type=).*--user-data-dir/,
  renderer: /--type=renderer/,
  'GPU process': /--type=gpu-process/,
  'network service': /--type=utility.*NetworkService/,
  'code-server': /code-server(?!.*--type=)/,
  'extension host': /--type=extensionHost/,
  'terminal host': /--type=ptyHost/,
  bridge: /bridge\.cjs/,
  'first process': /^tini |\/init\.pl /,
} as const;
export type PartName = keyof typeof parts;
export const partNames = Object.keys(parts) as PartName[];

/** Process ids, on this machine, of one part of a sandbox; empty if it does not run at the moment. */
export async function pidsOf(sandbox: string, part: PartName): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map((pid) => isOf(pid, sandbox, parts[part])));
  return pids.filter((_, i) => found[i]);
}

async function isOf(pid: number, sandbox: string, pattern: RegExp): Promise<boolean> {
  const cgroup = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '');
  if (!cgroup.includes(sandbox)) return false;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return pattern.test(command.replaceAll('\0', ' '));
}
