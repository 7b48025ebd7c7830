import assert from 'node:assert/strict';
import { pythonInterpreter, pythonSeverities } from '../../../host/tasks/grade/checks/python-checks.ts';
import { backgroundImage } from '../../../host/tasks/grade/checks/setting-checks.ts';
import { left, settingsOf, userHas, userSettings, workspaceSettings } from './left.ts';

const overrides = 'python.analysis.diagnosticSeverityOverrides';
const wanted = { silent: ['reportMissingImports'], kept: { reportUnusedVariable: 'error' } };
const kept = { reportUnusedVariable: 'error' };

async function severities(settings: object, workspace: object = {}): Promise<boolean> {
  const read = await settingsOf({ [userSettings]: settings, [workspaceSettings]: workspace });
  return pythonSeverities(read, wanted).every(({ passed }) => passed);
}

describe('the severities of the Python analysis', () => {
  it('pass if a rule is silent and the others are unchanged', async () => {
    for (const value of ['none', false])
      assert.ok(await severities({ [overrides]: { ...kept, reportMissingImports: value } }));
    assert.ok(await severities({ [overrides]: kept }, { [overrides]: { reportMissingImports: 'none' } }));
  });

  it('fail if it is reported, or another override is gone', async () => {
    assert.ok(!(await severities({ [overrides]: kept })));
    assert.ok(!(await severities({ [overrides]: { ...kept, reportMissingImports: 'warning' } })));
    assert.ok(!(await severities({ [overrides]: { reportMissingImports: 'none' } })));
    assert.ok(!(await severities({ [overrides]: ['reportMissingImports'] })));
  });

  it('fail if nothing is analysed any more', async () => {
    const good = { [overrides]: { ...kept, reportMissingImports: 'none' } };
    assert.ok(!(await severities({ ...good, 'python.languageServer': 'None' })));
    assert.ok(!(await severities({ ...good, 'python.analysis.ignore': ['*'] })));
  });
});

describe('the Python interpreter', () => {
  const path = '/workspace/venv/bin/python';
  const choices = 'ide/data/User/globalStorage/pwp.python/interpreters.json';
  const of = async (files: Record<string, object>) => {
    const texts = Object.entries(files).map(([name, value]) => [name, JSON.stringify(value)]);
    await using folder = await left(Object.fromEntries(texts) as Record<string, string>);
    return (await pythonInterpreter(folder.files, path)).passed;
  };
  const setting = (value: unknown) => ({ 'python.defaultInterpreterPath': value });

  it("is the workspace's own setting, in any spelling of the path", async () => {
    for (const value of [path, 'venv/bin/python', './venv/bin/python', '${workspaceFolder}/venv/bin/python'])
      assert.ok(await of({ [workspaceSettings]: setting(value) }), value);
    assert.ok(await of({ [workspaceSettings]: { python: { defaultInterpreterPath: path } } }));
  });

  it('is the one chosen in the IDE, regardless of settings', async () => {
    assert.ok(await of({ [choices]: { '/workspace': path } }));
    assert.ok(
      !(await of({ [choices]: { '/workspace': '/usr/bin/python3' }, [workspaceSettings]: setting(path) })),
    );
    assert.ok(!(await of({ [choices]: { '/other': path } })));
  });

  it("is neither the user's default nor another one", async () => {
    assert.ok(!(await of({ [userSettings]: setting(path) })));
    for (const value of ['/usr/bin/python3', 'venv/bin/python3', 7, ''])
      assert.ok(!(await of({ [workspaceSettings]: setting(value) })));
  });
});

describe('a background image', () => {
  const check = async (settings: object) =>
    backgroundImage(await userHas(settings), '/workspace/background.jpg').passed;

  it("is the one in the extension's lists, as a path or an address", async () => {
    for (const image of [
      '/workspace/background.jpg',
      'file:///workspace/background.jpg',
      '/workspace/./background.jpg',
    ]) {
      assert.ok(await check({ 'background.editor': { images: [image] } }), image);
      assert.ok(await check({ 'background.fullscreen': { images: [image] } }), image);
    }
  });

  it('is not another one, not one among others, and not one that is disabled', async () => {
    const good = { 'background.editor': { images: ['/workspace/background.jpg'] } };
    assert.ok(!(await check({})));
    assert.ok(!(await check({ ...good, 'background.enabled': false })));
    assert.ok(
      !(await check({ ...good, 'background.fullscreen': { images: ['/workspace/background-old.jpg'] } })),
    );
    for (const image of [
      'background.jpg',
      'https://example.org/workspace/background.jpg',
      'file://host/workspace/background.jpg',
      3,
    ])
      assert.ok(!(await check({ 'background.editor': { images: [image] } })));
  });
});
