import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createArguments, extractArguments } from '../tar.ts';
import type { PackHeader } from './pack-format.ts';
import { sumsName } from './sums.ts';
import { type Entry } from './walk.ts';

/** The same folder gives the same bytes: no process id and no times of reading in it. */
const sameBytes = ['--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime'];
const env = { LC_ALL: 'C', PATH: process.env['PATH'] };

/** Plain files directly in `images`: cut along pages, unlike the rest. */
export function imagesOf(entries: readonly Entry[]): { name: string; mode: number }[] {
  return entries
    .filter(isImage)
    .map(({ path, info }) => ({ name: imageName(path), mode: modeOf(info.mode) }));
}

/** Archives have no sockets: those that no process listens on any more are made again by hand. */
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
    tar([...createArguments, ...sameBytes, '--directory', raw, ...list], { input, output });
  } finally {
    closeSync(output);
  }
}

/** Unpacks what {@link archive} wrote. */
export function unarchive(source: string, raw: string): void {
  const input = openSync(source, 'r');
  try {
    tar([...extractArguments, '--directory', raw], {
      from: input,
    });
  } finally {
    closeSync(input);
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
