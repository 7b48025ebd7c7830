import { join } from 'node:path';
import { packageFolder } from '../../../lib/index.ts';
import type { Language } from '../../languages.ts';
import { baseRecipe } from './base.ts';
import { languagesRecipe } from './languages.ts';
import type { LayerRecipe } from './layer.ts';
import { ownRecipe } from './own.ts';
import { layerFolder } from './store.ts';

/** The key of the lower layer, and its place below a cache folder, for machines of another kind than this one. */
export async function baseLayer(arch: string): Promise<{ readonly key: string; readonly rootfs: string }> {
  const base = await baseRecipe(sandboxFolder(), arch);
  return { key: base.key, rootfs: `images/${layerFolder(base)}/rootfs` };
}

/** How the layers of this very source tree are made. */
export interface Recipes {
  readonly base: LayerRecipe;
  readonly own: LayerRecipe;
  /** Null for an image without further languages. */
  readonly between: LayerRecipe | null;
}

/** @param languages as `languagesOf` orders them */
export async function recipes(languages: readonly Language[] = []): Promise<Recipes> {
  const root = packageFolder();
  const base = await baseRecipe(sandboxFolder());
  const own = await ownRecipe({
    files: join(root, 'images/sandbox/files'),
    bridge: join(root, 'dist/bridge.cjs'),
    extension: join(root, 'dist/extension'),
    extensions: join(root, 'dist/extensions'),
    languages: join(root, 'dist/languages'),
  });
  const between = languages.length > 0 ? await languagesRecipe(sandboxFolder(), languages, base) : null;
  return { base, own, between };
}

function sandboxFolder(): string {
  return join(packageFolder(), 'images/sandbox');
}
