import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Progress } from '../../lib/index.ts';
import { copyImage, requireRoomFor } from './fetch-image.ts';
import type { RootStore } from './root-store.ts';

/** The images of a Docker Engine. */
export interface EngineImages {
  /** Null if it has no image of this name. */
  find(name: string, signal: AbortSignal): Promise<EngineImage | null>;
  /** The image as `docker save` writes it. */
  save(name: string, signal: AbortSignal): Promise<NodeJS.ReadableStream>;
}

/** An image that an engine has. */
export interface EngineImage {
  /** `sha256:…`; another one when the name stands for another image. */
  readonly id: string;
  readonly bytes: number;
}

interface ExportOptions {
  /** As the user wrote it. */
  readonly reference: string;
  /** As the engine knows it. */
  readonly name: string;
  readonly image: EngineImage;
  /** Of the image in the store. */
  readonly target: string;
  readonly store: RootStore;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Copies an image of an engine into the store. The engine packs it whole, also layers that are there. Within
 * {@link RootStore.exclusively} only. Errors: those of {@link copyImage}, the engine's own.
 */
export async function exportImage(engine: EngineImages, options: ExportOptions): Promise<void> {
  const { reference, name, image, target, store, progress, signal } = options;
  await requireRoomFor(image.bytes, reference, store);
  const archive = join(store.temporary, 'engine.tar');
  const whole = Math.round(image.bytes / 1024 / 1024);
  let bytes = 0;
  const count = async function* (chunks: AsyncIterable<string | Buffer>) {
    for await (const chunk of chunks) {
      bytes += Buffer.byteLength(chunk);
      const part = Math.min(1, bytes / Math.max(1, image.bytes));
      // In twentieths, so that a log has few lines.
      const shown = Math.round((Math.floor(20 * part) / 20) * (image.bytes / 1024 / 1024));
      progress.stage(`Taking ${reference} from Docker: ${shown} of ${whole} MiB`, 0.4 * part);
      yield chunk;
    }
  };
  await pipeline(await engine.save(name, signal), count, createWriteStream(archive, { mode: 0o600 }), {
    signal,
  });
  await copyImage({ address: `docker-archive:${archive}`, reference }, target, { store, progress, signal });
}
