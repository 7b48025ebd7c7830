import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, chownSync, linkSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { dirname } from 'node:path';
import type { PackHeader } from './pack-format.ts';
import { sumsName } from './sums.ts';
import { bytesOf, type Entry } from './walk.ts';

/*
 * GNU tar carries what a file system has and this language can't reach: extended attributes (an overlay's opaque
 * folders), whiteouts (character devices 0:0), holes, hard links, nanoseconds.
 */
const attributes = ['--numeric-owner', '--xattrs', '--xattrs-include=*'];
/** The same folder gives the same bytes: no process id and no times of reading in it. */
const format = ['--format=pax', '--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime'];
const env = { LC_ALL: 'C', PATH: process.env['PATH'] };

/** Plain files directly in `images`: cut along pages, unlike the rest. */
export function imagesOf(entries: readonly Entry[]): { name: string; mode: number }[] {
  return entries
    .filter(isImage)
    .map(({ path, info }) => ({ name: imageName(path), mode: modeOf(info.mode) }));
}

/** Archives have no sockets: those that nobody listens on any more are made again by hand. */
export function socketsOf(entries: readonly Entry[]): PackHeader['sockets'] {
  return entries
    .filter(({ info }) => info.isSocket())
    .map(({ path, info }) => ({
      path,
      mode: modeOf(info.mode),
      uid: Number(info.uid),
      gid: Number(info.gid),
    }));
}

/** Writes everything but images and sockets into one archive. */
export function archive(raw: string, entries: readonly Entry[], target: string): void {
  const names = entries.filter(
    (entry) => !isImage(entry) && !entry.info.isSocket() && entry.path !== sumsName,
  );
  const input = Buffer.from(names.map(({ path }) => `./${path}\0`).join(''), 'latin1');
  const output = openSync(target, 'wx', 0o600);
  try {
    const list = ['--no-recursion', '--null', '--files-from=-'];
    tar(['--create', ...format, ...attributes, '--sparse', '--directory', raw, ...list], { input, output });
  } finally {
    closeSync(output);
  }
}

/** Unpacks what {@link archive} wrote. */
export function unarchive(source: string, raw: string): void {
  const input = openSync(source, 'r');
  try {
    tar(['--extract', ...attributes, '--preserve-permissions', '--same-owner', '--directory', raw], {
      from: input,
    });
  } finally {
    closeSync(input);
  }
}

/** Makes sockets that nobody listens on. Paths of sockets are short: they are bound in a short one, and named after. */
export async function makeSockets(raw: string, sockets: PackHeader['sockets']): Promise<void> {
  if (sockets.length === 0) return;
  const scratch = `${raw}.sockets`;
  mkdirSync(scratch, { mode: 0o700 });
  const folder = openSync(scratch, 'r');
  try {
    for (const { path, mode, uid, gid } of sockets) {
      const server = createServer();
      server.listen(`/proc/self/fd/${folder}/s`);
      await once(server, 'listening');
      const target = bytesOf(raw, path);
      mkdirSync(bytesOf(raw, dirname(path)), { recursive: true });
      linkSync(`${scratch}/s`, target);
      server.close();
      await once(server, 'close');
      chownSync(target, uid, gid);
      chmodSync(target, mode);
    }
  } finally {
    closeSync(folder);
    rmSync(scratch, { recursive: true, force: true });
  }
}

function tar(args: string[], io: { input?: Buffer; output?: number; from?: number }): void {
  execFileSync('tar', args, {
    env,
    ...(io.input && { input: io.input }),
    stdio: [io.from ?? 'pipe', io.output ?? 'ignore', 'pipe'],
  });
}

function isImage({ path, info }: Entry): boolean {
  const inImages = path.startsWith('images/') && !path.includes('/', 'images/'.length);
  return inImages && info.isFile() && info.nlink === 1n && printable.test(path);
}

/** Others go into the archive, which takes any name. */
const printable = /^[\x20-\x7e]+$/;

function imageName(path: string): string {
  return path.slice('images/'.length);
}

function modeOf(mode: bigint): number {
  return Number(mode) & 0o7777;
}
