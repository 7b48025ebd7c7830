import { readFile } from 'node:fs/promises';

interface MountEntry {
  readonly point: string;
  readonly source: string;
  /** The options of the file system itself, e.g. an overlay's `lowerdir=…`. */
  readonly options: string;
}

/** Everything that is mounted, as this process sees it, in the order of mounting. Linux only. */
export async function readMountTable(): Promise<MountEntry[]> {
  const text = await readFile('/proc/self/mountinfo', 'utf8');
  return text.trimEnd().split('\n').map(parseMountLine);
}

/** The mounts at or below a folder, the newest first. */
export async function listMountPoints(folder: string): Promise<string[]> {
  const points = (await readMountTable()).map(({ point }) => point);
  return points.filter((point) => point === folder || point.startsWith(`${folder}/`)).reverse();
}

/** `36 35 98:0 /root /target rw,noatime master:1 - ext4 /dev/sda1 rw` */
function parseMountLine(line: string): MountEntry {
  const fields = line.split(' ');
  const dash = fields.indexOf('-', 6);
  const [point = '', source = '', options = ''] = [4, dash + 2, dash + 3].map((at) =>
    unescapeField(fields[at] ?? ''),
  );
  return { point, source, options };
}

/** The kernel writes space, tab, newline and backslash as octal numbers. */
function unescapeField(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
