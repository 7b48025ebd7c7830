import assert from 'node:assert/strict';
import { findSettingSource, type InspectedSetting } from '../../../extension/src/lib/setting-source.ts';

describe('the source of an effective setting', () => {
  const scopes = [
    { field: 'defaultValue', scope: 'default', override: false },
    { field: 'globalValue', scope: 'user', override: false },
    { field: 'workspaceValue', scope: 'workspace', override: false },
    { field: 'workspaceFolderValue', scope: 'folder', override: false },
    { field: 'defaultLanguageValue', scope: 'default', override: true },
    { field: 'globalLanguageValue', scope: 'user', override: true },
    { field: 'workspaceLanguageValue', scope: 'workspace', override: true },
    { field: 'workspaceFolderLanguageValue', scope: 'folder', override: true },
  ];

  for (const [strength, { field, scope, override }] of scopes.entries()) {
    it(`is ${field} when nothing stronger has a value`, () => {
      const weaker = scopes.slice(0, strength + 1).map((one, value) => [one.field, value] as const);
      const inspected: InspectedSetting = Object.fromEntries(weaker);
      assert.deepEqual(findSettingSource(inspected, strength), { scope, override }, field);
    });
  }

  it('is undefined for a key without any value', () => {
    assert.equal(findSettingSource({}, undefined), undefined);
  });

  it('counts false, zero, null and the empty text as values', () => {
    for (const value of [false, 0, null, '']) {
      assert.equal(findSettingSource({ defaultValue: 'x', globalValue: value }, value)?.scope, 'user');
    }
  });

  it('is the strongest of the scopes with equal values', () => {
    assert.equal(
      findSettingSource({ defaultValue: 4, globalValue: 4, workspaceValue: 4 }, 4)?.scope,
      'workspace',
    );
  });

  it('skips a scope that VS Code ignores for the key', () => {
    assert.equal(findSettingSource({ defaultValue: '', workspaceValue: '/nowhere' }, '')?.scope, 'default');
  });

  it('is the default if a policy overrides the user', () => {
    assert.equal(findSettingSource({ defaultValue: 'none', globalValue: 'auto' }, 'none')?.scope, 'default');
  });

  it('is the strongest scope of a merged object', () => {
    const merged = { a: true, b: true };
    assert.equal(
      findSettingSource({ defaultValue: { a: true }, globalValue: { b: true } }, merged)?.scope,
      'user',
    );
  });

  it('compares lists as wholes: VS Code does not merge them', () => {
    assert.equal(
      findSettingSource({ defaultValue: [], globalValue: [1], workspaceValue: [2] }, [1])?.scope,
      'user',
    );
  });
});
