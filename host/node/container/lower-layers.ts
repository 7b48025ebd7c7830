import { isAbsolute, relative } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';

/** Mount options are one page of memory; what is longer is cut off without an error. */
const maxOptionBytes = 4095;

/** In full the mount table shows which folders are in use; that is left while there is room. */
const maxFullBytes = 2000;

/** Layers of an overlay, named from the folder that makes their names shortest. */
export interface NamedLayers {
  /** The working folder of the `mount` that gets these names. */
  readonly cwd: string;
  /** For `lowerdir`, topmost first. */
  readonly lowerdir: string;
}

/**
 * Names layers in full if they are few, else as briefly as possible: an image may have more than a hundred. With the short names of a store of images
 * (`l/` and 26 letters) there is room for 127, as many as Docker allows.
 * @param layers absolute folders
 * Errors: `bad-setting` for names that options can't hold.
 */
export function nameLayers(layers: readonly string[]): NamedLayers {
  for (const path of layers) refuseSeparators(path);
  const full = layers.join(':');
  if (Buffer.byteLength(full) <= maxFullBytes) return { cwd: '/', lowerdir: full };
  const candidates = [...new Set(layers.flatMap(listAncestors))];
  const all = candidates.map((cwd) => ({
    cwd,
    lowerdir: layers.map((path) => nameFrom(cwd, path)).join(':'),
  }));
  const [shortest] = all.sort((one, other) => one.lowerdir.length - other.lowerdir.length);
  return shortest ?? { cwd: '/', lowerdir: full };
}

/** Refuses options that `mount` would cut off. Errors: `mount-failed`. */
export function requireOptionsFit(options: string): void {
  const bytes = Buffer.byteLength(options);
  if (bytes <= maxOptionBytes) return;
  throw new PwpError(
    'mount-failed',
    `the layers need ${bytes} bytes of mount options, and the kernel takes 4095`,
    {
      help: 'Use an image with fewer layers, or a shorter path for PWP_HOME.',
    },
  );
}

function listAncestors(path: string): string[] {
  const parts = path.split('/').slice(1);
  return parts.map((_, i) => `/${parts.slice(0, i).join('/')}`);
}

function nameFrom(cwd: string, path: string): string {
  const name = relative(cwd, path);
  return name.startsWith('..') || isAbsolute(name) ? path : name;
}

/** Errors: `bad-setting`. */
export function refuseSeparators(path: string): void {
  if (!/[,:\\]/.test(path)) return;
  const text = `${path} has a comma, a colon or a backslash in it, which mount options can't hold`;
  throw new PwpError('bad-setting', text, { help: 'Choose another cache folder with PWP_HOME.' });
}
