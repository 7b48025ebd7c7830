import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, closeSync, linkSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { checksumsName, type RawEntry } from './checksums.ts';
import type { PackHeader } from './pack-format.ts';

/** The same folder gives the same bytes: no process id and no times of reading in it. */
const reproducibleArguments = ['--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime'];
const tarEnvironment = { LC_ALL: 'C', PATH: process.env['PATH'] };

/** Plain files directly in `images`: cut along pages, unlike the rest. */
export function selectImageFiles(entries: readonly RawEntry[]): { name: string; mode: number }[] {
  return entries
    .filter(isImageFile)
    .map(({ path, info }) => ({ name: stripImagesFolder(path), mode: maskMode(info.mode) }));
}

/** Archives have no sockets: those that no process listens on any more are made again by hand. */
export function selectSockets(entries: readonly RawEntry[]): PackHeader['sockets'] {
  return entries
    .filter(({ info }) => info.isSocket())
    .map(({ path, info }) => ({
      path,
      mode: maskMode(info.mode),
      uid: Number(info.uid),
      gid: Number(info.gid),
    }));
}

/** Writes everything but images and sockets into one archive. */
export function writeTarArchive(raw: string, entries: readonly RawEntry[], target: string): void {
  const names = entries.filter(
    (entry) => !isImageFile(entry) && !entry.info.isSocket() && entry.path !== checksumsName,
  );
  const input = Buffer.from(names.map(({ path }) => `./${path}\0`).join(''), 'latin1');
  const output = openSync(target, 'wx', 0o600);
  try {
    const list = ['--no-recursion', '--null', '--files-from=-'];
    runTar([...tarCreateArguments, ...reproducibleArguments, '--directory', raw, ...list], { input, output });
  } finally {
    closeSync(output);
  }
}

/** Unpacks what {@link writeTarArchive} wrote. */
export function extractTarArchive(source: string, raw: string): void {
  const input = openSync(source, 'r');
  try {
    runTar([...tarExtractArguments, '--directory', raw], {
      from: input,
    });
  } finally {
    closeSync(input);
  }
}

function runTar(args: string[], io: { input?: Buffer; output?: number; from?: number }): void {
  execFileSync('tar', args, {
    env: tarEnvironment,
    ...(io.input && { input: io.input }),
    stdio: [io.from ?? 'pipe', io.output ?? 'ignore', 'pipe'],
  });
}

function isImageFile({ path, info }: RawEntry): boolean {
  const inImages = path.startsWith('images/') && !path.includes('/', 'images/'.length);
  return inImages && info.isFile() && info.nlink === 1n && printableName.test(path);
}

/** Others go into the archive, which takes any name. */
const printableName = /^[\x20-\x7e]+$/;

function stripImagesFolder(path: string): string {
  return path.slice('images/'.length);
}

function maskMode(mode: bigint): number {
  return Number(mode) & 0o7777;
}

/*
 * GNU tar carries what a file system has and this language can't reach: extended attributes (an overlay's opaque
 * folders), whiteouts (character devices 0:0), holes, hard links, nanoseconds. All but sockets.
 */
const attributeArguments = ['--numeric-owner', '--xattrs', '--xattrs-include=*'];

export const tarCreateArguments = ['--create', '--format=pax', ...attributeArguments, '--sparse'];
export const tarExtractArguments = [
  '--extract',
  ...attributeArguments,
  '--preserve-permissions',
  '--same-owner',
];

/** A socket that no process listens on any more. */
export interface SocketEntry {
  /** Below the folder; each character is one byte. */
  readonly path: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** Makes sockets that no process listens on. A socket's path is limited in length: bind to a short one, then link. */
export async function makeSockets(folder: string, sockets: readonly SocketEntry[]): Promise<void> {
  if (sockets.length === 0) return;
  const scratch = `${folder}.sockets`;
  mkdirSync(scratch, { mode: 0o700 });
  const open = openSync(scratch, 'r');
  try {
    for (const socket of sockets) await makeSocket(folder, socket, `/proc/self/fd/${open}/s`);
  } finally {
    closeSync(open);
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function makeSocket(folder: string, { path, mode, uid, gid }: SocketEntry, at: string): Promise<void> {
  const server = createServer();
  server.listen(at);
  await once(server, 'listening');
  const target = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
  mkdirSync(Buffer.from(dirname(target.toString('latin1')), 'latin1'), { recursive: true });
  linkSync(at, target);
  server.close();
  await once(server, 'close');
  chownSync(target, uid, gid);
  chmodSync(target, mode);
}
