import { join } from 'node:path';
import { packageFolder } from '../../../lib/index.ts';
import { baseRecipe } from './base.ts';
import type { LayerRecipe } from './layer.ts';
import { ownRecipe } from './own.ts';
import { layerFolder } from './store.ts';

/** The key of the lower layer, and its place below a cache folder, for machines of another kind than this one. */
export async function baseLayer(arch: string): Promise<{ readonly key: string; readonly rootfs: string }> {
  const base = await baseRecipe(sandboxFolder(), arch);
  return { key: base.key, rootfs: `images/${layerFolder(base)}/rootfs` };
}

/** How the layers of this very source tree are made. */
export async function recipes(): Promise<{ readonly base: LayerRecipe; readonly own: LayerRecipe }> {
  const root = packageFolder();
  const base = await baseRecipe(sandboxFolder());
  const own = await ownRecipe({
    files: join(root, 'images/sandbox/files'),
    bridge: join(root, 'dist/bridge.cjs'),
    extension: join(root, 'dist/extension'),
    extensions: join(root, 'dist/extensions'),
  });
  return { base, own };
}

function sandboxFolder(): string {
  return join(packageFolder(), 'images/sandbox');
}
