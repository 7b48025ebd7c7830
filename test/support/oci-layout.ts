import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';

/** A file of a layer, as archives describe it. */
export interface LayerEntry {
  /** Bytes, since names need not be UTF-8. */
  readonly name: string | Buffer;
  readonly type?: keyof typeof entryTypes;
  readonly content?: string | Buffer;
  readonly mode?: number;
  readonly uid?: number;
  /** Of a link. */
  readonly target?: string;
  /** Of a device: major and minor number. */
  readonly device?: readonly [number, number];
  readonly attributes?: Readonly<Record<string, Buffer>>;
}

const entryTypes = { file: '0', link: '1', symlink: '2', character: '3', folder: '5', fifo: '6' };

export interface LayoutOptions {
  /** The lowest first. */
  readonly layers: readonly (readonly LayerEntry[])[];
  readonly compression?: keyof typeof compressions;
  /** As in the configuration of an image: `Env`, `User`, … */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly architecture?: string;
  /** The size that the manifest gives for each layer, in bytes. Default: the true one. */
  readonly claimedBytes?: number;
  /** An index with an image for each of these machines, in place of one image. */
  readonly architectures?: readonly string[];
}

const compressions = {
  none: { suffix: '', pack: (bytes: Buffer) => bytes },
  gzip: { suffix: '+gzip', pack: (bytes: Buffer) => gzipSync(bytes) },
  zstd: { suffix: '+zstd', pack: (bytes: Buffer) => zstdCompressSync(bytes) },
};
const vendor = 'application/vnd.oci.image';

/** Digests of the parts of an image, `sha256:…`. */
export interface WrittenImage {
  readonly config: string;
  readonly layers: readonly string[];
}

/** Writes an image as an OCI layout: the format that all tools for images read. */
export async function writeOciLayout(folder: string, options: LayoutOptions): Promise<WrittenImage> {
  const { architecture = machineArchitecture, architectures } = options;
  await mkdir(join(folder, 'blobs/sha256'), { recursive: true });
  const all = [];
  for (const arch of architectures ?? [architecture]) all.push(await writeImage(folder, arch, options));
  const index = architectures
    ? await writeBlob(
        folder,
        Buffer.from(
          JSON.stringify({
            schemaVersion: 2,
            mediaType: `${vendor}.index.v1+json`,
            manifests: all.map(({ manifest }, i) => ({
              mediaType: `${vendor}.manifest.v1+json`,
              ...manifest,
              platform: { architecture: architectures[i], os: 'linux' },
            })),
          }),
        ),
      )
    : all[0]?.manifest;
  const mediaType = `${vendor}.${architectures ? 'index' : 'manifest'}.v1+json`;
  const annotations = { 'org.opencontainers.image.ref.name': 'latest' };
  const manifests = [{ mediaType, ...index, annotations }];
  await writeFile(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
  await writeFile(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  const own = all[architectures?.indexOf(machineArchitecture) ?? 0] ?? all[0];
  return { config: own?.config ?? '', layers: own?.layers ?? [] };
}

/** This machine, as images name it. */
export const machineArchitecture = process.arch === 'x64' ? 'amd64' : process.arch;

async function writeImage(folder: string, architecture: string, options: LayoutOptions) {
  const { compression = 'gzip', config = {} } = options;
  const { suffix, pack } = compressions[compression];
  const archives = options.layers.map((entries) => makeArchive(entries));
  const blobs = [];
  for (const archive of archives) blobs.push(await writeBlob(folder, pack(archive)));
  const claimed = options.claimedBytes === undefined ? {} : { size: options.claimedBytes };
  const rootfs = { type: 'layers', diff_ids: archives.map(digestOf) };
  const history = archives.map((_, i) => ({ created_by: `layer ${i}` }));
  const described = await writeBlob(
    folder,
    Buffer.from(JSON.stringify({ architecture, os: 'linux', config, rootfs, history })),
  );
  const manifest = await writeBlob(
    folder,
    Buffer.from(
      JSON.stringify({
        schemaVersion: 2,
        mediaType: `${vendor}.manifest.v1+json`,
        config: { mediaType: `${vendor}.config.v1+json`, ...described },
        layers: blobs.map((blob) => ({ mediaType: `${vendor}.layer.v1.tar${suffix}`, ...blob, ...claimed })),
      }),
    ),
  );
  return { manifest, config: described.digest, layers: blobs.map(({ digest }) => digest) };
}

async function writeBlob(folder: string, bytes: Buffer) {
  const digest = digestOf(bytes);
  await writeFile(join(folder, 'blobs/sha256', digest.slice(7)), bytes);
  return { digest, size: bytes.length };
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** An archive in the format of POSIX.1-1988, with attributes as POSIX.1-2001 has them. */
export function makeArchive(entries: readonly LayerEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(packEntry), Buffer.alloc(1024)]);
}

function packEntry(entry: LayerEntry): Buffer[] {
  const content = Buffer.from(entry.content ?? '');
  const records = Object.entries(entry.attributes ?? {}).map(([name, value]) =>
    packRecord(Buffer.concat([Buffer.from(`SCHILY.xattr.${name}=`), value])),
  );
  const extended = Buffer.concat(records);
  return [
    ...(records.length > 0
      ? [packHeader({ name: 'attributes' }, 'x', extended.length), padBlock(extended)]
      : []),
    packHeader(entry, entryTypes[entry.type ?? 'file'], content.length),
    padBlock(content),
  ];
}

/** `<length> <text>\n`, where the length counts itself. */
function packRecord(text: Buffer): Buffer {
  let length = text.length + 2;
  while (String(length).length + text.length + 2 !== length) length = String(length).length + text.length + 2;
  return Buffer.concat([Buffer.from(`${length} `), text, Buffer.from('\n')]);
}

function packHeader(entry: LayerEntry, type: string, size: number): Buffer {
  const header = Buffer.alloc(512);
  const octal = (value: number, at: number, width: number) =>
    header.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at, 'latin1');
  Buffer.from(entry.name).copy(header, 0);
  octal(entry.mode ?? (type === entryTypes.folder ? 0o755 : 0o644), 100, 8);
  for (const at of [108, 116]) octal(entry.uid ?? 0, at, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  header.write(' '.repeat(8), 148);
  header.write(type, 156);
  header.write(entry.target ?? '', 157);
  header.write('ustar\u000000', 257, 'latin1');
  const [major, minor] = entry.device ?? [0, 0];
  octal(major, 329, 8);
  octal(minor, 337, 8);
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return header;
}

function padBlock(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}
