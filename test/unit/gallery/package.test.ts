import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildVsix, readVsix } from '../../../host/node/gallery/extension-package.ts';
import { hashPackageFiles, readGalleryPackages } from '../../../host/node/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { tempFolder } from '../tasks/folder.ts';
import { foreign } from './packages.ts';

const manifest = JSON.stringify({ name: 'a', publisher: 'P', version: '1.0.0', engines: { vscode: '*' } });
const files = new Map([
  ['package.json', Buffer.from(manifest)],
  ['media/b.txt', Buffer.from('b')],
]);

describe('a package of the gallery', () => {
  it('is packed to the same bytes each time, and read back from them', () => {
    const first = buildVsix('p.a', files);
    const reordered = new Map([...files].reverse());
    assert.deepEqual(Buffer.from(first.vsix), Buffer.from(buildVsix('p.a', reordered).vsix));
    const read = readVsix('a.vsix', Buffer.from(first.vsix));
    assert.equal(read.id, 'p.a');
    assert.deepEqual(hashPackageFiles(read), hashPackageFiles(first));
    assert.deepEqual([...read.files.keys()].sort(), ['media/b.txt', 'package.json']);
  });

  it('is read as packed by other programs', () => {
    const read = readVsix('real.vsix', foreign);
    assert.equal(read.manifest.version, '2.3.4');
    assert.equal(Buffer.from(read.files.get('README.md') ?? '').toString(), 'word '.repeat(40));
  });

  it('is refused before it is unpacked if it claims too many bytes or files', () => {
    const refused = (bytes: Buffer, message: RegExp) =>
      assert.throws(() => readVsix('x.vsix', bytes), { code: 'bad-package', message });
    const directory = foreign.indexOf('PK\x01\x02', 0, 'latin1');
    const huge = Buffer.from(foreign);
    huge.writeUInt32LE(0x7fff_ffff, directory + 24);
    refused(huge, /holds more than 1073741824 bytes/);
    const longer = Buffer.from(foreign);
    longer.writeUInt32LE(foreign.readUInt32LE(directory + 24) + 1, directory + 24);
    refused(longer, /damaged file, extension\/package\.json/);
    refused(claimingFiles(0xffff_ffff), /more than 100000 files/);
  });

  it('is refused by name if it is damaged', () => {
    const broken = Buffer.from(foreign);
    broken.fill(0, 40, 60);
    for (const bytes of [Buffer.from('nothing'), foreign.subarray(0, 100), broken])
      assert.throws(() => readVsix('x.vsix', bytes), { code: 'bad-package', message: /x\.vsix/ });
    const nameless = new Map([['package.json', Buffer.from('{}')]]);
    assert.throws(() => buildVsix('p.a', nameless), { code: 'bad-package', message: /publisher/ });
  });
});

/** An empty archive that claims, as large ones do, to hold this many files. */
function claimingFiles(count: number): Buffer {
  const [record, locator, end] = [Buffer.alloc(56), Buffer.alloc(20), Buffer.alloc(22)];
  record.write('PK\x06\x06', 'latin1');
  record.writeUInt32LE(count, 32);
  locator.write('PK\x06\x07', 'latin1');
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(0xffff, 8);
  return Buffer.concat([record, locator, end]);
}

describe('the packages of the gallery', () => {
  it('has a folder for each stand-in, and a .vsix replaces the one of its id', async () => {
    await using folder = await tempFolder({
      'someone.real/package.json': manifest.replace('"a"', '"real"').replace('"P"', '"someone"'),
      'p.a/package.json': manifest,
      'notes/README.md': 'no extension',
    });
    await writeFile(join(folder.path, 'real.vsix'), foreign);
    const packages = await readGalleryPackages(folder.path);
    assert.deepEqual([...packages.keys()].sort(), ['p.a', 'someone.real']);
    assert.equal(packages.get('someone.real')?.manifest.version, '2.3.4');
  });

  it('of this project declare each as a stand-in, and include all dependencies', async () => {
    const packages = await readGalleryPackages();
    for (const { id, manifest: own, files: held } of packages.values()) {
      assert.match(own.description, /Stand-in of Programming with Pixels/, id);
      assert.ok(held.has('README.md') && held.has(own.icon ?? ''), id);
      for (const need of own.extensionDependencies) assert.ok(packages.has(need), `${id} needs ${need}`);
    }
  });

  it('is empty if its folder is', async () => {
    await using folder = await temporaryFolder();
    assert.equal((await readGalleryPackages(folder.path)).size, 0);
  });
});
