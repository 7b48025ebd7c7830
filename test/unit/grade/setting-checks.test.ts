import assert from 'node:assert/strict';
import type { Check } from '../../../host/tasks/grade/checks/check-result.ts';
import {
  colorTheme,
  excluded,
  settingIs,
  settingIsOneOf,
  settingOnlyFor,
} from '../../../host/tasks/grade/checks/setting-checks.ts';
import { settingsOf, userHas, userSettings, workspaceSettings } from './left.ts';

const passes = (...checks: readonly Check[]) => {
  const failing = checks.filter(({ passed }) => !passed);
  assert.deepEqual(failing, []);
};
const fails = (why: RegExp, ...checks: readonly Check[]) => {
  const failing = checks.filter(({ passed }) => !passed);
  assert.match(failing.map((check) => `${check.name}: ${check.why}`).join('\n'), why);
};

describe('auto save after 500 ms', () => {
  const autoSave = async (files: Record<string, object | string>): Promise<Check[]> => {
    const settings = await settingsOf(files);
    return [
      settingIs(settings, 'files.autoSave', 'afterDelay'),
      settingIs(settings, 'files.autoSaveDelay', 500),
    ];
  };
  const right = { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 500 };

  it('passes for user and for workspace settings', async () => {
    passes(...(await autoSave({ [userSettings]: right })));
    passes(...(await autoSave({ [userSettings]: { 'files.autoSave': 'off' }, [workspaceSettings]: right })));
  });

  it('fails for only the delay', async () => {
    fails(
      /^files\.autoSave: expected "afterDelay", is "off"$/,
      ...(await autoSave({ [userSettings]: { 'files.autoSaveDelay': 500 } })),
    );
  });

  it('fails for a delay that is not a number', async () => {
    const files = { [userSettings]: { ...right, 'files.autoSaveDelay': '500' } };
    fails(/expected 500, is "500"/, ...(await autoSave(files)));
  });

  it('fails when the workspace overrides the user', async () => {
    fails(
      /is "off"/,
      ...(await autoSave({ [userSettings]: right, [workspaceSettings]: { 'files.autoSave': 'off' } })),
    );
  });

  it('fails for a file that VS Code would ask its user to repair', async () => {
    fails(/not valid JSON/, ...(await autoSave({ [userSettings]: JSON.stringify(right).slice(0, -1) })));
  });
});

describe('auto save delay back to its default', () => {
  it('passes without the key, since 1000 ms is the default', async () => {
    passes(settingIs(await userHas({ 'files.autoSave': 'afterDelay' }), 'files.autoSaveDelay', 1000));
  });
});

describe('format on save for Python only', () => {
  const onlyPython = async (user: object, workspace: object = {}) =>
    settingOnlyFor(
      await settingsOf({ [userSettings]: user, [workspaceSettings]: workspace }),
      'editor.formatOnSave',
      true,
      ['python'],
    );
  const on = { 'editor.formatOnSave': true };
  const off = { 'editor.formatOnSave': false };

  it('passes for an override, also with others that are off', async () => {
    passes(...(await onlyPython({ '[python]': on })));
    passes(...(await onlyPython({ ...off, '[javascript]': { 'editor.tabSize': 2 }, '[python]': on })));
    passes(...(await onlyPython({ ...on, '[python]': on }, off)));
  });

  it('passes for a key of several languages that are off one by one', async () => {
    passes(...(await onlyPython({ '[python][go]': on, '[go]': off })));
  });

  it('fails for the global setting', async () => {
    fails(/in other languages: is true for all languages/, ...(await onlyPython({ ...on, '[python]': on })));
  });

  it('fails for a left-over override', async () => {
    fails(/is true in javascript too/, ...(await onlyPython({ '[javascript]': on, '[python]': on })));
  });

  it('fails for an override of a language that is not common', async () => {
    fails(/is true in elm too/, ...(await onlyPython({ '[elm]': on, '[python]': on })));
  });

  it('fails for a key that several languages share', async () => {
    fails(/is true in json too/, ...(await onlyPython({ '[python][json]': on })));
  });

  it('fails when Python itself is not on', async () => {
    fails(/in python: expected true, is false/, ...(await onlyPython(off)));
    fails(
      /in python: expected true, is "true"/,
      ...(await onlyPython({ '[python]': { 'editor.formatOnSave': 'true' } })),
    );
  });
});

describe('colour theme', () => {
  const dark = 'Solarized Dark';
  const theme = async (user: object) => colorTheme(await userHas(user), dark);

  it('passes for the theme, in the workspace too', async () => {
    passes(await theme({ 'workbench.colorTheme': dark }));
    passes(colorTheme(await settingsOf({ [workspaceSettings]: { 'workbench.colorTheme': dark } }), dark));
  });

  it('fails for another theme and for copied colours', async () => {
    fails(/is "Solarized Light"/, await theme({ 'workbench.colorTheme': 'Solarized Light' }));
    fails(
      /is "Light 2026"/,
      await theme({ 'workbench.colorCustomizations': { 'editor.background': '#002b36' } }),
    );
  });

  it('fails when VS Code follows the system instead', async () => {
    const follows = { 'workbench.colorTheme': dark, 'window.autoDetectColorScheme': true };
    fails(/autoDetectColorScheme is on and .* is "Light 2026"/, await theme(follows));
    const both = { 'workbench.preferredLightColorTheme': dark, 'workbench.preferredDarkColorTheme': dark };
    passes(await theme({ ...follows, ...both }));
  });
});

describe('files.exclude', () => {
  const hidden = ['app.log', 'src/deep/x.log', 'a.tmp', 'src/b.tmp'];
  const hides = async (exclude: object) =>
    excluded(await userHas({ 'files.exclude': exclude }), hidden, ['src/app.py']);

  it('passes for patterns at every depth, also in braces', async () => {
    passes(await hides({ '**/*.log': true, '**/*.tmp': true }));
    passes(await hides({ '**/*.{log,tmp}': true }));
  });

  it('fails for only the root, for false, for a condition and for too much', async () => {
    fails(/src\/deep\/x\.log, src\/b\.tmp not hidden/, await hides({ '*.log': true, '*.tmp': true }));
    fails(/not hidden/, await hides({ '**/*.{log,tmp}': false }));
    fails(/not hidden/, await hides({ '**/*.{log,tmp}': { when: '$(basename).py' } }));
    fails(/src\/app\.py hidden as well/, await hides({ '**/*': true }));
  });

  it('fails for search.exclude', async () => {
    const settings = await userHas({ 'search.exclude': { '**/*.{log,tmp}': true } });
    fails(/not hidden/, excluded(settings, hidden, []));
  });
});

describe('a setting about the program itself', () => {
  const key = 'window.restoreWindows';
  const allowed = ['one', 'folders', 'all', 'preserve'];

  it("is the user's or the default", async () => {
    assert.equal(settingIsOneOf(await userHas({}), key, allowed).passed, true);
    assert.equal(settingIsOneOf(await userHas({ [key]: 'folders' }), key, allowed).passed, true);
    const none = settingIsOneOf(await userHas({ window: { restoreWindows: 'none' } }), key, allowed);
    assert.match(none.why, /expected one of "one", .*, is "none"/);
  });

  it("is never the workspace's", async () => {
    for (const workspace of [{ [key]: 'all' }, { window: { restoreWindows: 'all', zoomLevel: 1 } }]) {
      const settings = await settingsOf({
        [userSettings]: { [key]: 'none' },
        [workspaceSettings]: workspace,
      });
      assert.equal(settingIsOneOf(settings, key, allowed).passed, false);
    }
  });
});
