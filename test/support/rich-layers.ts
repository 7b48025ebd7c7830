import { copyFile, mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import type { LayerEntry } from './oci-layout.ts';

/** `cap_net_bind_service+ep`, as the kernel stores it. */
const bindCapability = Buffer.from('0100000200040000000000000000000000000000', 'hex');

/** Layers with everything that layers can have: what the second removes and hides, and what the third adds. */
export const richLayers: readonly (readonly LayerEntry[])[] = [
  [
    { name: './', type: 'folder' },
    { name: 'removed', content: 'old' },
    { name: 'folder', type: 'folder' },
    { name: 'folder/removed', content: 'old' },
    { name: 'folder/kept', content: 'old' },
    { name: 'emptied', type: 'folder' },
    { name: 'emptied/hidden', content: 'old' },
    { name: 'setuid', content: 'x', mode: 0o4755 },
    { name: 'owned', content: 'x', uid: 1234 },
    { name: 'one', content: 'linked' },
    { name: 'other', type: 'link', target: 'one' },
    { name: 'symbolic', type: 'symlink', target: '/nowhere' },
    { name: 'null', type: 'character', device: [1, 3], mode: 0o666 },
    { name: 'pipe', type: 'fifo' },
    { name: 'capable', content: 'x', mode: 0o755, attributes: { 'security.capability': bindCapability } },
    { name: Buffer.from([0x62, 0xff, 0xfe]), content: 'x' },
  ],
  [
    { name: '.wh.removed' },
    { name: 'folder/.wh.removed' },
    { name: 'emptied', type: 'folder' },
    { name: 'emptied/.wh..wh..opq' },
    { name: 'emptied/new', content: 'new' },
  ],
  [{ name: 'folder/added', content: 'new' }],
];

/** What {@link listRichRoot} prints of these layers. */
export const richListing = [
  './b\xff\xfe f 0 644 1',
  './capable f 0 755 1',
  './emptied d 0 755 2',
  './emptied/new f 0 644 1',
  './folder d 0 755 2',
  './folder/added f 0 644 1',
  './folder/kept f 0 644 1',
  './null c 0 666 1',
  './one f 0 644 2',
  './other f 0 644 2',
  './owned f 1234 644 1',
  './pipe p 0 644 1',
  './setuid f 0 4755 1',
  './symbolic l 0 777 1',
];

/** Names with type, owner, mode and number of links. */
export const listRichRoot =
  "LC_ALL=C find . -mindepth 1 -printf '%p %y %U %m %n\\n' | sed 's/ d \\(.*\\) [0-9]*$/ d \\1 2/' | LC_ALL=C sort";

/** Copies programs of this machine with the libraries that they need, for a root in which commands can run. */
export async function copyPrograms(root: string, programs: readonly string[]): Promise<void> {
  for (const program of programs) {
    const { stdout } = await execa('ldd', [program]);
    const libraries = [...stdout.matchAll(/(\/\S+)/g)].map(([path]) => path);
    for (const path of [program, ...libraries]) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await copyFile(await realpath(path), join(root, path));
    }
  }
}
