import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Settings } from '../../../host/tasks/grade/checks/effective-settings.ts';
import { left, remoteSettings, settingsOf, userHas, userSettings, workspaceSettings } from './left.ts';

const key = 'files.autoSaveDelay';

describe('effective settings', () => {
  it('are the defaults if nothing is set', async () => {
    const settings = await settingsOf({});
    assert.equal(settings.effective('files.autoSave'), 'off');
    assert.equal(settings.effective(key), 1000);
    assert.equal(settings.effective('no.such.setting'), undefined);
  });

  it('come from the strongest scope: user, remote, workspace', async () => {
    const user = { [userSettings]: { [key]: 1 } };
    const remote = { ...user, [remoteSettings]: { [key]: 2 } };
    assert.equal((await settingsOf(user)).effective(key), 1);
    assert.equal((await settingsOf(remote)).effective(key), 2);
    assert.equal((await settingsOf({ ...remote, [workspaceSettings]: { [key]: 3 } })).effective(key), 3);
  });

  it('prefer a language override to every plain value', async () => {
    const settings = await settingsOf({
      [userSettings]: { '[python]': { [key]: 1 } },
      [workspaceSettings]: { [key]: 2 },
    });
    assert.equal(settings.effective(key, 'python'), 1);
    assert.equal(settings.effective(key, 'go'), 2);
    assert.equal(settings.effective(key), 2);
  });

  it('prefer an override for one language to one for several', async () => {
    const settings = await settingsOf({
      [userSettings]: { '[python]': { [key]: 1 } },
      [workspaceSettings]: { '[python][go]': { [key]: 2 } },
    });
    assert.equal(settings.effective(key, 'python'), 1);
    assert.equal(settings.effective(key, 'go'), 2);
    assert.deepEqual(settings.languages, ['python', 'go']);
  });

  it('merge objects across scopes', async () => {
    const settings = await settingsOf({
      [userSettings]: { 'files.exclude': { a: true, b: true } },
      [workspaceSettings]: { 'files.exclude': { b: false } },
    });
    const value = settings.effective('files.exclude') as Record<string, unknown>;
    assert.equal(value['a'], true);
    assert.equal(value['b'], false);
    assert.equal(value['**/.git'], true);
  });

  it('treat nested keys as dotted ones, as VS Code does', async () => {
    assert.equal((await userHas({ files: { autoSaveDelay: 7 } })).effective(key), 7);
  });

  it('survive keys with a meaning in JavaScript', async () => {
    const settings = await userHas(
      '{"__proto__": {"files": 1}, "constructor.x": 2, "files.autoSaveDelay": 7, "toString": 1}',
    );
    assert.equal(settings.effective(key), 7);
    assert.equal(settings.effective('constructor.name'), undefined);
    assert.equal(({} as Record<string, unknown>)['files'], undefined);
  });

  it('allow comments, trailing commas, a byte order mark, and no content', async () => {
    const settings = await userHas(`\uFEFF// mine\n{ /* delay */ "${key}": 5, }`);
    assert.deepEqual([settings.problems, settings.effective(key)], [[], 5]);
    for (const empty of ['', '  \n', '// nothing\n']) assert.deepEqual((await userHas(empty)).problems, []);
  });

  it('use the last of two equal keys', async () => {
    assert.equal((await userHas(`{"${key}": 5, "${key}": 6}`)).effective(key), 6);
  });
});

describe('broken settings', () => {
  const problem = async (text: string) => (await userHas(text)).problems.join();

  it('are reported with what is wrong and where', async () => {
    assert.match(
      await problem('{\n  "a": }'),
      /settings\.json is not valid JSON: ValueExpected in line 2, column 8/,
    );
    assert.match(await problem('{"a": 1'), /not valid JSON: CloseBraceExpected/);
    assert.match(await problem('[]'), /does not hold a JSON object/);
    assert.match(await problem('null'), /does not hold a JSON object/);
    assert.match(await problem(`{"a": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`), /nested too deeply/);
    assert.match(await problem(`{"a": ${'['.repeat(200)}${']'.repeat(200)}}`), /nested too deeply/);
    assert.match(await problem(`{"a": "${'x'.repeat(300_000)}"}`), /bytes, more than the/);
  });

  it('are reported for a folder in place of the file', async () => {
    await using folder = await left({});
    await mkdir(join(folder.path, userSettings), { recursive: true });
    assert.match((await Settings.read(folder.files)).problems.join(), /is a folder/);
  });

  it('are reported for other encodings', async () => {
    await using folder = await left({});
    await mkdir(join(folder.path, 'ide/data/User'), { recursive: true });
    for (const bytes of [Buffer.from('\uFEFF{"a": 1}', 'utf16le'), Buffer.from('{"a": "\xe9"}', 'latin1')]) {
      await writeFile(join(folder.path, userSettings), bytes);
      assert.match((await Settings.read(folder.files)).problems.join(), /is not text in UTF-8/);
    }
  });
});
