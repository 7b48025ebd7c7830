import { join } from 'node:path';
import { readForeign } from '../../lib/index.ts';
import type { Content, ImageMime } from '../../models/index.ts';
import type { Task } from '../../tasks/index.ts';

/** The maximum number of a task's pictures that a model is shown, and of bytes of each. */
const mostPictures = 10;
const mostBytes = 5_000_000;

const mimes: Readonly<Record<string, ImageMime>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
};

/** The pictures of a task's workspace that its instruction names, for an agent that can't open them. */
export async function picturesOf({
  instruction,
  path,
}: Pick<Task, 'instruction' | 'path'>): Promise<Extract<Content, { kind: 'image' }>[]> {
  const names = new Set(instruction.match(/[\w./-]+\.(?:png|jpe?g|webp)\b/g) ?? []);
  const found = [...names].slice(0, mostPictures).map(async (name) => {
    const mime = mimes[name.slice(name.lastIndexOf('.') + 1)];
    if (mime === undefined || name.split('/').includes('..')) return [];
    // A name that is not a file of the workspace is just a word of the instruction.
    const bytes = await readForeign(path, join('environment/workspace', name), mostBytes).catch(() => null);
    return bytes ? [{ kind: 'image', bytes, mime } as const] : [];
  });
  return (await Promise.all(found)).flat();
}
