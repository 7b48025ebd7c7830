import assert from 'node:assert/strict';
import { onOneNode } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';
import { slowIt } from '../../support/slow.ts';

/** Each of these opened a page, bar, dialog or window of Chromium where VS Code did not handle it. */
const browserKeys = ['ctrl+j', 'ctrl+shift+i', 'F11', 'alt+Left', 'ctrl+plus'];
const moreBrowserKeys = [
  ...['ctrl+h', 'ctrl+d', 'ctrl+u', 'ctrl+shift+t', 'ctrl+shift+Delete'],
  ...['F3', 'F7', 'F12', 'alt+Home', 'ctrl+minus'],
];

onOneNode('keys that a browser would handle itself', (open) => {
  let ide: Ide;
  before(async () => (ide = await Ide.start(open, { 'a.txt': 'a\n' })));
  after(() => ide[Symbol.asyncDispose]());

  for (const key of [...browserKeys, ...moreBrowserKeys]) {
    (browserKeys.includes(key) ? it : slowIt)(`${key} stays inside the IDE`, async () => {
      const before = await ide.observe();
      const icon = await ide.find('tab', /^Explorer/);
      await ide.key(key);
      const { workbench, url } = await ide.observe();
      assert.ok(workbench);
      assert.equal(url, before.url);
      // A zoomed page would move and scale it.
      assert.deepEqual((await ide.find('tab', /^Explorer/)).box, icon.box);
    });
  }

  it('report a request for another window as a blocked pop-up, and keep the keyboard', async () => {
    await ide.key('ctrl+shift+n');
    await ide.find('button', /Retry/);
    await ide.click(await ide.find('button', /^Cancel/));
    await ide.key('ctrl+p');
    const { focus } = await ide.observeStill();
    assert.match(focus?.name ?? '', /Search files by name/);
    await ide.key('Escape');
  });
});
