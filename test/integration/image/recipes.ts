import type { LayerRecipe } from '../../../host/node/image/layer-store.ts';

/** Mounts a file system inside the layer, says so in `started`, and stays. */
export const stuckScript = `
  mkdir "$1/inside" && mount -t tmpfs tmpfs "$1/inside" && mkdir "$1/inside/deeper"
  mount --bind /usr "$1/inside/deeper" && echo $$ > "$2" && exec sleep 600
`;

/** A layer whose build never ends by itself. */
export function stuckRecipe(started: string): LayerRecipe {
  return {
    name: 'trial',
    key: 'a'.repeat(64),
    fill: ({ rootfs, run }) => run(['sh', '-c', stuckScript, 'sh', rootfs, started], { isolated: true }),
  };
}

/** The same layer with a build that succeeds; `script` runs with the root folder as `$1`. */
export function quickRecipe(script = 'echo done > "$1/file"'): LayerRecipe {
  return {
    name: 'trial',
    key: 'a'.repeat(64),
    fill: ({ rootfs, run }) => run(['sh', '-c', script, 'sh', rootfs], { isolated: true }),
  };
}
