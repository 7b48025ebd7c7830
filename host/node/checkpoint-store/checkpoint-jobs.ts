import { closeSync, copyFileSync, fsyncSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { sealValue } from './checkpoint-files.ts';
import { type Checksums, checksumsName, flushFiles, stampFiles, verifyFiles } from './checksums.ts';
import { decompressFrame, PackFile, type PackHeader } from './pack-format.ts';
import { unpackCheckpoint } from './pack-read.ts';
import { type PackJob, writePack } from './pack-write.ts';
import { makeDamagedError } from './store-failures.ts';

/** Long work: done in a thread of its own, by blocking calls. */
export type CheckpointJob =
  | { readonly kind: 'flush'; readonly raw: string; readonly sums: Checksums }
  | {
      readonly kind: 'check';
      readonly raw: string;
      readonly sums: Checksums;
      readonly paths: readonly string[];
    }
  /** `base`: paths of packs whose blocks need not be written again. */
  | ({ readonly kind: 'pack'; readonly base: readonly string[] } & PackJob)
  /** `packs`: the pack itself, then those that it needs. */
  | {
      readonly kind: 'unpack';
      readonly raw: string;
      readonly packs: readonly string[];
      readonly bootId: string;
    }
  | { readonly kind: 'import'; readonly source: string; readonly target: string };

interface CheckpointJobResults {
  flush: Checksums;
  check: undefined;
  pack: PackHeader;
  unpack: undefined;
  import: Pick<PackHeader, 'id' | 'meta'>;
}
export type CheckpointJobResult<J extends CheckpointJob> = CheckpointJobResults[J['kind']];

export async function runCheckpointJob(
  job: CheckpointJob,
): Promise<CheckpointJobResults[CheckpointJob['kind']]> {
  switch (job.kind) {
    case 'flush':
      return flushFiles(job.raw, job.sums);
    case 'check':
      return void verifyFiles(job.raw, job.sums, job.paths);
    case 'pack':
      return packRaw(job);
    case 'unpack':
      return void (await unpackAll(job));
    case 'import':
      return importPack(job.source, job.target);
  }
}

function packRaw(job: Extract<CheckpointJob, { kind: 'pack' }>): PackHeader {
  using stack = new DisposableStack();
  const base = job.base.flatMap((path) => {
    const file = openSoundPack(path);
    return file ? [{ name: basename(path, '.pack'), file: stack.use(file) }] : [];
  });
  try {
    return writePack(job, base);
  } finally {
    rmSync(job.scratch, { force: true });
  }
}

/** Null if it is gone or damaged: nothing new must depend on it. */
function openSoundPack(path: string): PackFile | null {
  let file: PackFile | undefined;
  try {
    file = new PackFile(path);
    for (let index = 0; index < file.footer.frames.length; index++) file.frame(index);
    return file;
  } catch {
    file?.[Symbol.dispose]();
    return null;
  }
}

async function unpackAll(job: Extract<CheckpointJob, { kind: 'unpack' }>): Promise<void> {
  using opened = openPacks(job.packs);
  opened.files[0]?.footer.needs.forEach(({ footer }, index) => {
    if (opened.files[index + 1]?.footer.digest !== footer)
      throw makeDamagedError('a pack that it needs is another one');
  });
  mkdirSync(job.raw, { mode: 0o700 });
  await unpackCheckpoint(opened.files, job.raw);
  // No checksums: the pack vouches for it, and anything that changes is unpacked again.
  writeFileSync(`${job.raw}/${checksumsName}`, sealValue(stampFiles(job.raw, job.bootId)), { mode: 0o600 });
}

/** Copies a pack that came from elsewhere, and checks the copy through and through. */
async function importPack(source: string, target: string): Promise<Pick<PackHeader, 'id' | 'meta'>> {
  copyFileSync(source, target);
  using file = new PackFile(target);
  const { footer } = file;
  if (footer.needs.length > 0) throw makeDamagedError('it is not a whole one');
  let block = 0;
  for (const [index, frame] of footer.frames.entries()) {
    let length = 0;
    for (const end = block + frame.blocks; block < end; block++) length += footer.lengths[block] ?? 0;
    const bytes = await decompressFrame(file.frame(index));
    if (bytes.length !== length) throw makeDamagedError(`frame ${index} has another length`);
  }
  flushFile(target);
  return { id: footer.id, meta: footer.meta };
}

function flushFile(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function openPacks(paths: readonly string[]): Disposable & { readonly files: readonly PackFile[] } {
  using stack = new DisposableStack();
  const files = paths.map((path) => stack.use(new PackFile(path)));
  const owned = stack.move();
  return { files, [Symbol.dispose]: () => owned.dispose() };
}
