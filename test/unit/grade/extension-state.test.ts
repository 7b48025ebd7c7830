import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Check } from '../../../host/tasks/grade/checks/check-result.ts';
import {
  extensionInstalled,
  type GalleryCatalogue,
  type IdeFacts,
} from '../../../host/tasks/grade/checks/ide-facts.ts';
import { left } from './left.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const manifest = (id: string, needs: readonly string[] = []) => {
  const [publisher, name] = id.split('.');
  return { publisher, name, version: '1.0.0', extensionDependencies: needs };
};
const catalogue: GalleryCatalogue = {
  'ms.tool': {
    version: '1.0.0',
    manifest: manifest('ms.tool', ['ms.base']),
    files: { 'main.js': hash('tool') },
  },
  'ms.base': { version: '1.0.0', manifest: manifest('ms.base'), files: { 'main.js': hash('base') } },
};

const entry = (id: string) => ({ identifier: { id }, version: '1.0.0', relativeLocation: `${id}-1.0.0` });
/** An installation as code-server leaves it. */
const installed: Readonly<Record<string, string>> = {
  'ide/extensions/extensions.json': JSON.stringify([entry('ms.tool'), entry('ms.base')]),
  'ide/extensions/ms.tool-1.0.0/package.json': JSON.stringify({
    ...manifest('ms.tool', ['ms.base']),
    __metadata: { size: 7 },
  }),
  'ide/extensions/ms.tool-1.0.0/main.js': 'tool',
  'ide/extensions/ms.base-1.0.0/package.json': JSON.stringify(manifest('ms.base')),
  'ide/extensions/ms.base-1.0.0/main.js': 'base',
};
const bothEnabled: IdeFacts = { extensions: ['some.other', 'ms.tool', 'ms.base'] };

async function check(files: Record<string, string | null>, facts = bothEnabled): Promise<Check> {
  const all = Object.entries({ ...installed, ...files }).flatMap(([path, text]) =>
    text === null ? [] : [[path, text]],
  );
  await using folder = await left(Object.fromEntries(all) as Record<string, string>);
  return await extensionInstalled(folder.files, catalogue, facts, 'ms.tool');
}

async function fails(why: RegExp, files: Record<string, string | null>, facts?: IdeFacts) {
  const found = await check(files, facts);
  assert.ok(!found.passed, found.why);
  assert.match(found.why, why);
}

describe('the state of an extension', () => {
  it('is installed if it is listed with the files that were served', async () => {
    assert.ok((await check({})).passed);
    assert.ok((await check({ 'ide/extensions/.obsolete': '{"ms.tool-0.9.0":true}' })).passed);
  });

  it('is not installed by another id, without a list, or with a broken one', async () => {
    const other = JSON.stringify([entry('ms.tool-tools'), entry('ms.base')]);
    await fails(/ms\.tool is not installed/, { 'ide/extensions/extensions.json': other });
    await fails(/does not exist/, { 'ide/extensions/extensions.json': null });
    for (const broken of ['{', '{}', '[null, 1]'])
      assert.ok(!(await check({ 'ide/extensions/extensions.json': broken })).passed);
  });

  it('is not installed by a folder of that name, or with a changed file', async () => {
    await fails(/main\.js does not exist/, { 'ide/extensions/ms.tool-1.0.0/main.js': null });
    await fails(/is not the file/, { 'ide/extensions/ms.tool-1.0.0/main.js': 'other' });
    await fails(/package\.json is not the one/, {
      'ide/extensions/ms.tool-1.0.0/package.json': JSON.stringify(manifest('ms.tool')),
    });
    const elsewhere = JSON.stringify([
      { ...entry('ms.tool'), relativeLocation: '../../root' },
      entry('ms.base'),
    ]);
    await fails(/not with its folder/, { 'ide/extensions/extensions.json': elsewhere });
  });

  it('is not installed without its dependencies, or after it was uninstalled', async () => {
    await fails(/ms\.base is not installed/, {
      'ide/extensions/extensions.json': JSON.stringify([entry('ms.tool')]),
    });
    await fails(/ms\.tool is uninstalled/, { 'ide/extensions/.obsolete': '{"ms.tool-1.0.0":true}' });
  });

  it("is not enabled if it or a dependency is missing from the IDE's list", async () => {
    await fails(/ms\.tool is installed, but disabled/, {}, { extensions: ['ms.base'] });
    await fails(/ms\.base is installed, but disabled/, {}, { extensions: ['ms.tool'] });
  });

  it('fails if the IDE could not answer, and needs its answer', async () => {
    await fails(/does not start/, {}, { problem: 'VS Code does not start on what was left' });
    await assert.rejects(check({}, {}), /was not asked for extensions/);
  });
});
