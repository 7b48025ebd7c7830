import { lstat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxPaths } from '../paths.ts';

const server = '/opt/code-server/node_modules/code-server/lib/vscode';

/**
 * Paths that every IDE watches outside its own folders: the time zone, policies of the browser. CRIU knows a watch by
 * the number of what it is on, and looks all files of the system through for a path, the root itself last of all.
 */
const known = [
  ...['/', '/workspace', '/root', '/usr', '/usr/share', '/usr/share/zoneinfo', '/usr/share/zoneinfo/Etc'],
  ...['/etc', '/etc/chromium', '/etc/chromium/policies', '/etc/chromium/policies/managed'],
  ...['/ide/data/User', '/ide/data/User/snippets', '/ide/data/Machine'],
  ...['/ide/extensions', '/ide/extensions/extensions.json'],
  // Terminals look for programs there.
  ...['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', `${server}/bin/remote-cli`],
  // TypeScript's own, for as long as a script is open.
  ...['/opt', '/opt/code-server', '/opt/code-server/node_modules', server],
  `${server}/extensions/node_modules/typescript/package.json`,
];

/** How CRIU marks a file of its own use, and that it is about watches. */
const magic = [0x55105940, 0x57004059];

/**
 * Writes for CRIU, into its work folder, where such watches may be. It checks the hints before it uses them.
 */
export async function writeWatchHints(
  { merged, deskRoot }: Pick<SandboxPaths, 'merged' | 'deskRoot'>,
  work: string,
): Promise<void> {
  const entries = await Promise.all([
    ...known.map((path) => entryOf(merged, path)),
    ...known.map((path) => entryOf(deskRoot, path, '/desk/root')),
  ]);
  await writeFile(join(work, 'irmap-cache'), Buffer.concat([...magic.map(word), ...entries]));
}

/** @param root on this machine of what is mounted inside at `prefix` */
async function entryOf(root: string, path: string, prefix = ''): Promise<Uint8Array> {
  const info = await lstat(join(root, path), { bigint: true }).catch(() => null);
  if (!info) return new Uint8Array();
  // `/` is requested relative to the root, where it would be no path at all.
  const name = Buffer.from(path === '/' ? `${prefix}/.` : prefix + path);
  const device = kernelDevice(Number(info.dev));
  const fields = [
    [0x08, ...varint(BigInt(device)), 0x10, ...varint(info.ino), 0x1a, ...varint(BigInt(name.length))],
    name,
  ];
  const message = Buffer.concat(fields.map((bytes) => Uint8Array.from(bytes)));
  return Buffer.concat([word(message.length), message]);
}

/** The kernel's own form of a device's number, from the one that programs see. */
function kernelDevice(device: number): number {
  const major = (device >>> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >>> 12) & 0xfff00);
  return major * 2 ** 20 + minor;
}

function word(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** A number in Protocol Buffers: seven bits at a time, the lowest first. */
function varint(value: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 0x80n) return [...bytes, Number(rest)];
    bytes.push(Number(rest & 0x7fn) | 0x80);
  }
}
