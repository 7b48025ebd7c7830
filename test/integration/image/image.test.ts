import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { silentProgress } from '../../../host/lib/index.ts';
import { listImageLayers } from '../../../host/node/image/image-uses.ts';
import { ensureImage, type SandboxImage } from '../../../host/node/image/sandbox-image.ts';

describe('the sandbox image', () => {
  let image: SandboxImage;
  before(async function () {
    this.timeout(600_000);
    image = await ensureImage({ progress: silentProgress, signal: new AbortController().signal });
  });
  const find = (path: string) =>
    image.layers.map((layer) => join(layer, path)).find((full) => existsSync(full));
  const base = () => image.layers.at(-1) ?? '';
  const inBase = (...argv: string[]) =>
    execFileSync('chroot', [base(), ...argv], { encoding: 'utf8' }).trim();

  for (const path of [
    'opt/pwp/bridge.cjs',
    'opt/pwp/extension/extension.cjs',
    'opt/pwp/extensions/canvas/page.js',
    'opt/pwp/extensions/profile/page.js',
    'opt/pwp/page/defaults.js',
    'opt/node/bin/npm',
    'opt/node/include/node/node.h',
    'opt/code-server/node_modules/code-server/out/node/entry.js',
    'opt/code-server/node_modules/code-server/lib/vscode/node_modules/@vscode/spdlog/build/Release/spdlog.node',
    'etc/chromium/policies/managed/pwp.json',
    'etc/gtk-3.0/settings.ini',
    'usr/share/X11/xkb/symbols/us',
    'workspace',
    'ide',
  ]) {
    it(`has /${path}`, () => assert.ok(find(path)));
  }

  for (const program of ['tini', 'Xvfb', 'chromium', 'git', 'python3', 'pytest', 'rg', 'jq', 'less', 'ps']) {
    it(`has ${program}`, () => assert.match(inBase('sh', '-c', `command -v ${program}`), /^\//));
  }

  it('runs Node 24 and the pinned VS Code', () => {
    assert.match(inBase('/opt/node/bin/node', '--version'), /^v24\./);
    const manifest = join(base(), 'opt/code-server/node_modules/code-server/package.json');
    assert.equal((JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version, '4.139.1');
  });

  it('links the extensions and the defaults into VS Code', () => {
    const vscode = 'opt/code-server/node_modules/code-server/lib/vscode';
    const own = image.layers[0] ?? '';
    assert.equal(realpathSync(join(own, vscode, 'extensions/pwp')), join(own, 'opt/pwp/extension'));
    for (const name of ['canvas', 'profile', 'python'])
      assert.equal(
        realpathSync(join(own, vscode, `extensions/pwp-${name}`)),
        join(own, `opt/pwp/extensions/${name}`),
      );
    assert.equal(realpathSync(join(own, vscode, 'out/pwp')), join(own, 'opt/pwp/page'));
    assert.match(
      readFileSync(find(`${vscode}/out/vs/code/browser/workbench/workbench.html`) ?? '', 'utf8'),
      /out\/pwp\/defaults\.js/,
    );
  });

  it('has fonts for CJK characters and emoji', () => {
    assert.match(inBase('fc-list', ':lang=ja', 'family'), /Noto Sans CJK/);
    assert.match(inBase('fc-list', 'Noto Color Emoji'), /emoji/i);
  });

  it('holds no compiler and nothing of the machine that built it', () => {
    assert.throws(() => inBase('sh', '-c', 'command -v gcc g++ make'));
    assert.equal(inBase('cat', '/etc/hostname'), 'pwp');
    assert.equal(inBase('cat', '/etc/resolv.conf'), '');
    for (const path of ['opt/pwp-kit', 'etc/machine-id', 'root/.npm']) assert.equal(find(path), undefined);
  });

  it('is listed', async () => {
    assert.deepEqual(
      (await listImageLayers()).filter(({ rootfs }) => image.layers.includes(rootfs)).length,
      2,
    );
  });
});
