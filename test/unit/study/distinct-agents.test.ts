import assert from 'node:assert/strict';
import { studyNames, withDistinctAgents } from '../../../host/run/index.ts';

describe('agents of several studies', () => {
  it('are named with their study if two have the same name', () => {
    const rows = [
      { study: 'first', agent: 'cua' },
      { study: 'first', agent: 'cua, no marks' },
      { study: 'second', agent: 'cua' },
      { study: null, agent: 'cua' },
    ];
    assert.deepEqual(
      withDistinctAgents(rows).map(({ agent }) => agent),
      ['first: cua', 'cua, no marks', 'second: cua', 'cua'],
    );
    assert.deepEqual(withDistinctAgents(rows.slice(0, 2)), rows.slice(0, 2));
  });

  it('have studies named by folder, or by path if two are the same', () => {
    const names = studyNames(['/a/first', '/b/first', '/a/second', '/a/second']);
    assert.deepEqual(
      [...names],
      [
        ['/a/first', '/a/first'],
        ['/b/first', '/b/first'],
        ['/a/second', 'second'],
      ],
    );
  });
});
