import assert from 'node:assert/strict';
import { mergeSettings } from '../../../host/tasks/format/task-seeds.ts';

describe('merging settings', () => {
  it('prefers the later value and does not change its arguments', () => {
    const base = { a: 1, b: 2 };
    assert.deepEqual(mergeSettings(base, { b: 3 }), { a: 1, b: 3 });
    assert.deepEqual(base, { a: 1, b: 2 });
  });

  it('merges language overrides setting by setting', () => {
    const merged = mergeSettings({ '[python]': { a: 1, b: 2 } }, { '[python]': { b: 3 } });
    assert.deepEqual(merged, { '[python]': { a: 1, b: 3 } });
  });

  it('replaces other objects whole', () => {
    assert.deepEqual(mergeSettings({ 'files.exclude': { a: true } }, { 'files.exclude': {} }), {
      'files.exclude': {},
    });
  });
});
