import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { packageFolder } from '../../../host/lib/index.ts';
import { ideDefaults } from '../../../host/tasks/grade/checks/effective-settings.ts';

/** Runs the image's script as workbench.html does, and returns the defaults that it embeds. */
async function imageDefaults(): Promise<Record<string, unknown>> {
  const script = await readFile(
    join(packageFolder(), 'images/sandbox/files/opt/pwp/page/defaults.js'),
    'utf8',
  );
  let settings = '{}';
  const page = {
    getAttribute: () => settings,
    setAttribute: (_: string, value: string) => (settings = value),
  };
  const document = {
    getElementById: () => page,
    createElement: () => ({}),
    head: { append: () => undefined },
  };
  const navigator = { serviceWorker: { register: () => Promise.resolve() } };
  runInNewContext(script, { document, navigator, location: { host: '' } });
  return (JSON.parse(settings) as { configurationDefaults: Record<string, unknown> }).configurationDefaults;
}

describe('the defaults that checks assume', () => {
  it('are those of the image, if it sets them', async () => {
    const image = await imageDefaults();
    assert.equal(image['files.autoSave'], 'off');
    for (const [key, value] of Object.entries(ideDefaults)) {
      if (key in image) assert.deepEqual(value, image[key], key);
    }
  });
});
