import assert from 'node:assert/strict';
import { parsePytestEvent } from '../../../extension/python/src/pytest-events.ts';

describe('the event stream of the pytest plugin', () => {
  it('is read line by line', () => {
    const line = '{"kind": "item", "id": "test_a.py::test_b", "path": "/w/test_a.py", "line": 3}';
    assert.deepEqual(parsePytestEvent(line), {
      kind: 'item',
      id: 'test_a.py::test_b',
      path: '/w/test_a.py',
      line: 3,
    });
  });

  it('ignores what a test has written there', () => {
    for (const line of ['', 'hello', 'null', '[]', '{}', '{"kind": "other", "id": "a"}', '{"kind": "item"}'])
      assert.equal(parsePytestEvent(line), undefined, line);
  });
});
