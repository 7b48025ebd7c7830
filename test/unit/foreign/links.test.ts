import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  findEscapingLinks,
  type FutureEntries,
  readTargetsFromDisk,
} from '../../../host/node/changes/path-safety.ts';
import { noteAttack } from '../../support/attacks.ts';
import { temporaryFolder } from '../../support/folder.ts';

const coming = (links: Readonly<Record<string, string | null>>): FutureEntries =>
  new Map(
    Object.entries(links).map(([path, target]) => [path, target === null ? null : { kind: 'link', target }]),
  );

describe('links that leave a sandbox', () => {
  /** @param here links that already exist in the folder */
  const out = async (
    links: Readonly<Record<string, string | null>>,
    here: Readonly<Record<string, string>> = {},
  ) => {
    await using folder = await temporaryFolder();
    for (const [path, target] of Object.entries(here)) {
      await mkdir(dirname(folder.file(path)), { recursive: true });
      await symlink(target, folder.file(path));
    }
    return [
      ...(await findEscapingLinks(readTargetsFromDisk(folder.path), coming(links), Object.keys(here))),
    ].sort();
  };
  const attack = (
    what: string,
    links: Record<string, string | null>,
    unsafe: string[],
    here?: Record<string, string>,
  ) =>
    it(`are left out if ${what}`, async () => {
      const found = await out(links, here);
      noteAttack({
        on: 'a pull or a copy',
        what,
        node: null,
        held: unsafe.every((path) => found.includes(path)),
      });
      assert.deepEqual(found, unsafe);
    });

  attack('one leads out through another', { 'a/b/d': '../..', up: 'a/b/d/..' }, ['up']);
  attack('one leads out through two others', { 'a/d': '..', e: 'a/d/a/d', up: 'e/../x' }, ['up']);
  attack('one is absolute', { a: '/etc' }, ['a']);
  attack('one leads out by itself', { 'a/b': '../../x' }, ['a/b']);
  attack('one goes through an absolute one', { a: '/', b: 'a/etc/passwd' }, ['a', 'b']);
  attack('one leads out through an existing link', { up: 'here/..' }, ['up'], { here: '.' });
  attack('an existing link goes through it', { d: '.' }, ['d'], { mine: 'd/../x' });
  attack('an existing link goes through one in place of a folder', { 'a/b': '..' }, ['a/b'], {
    mine: 'a/b/../x',
  });
  attack('one differs only in case', { 'a/b/d': '../..', up: 'A/B/D/..' }, ['up']);
  attack('one is spelled in another Unicode form', { '\u00e9': '.', up: 'e\u0301/..' }, ['up']);
  attack('one names a drive', { a: 'C:\\x' }, ['a']);
  attack('an omitted link uncovers an existing one', { d: '../x', e: 'd/../y' }, ['d', 'e'], { d: '.' });

  it('are kept if they do not lead out', async () => {
    const links = {
      'a/b/d': '../..',
      x: 'a/b/d/x/y',
      loop: 'loop',
      one: 'two',
      two: 'one',
      dangling: 'none/../a',
    };
    assert.deepEqual(await out(links), []);
    assert.deepEqual(await out({ gone: null }, { mine: 'gone/x' }), []);
    assert.deepEqual(await out({ new: 'x' }, { mine: '../already/out' }), []);
  });

  it("are checked by their future paths, only below the user's folder", async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'to'));
    assert.deepEqual(
      [...(await findEscapingLinks(readTargetsFromDisk(join(folder.path, 'to')), coming({ a: '../to/x' })))],
      ['a'],
    );
  });
});
