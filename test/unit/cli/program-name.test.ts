import assert from 'node:assert/strict';
import { withProgramName } from '../../../host/doors/cli/output.ts';

describe('a command in a printed text', () => {
  for (const [text, typed] of [
    ['See which ones there are: pwp sandboxes list', 'See which ones there are: npx pwp sandboxes list'],
    [
      'Only `pwp up` and npx pwp mcp, as in pwp --help',
      'Only `npx pwp up` and npx pwp mcp, as in npx pwp --help',
    ],
    ['  pwp down pwp-1\nPWP_TOKEN=… pwp view x', '  npx pwp down pwp-1\nPWP_TOKEN=… npx pwp view x'],
    [
      '/opt/pwp bridge, ~/.cache/pwp or the extension pwp.',
      '/opt/pwp bridge, ~/.cache/pwp or the extension pwp.',
    ],
  ] as const)
    it(`is printed as the user has to type it: ${JSON.stringify(text)}`, () =>
      assert.equal(withProgramName(text, 'npx pwp'), typed));

  it('is unchanged if pwp is on the PATH', () =>
    assert.equal(withProgramName('Run: pwp images build', 'pwp'), 'Run: pwp images build'));
});
