import assert from 'node:assert/strict';
import { ageText, checkpointTree } from '../../../host/doors/cli/tables.ts';
import { type CheckpointInfo, defaultDisplay, defaultLimits } from '../../../host/node/index.ts';

function checkpoint(id: string, parent: string | null, over: Partial<CheckpointInfo> = {}): CheckpointInfo {
  return {
    id,
    parent,
    name: null,
    kind: 'live',
    role: 'ide',
    image: 'i',
    root: null,
    key: null,
    display: defaultDisplay,
    limits: defaultLimits,
    network: { mode: 'no-network' },
    workspace: '/workspace',
    origin: null,
    kept: false,
    takenAt: '2026-01-01T00:00:00.000Z',
    frozenMs: 600,
    bytes: 2 * 1024 * 1024,
    state: 'hot',
    ...over,
  };
}

describe('the tree of checkpoints', () => {
  const now = new Date('2026-01-01T02:00:00.000Z');

  it('shows each below the one that its sandbox came from, in the order in which they were taken', () => {
    const all = [
      checkpoint('ck-1', null, { name: 'start' }),
      checkpoint('ck-2', 'ck-1'),
      checkpoint('ck-3', 'ck-2'),
      checkpoint('ck-4', 'ck-1', { kind: 'disk', state: 'packed' }),
      checkpoint('ck-5', null),
    ];
    const lines = checkpointTree(all, now).split('\n').slice(1);
    assert.deepEqual(
      lines.map((line) => /^.*?ck-\d/.exec(line)?.[0]),
      ['ck-1', '├─ ck-2', '│  └─ ck-3', '└─ ck-4', 'ck-5'],
    );
    assert.match(lines[0] ?? '', /start +live +hot +2 h +2 MiB$/);
    assert.match(lines[3] ?? '', /- +disk +packed/);
  });

  it('keeps a checkpoint whose parent was deleted', () => {
    const lines = checkpointTree([checkpoint('ck-2', 'ck-1')], now).split('\n');
    assert.match(lines[1] ?? '', /^ck-2 /);
  });

  it('shows ages in the largest unit that gives at least 1', () => {
    assert.deepEqual([0, 59_999, 60_000, 7_200_000, 90_000_000].map(ageText), [
      '0 s',
      '59 s',
      '1 min',
      '2 h',
      '1 d',
    ]);
  });
});
