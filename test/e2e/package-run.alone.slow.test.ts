import assert from 'node:assert/strict';
import { execa } from 'execa';
import {
  fetchNode,
  type InstalledPackage,
  installPackage,
  maxPackageBytes,
  versionOf,
} from '../support/installed-package.ts';

describe('the installed package', function () {
  this.timeout(600_000);
  let installed: InstalledPackage;
  before(async () => {
    installed = await installPackage();
    assert.equal(await installed.compileExample(), '');
    assert.ok(installed.bytes <= maxPackageBytes, `${installed.bytes} bytes`);
  });
  after(() => installed[Symbol.asyncDispose]());

  for (const name of ['pwp', 'programming-with-pixels'])
    it(`is found by npx as ${name}`, async () => {
      const options = { cwd: installed.project };
      const { stdout } = await execa('npx', ['--no-install', '--loglevel=error', name, '--version'], options);
      assert.equal(stdout, await versionOf('.'));
    });

  for (const major of [22, 24]) {
    describe(`on Node ${major}`, () => {
      let node: string;
      before(async () => (node = await fetchNode(installed.folder, major)));

      it('prints its version and lists its tasks', async () => {
        assert.equal((await execa(node, [installed.pwp, '--version'])).stdout, await versionOf('.'));
        const options = { cwd: installed.project };
        const { stdout } = await execa(node, [installed.pwp, 'tasks', 'list'], options);
        assert.match(stdout, /vscode\/autosave-500/);
      });

      it("runs the README's example", async () => {
        const { stdout } = await execa(node, ['example.js'], { cwd: installed.project });
        assert.match(stdout, /^1 .*report\.html$/m);
      });
    });
  }

  describe('on Node 20', () => {
    let node: string;
    before(async () => (node = await fetchNode(installed.folder, 20)));

    it('says in one line what is missing if no other Node came with the package', async () => {
      const { exitCode, stderr } = await execa(node, [installed.pwp, '--version'], { reject: false });
      assert.equal(exitCode, 1);
      assert.match(stderr, /^pwp: Node\.js 22\.15 or newer is needed, this is v20\.[^\n]*$/);
    });

    it('runs in the Node that came with the package', async () => {
      // Runs the install script that was skipped before.
      await installed.npm('rebuild', 'node');
      assert.equal((await execa(node, [installed.pwp, '--version'])).stdout, await versionOf('.'));
    });
  });
});
