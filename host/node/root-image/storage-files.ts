import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';

/** An image as containers-storage lists it. */
const storedImageSchema = z.object({
  /** Digest of its configuration, without `sha256:`. */
  id: z.string(),
  names: z.array(z.string()).nullish(),
  /** The topmost layer; absent for an image without any. */
  layer: z.string().nullish(),
});
export type StoredImage = z.infer<typeof storedImageSchema>;

const storedLayerSchema = z.object({
  id: z.string(),
  parent: z.string().nullish(),
  'diff-size': z.number().nullish(),
  'compressed-diff-digest': z.string().nullish(),
  'diff-digest': z.string().nullish(),
  flags: z.record(z.string(), z.unknown()).nullish(),
});

/** A layer in the store. */
export interface StoredLayer {
  readonly id: string;
  readonly parent: string | null;
  /** As an uncompressed archive. */
  readonly bytes: number;
  /** Digests of the archives that it may come in. */
  readonly digests: readonly string[];
  /** Its unpacking was interrupted. */
  readonly incomplete: boolean;
}

/** Reads the files of containers-storage, which its tools replace as a whole: they can be read at any time. */
export class StorageFiles {
  readonly folder: string;

  /** @param folder the graph root */
  constructor(folder: string) {
    this.folder = folder;
  }

  async images(): Promise<StoredImage[]> {
    return this.#list('overlay-images/images.json', storedImageSchema);
  }

  async layers(): Promise<Map<string, StoredLayer>> {
    const all = await this.#list('overlay-layers/layers.json', storedLayerSchema);
    return new Map(
      all.map((layer) => [
        layer.id,
        {
          id: layer.id,
          parent: layer.parent || null,
          bytes: layer['diff-size'] ?? 0,
          digests: [layer['compressed-diff-digest'], layer['diff-digest']].filter((one) => !!one) as string[],
          incomplete: layer.flags?.['incomplete'] === true,
        },
      ]),
    );
  }

  /** Containers that an interrupted build has left. */
  async containerIds(): Promise<string[]> {
    const all = await this.#list('overlay-containers/containers.json', z.object({ id: z.string() }));
    return all.map(({ id }) => id);
  }

  /** The configuration of an image, as its digest proves. Errors: `bad-image`. */
  async readConfig(id: string): Promise<string> {
    const name = `=${Buffer.from(`sha256:${id}`).toString('base64')}`;
    const text = await readFile(join(this.folder, 'overlay-images', id, name), 'utf8').catch(
      (cause: unknown) => {
        throw new PwpError('bad-image', `the configuration of image ${id} is not in the store`, { cause });
      },
    );
    if (createHash('sha256').update(text).digest('hex') === id) return text;
    throw new PwpError('bad-image', `the configuration of image ${id} has changed in the store`);
  }

  /** The folder of a layer under its short name: mount options have room for 4096 bytes. Errors: `bad-image`. */
  async locateLayer(id: string): Promise<string> {
    const link = await readFile(join(this.folder, 'overlay', id, 'link'), 'utf8').catch((cause: unknown) => {
      throw new PwpError('bad-image', `layer ${id} is not in the store`, { cause });
    });
    return join(this.folder, 'overlay/l', link.trim());
  }

  async #list<T>(name: string, schema: z.ZodType<T>): Promise<T[]> {
    const text = await readFile(join(this.folder, name), 'utf8').catch(() => '[]');
    try {
      return z.array(schema).parse(JSON.parse(text));
    } catch (cause) {
      const file = join(this.folder, name);
      throw new PwpError('bad-image', `${file} is not a list of containers-storage`, {
        cause,
        help: `Remove ${this.folder}; its images are fetched again when they are needed.`,
      });
    }
  }
}

/**
 * A layer and all below it, topmost first. Errors: `bad-image`.
 * @param partly ends at a layer that is not whole, in place of the error
 */
export function stackLayers(
  layers: ReadonlyMap<string, StoredLayer>,
  top: string | null | undefined,
  { partly = false } = {},
): StoredLayer[] {
  const stack: StoredLayer[] = [];
  for (let at = top; at;) {
    const layer = layers.get(at);
    // A circle has more layers than there are.
    const whole = layer && !layer.incomplete && stack.length < layers.size;
    if (!whole && partly) return stack;
    if (!whole) throw new PwpError('bad-image', `layer ${at} is not whole in the store`);
    stack.push(layer);
    at = layer.parent;
  }
  return stack;
}
