import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failed, passed, show, type Check } from './check.ts';
import { isObject } from './jsonc.ts';
import type { Settings } from './settings.ts';

/** Lists of images that the extension `shalldie.background` shows behind code. */
const sections = ['background.editor', 'background.fullscreen'];

/** The extension `shalldie.background` is set to show one image, and no other. It reads paths and `file:` URIs. */
export function backgroundImage(settings: Settings, path: string): Check {
  const name = 'background image';
  const [problem] = settings.problems;
  if (problem !== undefined) return failed(name, problem);
  if (settings.effective('background.enabled') === false) return failed(name, 'background.enabled is false');
  const images = sections.flatMap((key) => imagesOf(settings.effective(key)));
  if (images.length === 0) return failed(name, `no images in ${sections.join(' or ')}`);
  const other = images.find((image) => pathOf(image) !== path);
  if (other !== undefined) return failed(name, `expected ${show(path)} alone, found ${show(other)}`);
  return passed(name, `is ${show(images)}`);
}

function imagesOf(section: unknown): unknown[] {
  const images = isObject(section) ? section['images'] : undefined;
  return Array.isArray(images) ? images : [];
}

function pathOf(image: unknown): string | undefined {
  if (typeof image !== 'string') return undefined;
  if (image.startsWith('/')) return posix.normalize(image);
  try {
    return fileURLToPath(image);
  } catch {
    return undefined;
  }
}
