import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { pause, PwpError } from '../../../bridge/lib/index.ts';
import { type Progress, readFreeBytes } from '../../lib/index.ts';
import { explainFetchFailure } from './fetch-failures.ts';
import { readToolError, runTool } from './image-tools.ts';
import { imageArchitecture, otherArchitecture, parseImageConfig } from './root-config.ts';
import type { RootStore } from './root-store.ts';

/** Where skopeo reads an image, e.g. `docker://docker.io/library/debian:12`. */
export interface ImageOrigin {
  readonly address: string;
  /** For people. */
  readonly reference: string;
  /** The registry has no TLS. */
  readonly insecure?: boolean;
}

interface FetchOptions {
  readonly store: RootStore;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Copies an image into the store. Layers that are there are not fetched again, also those of an interrupted copy. Within
 * {@link RootStore.exclusively} only. Errors: those of {@link explainFetchFailure}, `bad-image`.
 * @param names in the store
 */
export async function copyImage(
  origin: ImageOrigin,
  name: string,
  { store, progress, signal }: FetchOptions,
): Promise<void> {
  progress.stage(`Looking for ${origin.reference}`);
  const bytes = await planCopy(origin, store, signal);
  await mkdir(store.temporary, { recursive: true });
  const copying = new AbortController();
  const shown = showBytes(store.temporary, origin.reference, bytes, progress, copying.signal);
  try {
    const flags = ['--retry-times', '2', ...(origin.insecure ? ['--src-tls-verify=false'] : [])];
    const argv = [...temporary(store), 'copy', ...flags, origin.address, `containers-storage:${name}`];
    const { failed, said } = await runTool('skopeo', argv, { store, signal });
    if (failed) throw explainFetchFailure(origin.reference, readToolError(said));
  } finally {
    copying.abort();
    await shown;
  }
}

/** Bytes that are left to fetch; null if the source does not say. Errors: `other-architecture`, `disk-full`, as copies. */
async function planCopy(origin: ImageOrigin, store: RootStore, signal: AbortSignal): Promise<number | null> {
  const inspect = async (address: string, ...more: string[]) => {
    const flags = ['--raw', ...more, ...(origin.insecure ? ['--tls-verify=false'] : [])];
    const argv = [...temporary(store), 'inspect', ...flags, address];
    const { failed, stdout, said } = await runTool('skopeo', argv, { store, signal });
    if (failed) throw explainFetchFailure(origin.reference, readToolError(said));
    return stdout;
  };
  const manifest = parseManifest(await inspect(origin.address));
  if (manifest.platforms) requirePlatform(manifest.platforms, origin.reference);
  else requireArchitecture(await inspect(origin.address, '--config'), origin.reference);
  const layers = manifest.platforms ? null : manifest.layers;
  return layers && (await requireRoom(layers, origin.reference, store));
}

const manifestSchema = z.object({
  layers: z
    .array(z.object({ mediaType: z.string().optional(), digest: z.string(), size: z.number() }))
    .optional(),
  manifests: z
    .array(
      z.object({
        platform: z.object({ architecture: z.string(), os: z.string() }).nullish(),
      }),
    )
    .optional(),
});

interface ManifestLayer {
  readonly mediaType?: string | undefined;
  readonly digest: string;
  readonly size: number;
}

interface ParsedManifest {
  /** Null if the manifest does not say their sizes. */
  readonly layers: readonly ManifestLayer[] | null;
  /** Of a list of images for several machines: their architectures on Linux. */
  readonly platforms: readonly string[] | null;
}

/** Reads a manifest or an index of several. Errors: `bad-image`. */
export function parseManifest(text: string): ParsedManifest {
  try {
    const { layers, manifests } = manifestSchema.parse(JSON.parse(text));
    const own = manifests?.flatMap(({ platform }) => (platform?.os === 'linux' ? platform.architecture : []));
    return { layers: layers ?? null, platforms: own ? [...new Set(own)] : null };
  } catch (cause) {
    throw new PwpError('bad-image', "the image's manifest is not valid", { cause });
  }
}

function requirePlatform(platforms: readonly string[], reference: string): void {
  // An index without platforms is left to skopeo.
  if (platforms.length === 0 || platforms.includes(imageArchitecture())) return;
  throw otherArchitecture(reference, platforms);
}

function requireArchitecture(config: string, reference: string): void {
  const { arch } = parseImageConfig(config);
  if (arch !== '' && arch !== imageArchitecture()) throw otherArchitecture(reference, [arch]);
}

/** A compressed layer is on the disk as it came and unpacked: about four times its size. */
const unpackedFactor = { compressed: 4, plain: 2.2 };

/** The bytes that are left to fetch, if there is room for them. Errors: `disk-full`. */
async function requireRoom(
  layers: readonly ManifestLayer[],
  reference: string,
  store: RootStore,
): Promise<number> {
  const there = new Set([...(await store.files.layers()).values()].flatMap(({ digests }) => digests));
  const missing = layers.filter(({ digest }) => !there.has(digest));
  const bytes = missing.reduce((sum, { size }) => sum + size, 0);
  const needed = missing.reduce((sum, layer) => sum + layer.size * unpackedFactor[packing(layer)], 0);
  const free = await readFreeBytes(store.folder);
  if (needed <= free) return bytes;
  const text = `${reference} needs about ${mebibytes(needed)} MiB, and ${mebibytes(free)} MiB are free`;
  throw new PwpError('disk-full', text, {
    help: 'Make room on the disk of PWP_HOME: pwp images prune --all removes images that nothing uses.',
  });
}

/** Makes sure that there is room for an image of this size, as an archive and unpacked. Errors: `disk-full`. */
export async function requireRoomFor(bytes: number, reference: string, store: RootStore): Promise<void> {
  await requireRoom([{ digest: '', size: bytes }], reference, store);
}

function packing({ mediaType = '' }: ManifestLayer): keyof typeof unpackedFactor {
  return /gzip|zstd/.test(mediaType) ? 'compressed' : 'plain';
}

/** Skopeo says nothing while it copies. The files that it copies to grow. */
async function showBytes(
  folder: string,
  reference: string,
  whole: number | null,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  progress.stage(`Fetching ${reference}${whole === null ? '' : ` (${mebibytes(whole)} MiB)`}`, 0);
  try {
    for (;;) {
      await pause(500, signal);
      const bytes = await measureFiles(folder);
      if (whole === null || bytes === 0) continue;
      if (bytes >= whole) progress.stage(`Unpacking ${reference}`, 0.8);
      else progress.stage(formatFetched(reference, bytes, whole), (0.8 * bytes) / whole);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** In twentieths, so that a log has few lines. */
function formatFetched(reference: string, bytes: number, whole: number): string {
  const shown = (Math.floor((20 * bytes) / whole) / 20) * whole;
  return `Fetching ${reference}: ${mebibytes(shown)} of ${mebibytes(whole)} MiB`;
}

async function measureFiles(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names
      .filter((name) => name.startsWith('storage'))
      .map((name) => stat(join(folder, name)).catch(() => null)),
  );
  return sizes.reduce((sum, info) => sum + (info?.isFile() ? info.size : 0), 0);
}

function temporary(store: RootStore): string[] {
  return ['--tmpdir', store.temporary];
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(bytes < 10 * 1024 * 1024 ? 1 : 0);
}
