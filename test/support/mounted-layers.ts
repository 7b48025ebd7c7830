import { execa } from 'execa';
import { nameLayers } from '../../host/node/container/lower-layers.ts';
import { temporaryFolder } from './folder.ts';

/**
 * What a script prints in a root of these layers, as sandboxes mount them: read-only, without devices and setuid. The
 * mount is in a namespace of its own, and goes with the script. Bytes are read as Latin-1, since names need not be UTF-8.
 */
export async function runOnLayers(layers: readonly string[], script: string): Promise<string> {
  await using folder = await temporaryFolder();
  // An overlay that can't be written to has at least two layers.
  const { cwd, lowerdir } = nameLayers([...layers, folder.path]);
  await using root = await temporaryFolder();
  const mount = 'mount -t overlay pwp -o "ro,nodev,nosuid,lowerdir=$1" "$2" && cd "$2" && eval "$3"';
  const argv = ['--mount', '--propagation', 'private', 'sh', '-ec', mount, 'sh', lowerdir, root.path, script];
  const { stdout } = await execa('unshare', argv, { cwd, encoding: 'latin1' });
  return stdout;
}
