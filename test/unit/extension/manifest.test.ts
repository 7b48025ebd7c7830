import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { packageFolder } from '../../../host/lib/index.ts';

const menu = z.array(z.object({ command: z.string(), when: z.string() }));
const schema = z.object({
  capabilities: z.object({
    untrustedWorkspaces: z.object({ supported: z.literal('limited'), description: z.string() }),
  }),
  contributes: z.object({
    commands: z.array(z.object({ command: z.string() })),
    menus: z.object({ commandPalette: menu, 'view/title': menu }),
  }),
});

/** Commands that ask the bridge of a sandbox. */
const needSandbox = ['pwp.showLastObservation', 'pwp.copyMarks', 'pwp.showMarks', 'pwp.hideMarks'];

describe("the extension's manifest", () => {
  let manifest: z.output<typeof schema>;
  before(async () => {
    const text = await readFile(join(packageFolder(), 'extension/package.json'), 'utf8');
    manifest = schema.parse(JSON.parse(text));
  });

  it('offers no command outside a sandbox that needs one', () => {
    const { commands, menus } = manifest.contributes;
    for (const id of needSandbox) {
      assert.ok(
        commands.some(({ command }) => command === id),
        id,
      );
      for (const place of ['commandPalette', 'view/title'] as const) {
        const entries = menus[place].filter(({ command }) => command === id);
        assert.ok(entries.length > 0, `${id} in ${place}`);
        for (const { when } of entries) assert.match(when, /\bpwp\.inSandbox\b/, `${id} in ${place}`);
      }
    }
  });

  it('says what remains in Restricted Mode', () => {
    assert.match(manifest.capabilities.untrustedWorkspaces.description, /only read/);
  });
});
