import assert from 'node:assert/strict';
import { dom, fileTools, workspaceMethods } from '../../../bridge/protocol/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { ToolIde } from '../../support/tool-ide.ts';

onOneNode("the consent question, in a person's own IDE", (open) => {
  let ide: ToolIde;
  before(async () => {
    ide = await ToolIde.start(open, { 'a.txt': 'one\n' });
    // If the extension is not the image's own, VS Code counts as a person's.
    await ide.bash('mv /opt/pwp/extension /opt/pwp/installed && ln -s installed /opt/pwp/extension');
    await ide.ide.sandbox.call(workspaceMethods.reopen, {}, { signal: AbortSignal.timeout(180_000) });
  });
  after(() => ide[Symbol.asyncDispose]());

  const change = { path: 'a.txt', old_string: 'one', new_string: 'a new line' };
  const asked = () =>
    ide.ide.until('the question', ({ focus }) => (focus?.name === 'Deny' ? focus : undefined));

  for (const key of ['Return', 'space', 'Escape'])
    it(`shows the change, and ${key} meant for an editor denies it`, async () => {
      const refused = ide.refused('not-allowed', fileTools.searchReplace, change);
      await asked();
      const { pieces } = await ide.ide.sandbox.call(dom.text, {}, { signal: AbortSignal.timeout(60_000) });
      assert.match(JSON.stringify(pieces), /- one.*\+ a new line/);
      await ide.ide.key(key);
      assert.match(await refused, /did not allow it/);
      assert.equal(await ide.onDisk('a.txt'), 'one\n');
    });

  it('lets the call continue when the person allows it', async () => {
    const answer = ide.call(fileTools.searchReplace, change);
    await asked();
    await ide.ide.click(await ide.ide.find('button', /^Allow Once$/));
    await answer;
    assert.equal(await ide.onDisk('a.txt'), 'a new line\n');
  });
});
