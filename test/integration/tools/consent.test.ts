import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { dom, fileTools, searchTools } from '../../../bridge/protocol/index.ts';
import { openWithLayer } from '../../support/each-node.ts';
import type { SandboxImage } from '../../../host/node/image/sandbox-image.ts';
import { ToolIde } from '../../support/tool-ide.ts';

const run = promisify(execFile);

/** If the extension is not at the image's own place, VS Code counts as a person's. It has no ripgrep either. */
async function makePersonal(layer: string, { layers }: SandboxImage): Promise<void> {
  const place = 'opt/pwp/extension';
  const [own = ''] = layers.filter((each) => existsSync(join(each, place)));
  await mkdir(join(layer, 'opt/pwp'), { recursive: true });
  await run('cp', ['-a', join(own, place), join(layer, 'opt/pwp/installed')]);
  await symlink('installed', join(layer, place));
  const base = layers.at(-1) ?? '';
  const { stdout } = await run('find', [base, '-xdev', '-name', 'rg', '-type', 'f', '-printf', '%P\n']);
  for (const path of stdout.trimEnd().split('\n')) {
    await mkdir(join(layer, dirname(path)), { recursive: true });
    // In a layer, that is a file that was removed.
    await run('mknod', [join(layer, path), 'c', '0', '0']);
  }
}

describe("a person's own IDE", function () {
  this.timeout(300_000);
  let ide: ToolIde;
  before(async () => {
    ide = await ToolIde.start(() => openWithLayer(makePersonal), { 'a.txt': 'one\n' });
  });
  after(() => ide[Symbol.asyncDispose]());

  const change = { path: 'a.txt', old_string: 'one', new_string: 'a new line' };
  const asked = () =>
    ide.ide.until('the question', ({ focus }) => (focus?.name === 'Deny' ? focus : undefined));

  for (const key of ['Return', 'space', 'Escape'])
    it(`asks for consent with the change, and ${key} meant for an editor denies it`, async () => {
      const refused = ide.refused('not-allowed', fileTools.searchReplace, change);
      await asked();
      const { pieces } = await ide.ide.sandbox.call(dom.text, {}, { signal: AbortSignal.timeout(60_000) });
      assert.match(JSON.stringify(pieces), /- one.*\+ a new line/);
      await ide.ide.key(key);
      assert.match(await refused, /did not allow it/);
      assert.equal(await ide.onDisk('a.txt'), 'one\n');
    });

  it('names the program that a search misses', async () => {
    const message = await ide.refused('no-search-program', searchTools.grepSearch, { query: 'x' });
    assert.match(message, /ripgrep/);
  });

  it('lets the call continue when the person allows it', async () => {
    const answer = ide.call(fileTools.searchReplace, change);
    await asked();
    await ide.ide.click(await ide.ide.find('button', /^Allow Once$/));
    await answer;
    assert.equal(await ide.onDisk('a.txt'), 'a new line\n');
  });
});
