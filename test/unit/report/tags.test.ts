import assert from 'node:assert/strict';
import { placeTags } from '../../../host/doors/web/parts/marked-screen.ts';

const screen = { width: 400, height: 200 };
const mark = (id: number, x: number, y: number, width: number, height: number) => ({
  ...{ id, role: 'button', name: `${id}`, state: {} },
  box: { x, y, width, height },
});

describe('mark numbers in a report', () => {
  it('are in a corner of their mark with room, the smaller mark first', () => {
    const tags = placeTags([mark(1, 0, 0, 300, 100), mark(2, 0, 0, 60, 40)], screen);
    assert.deepEqual(tags.get(2), { x: 0, y: 0, width: 18, height: 18 });
    assert.deepEqual(tags.get(1), { x: 282, y: 0, width: 18, height: 18 });
  });

  it('do not overlap, are on the screen, and are left out if there is no room', () => {
    const crowd = Array.from({ length: 300 }, (_, i) => mark(i, (i * 37) % 380, (i * 23) % 190, 20, 10));
    const tags = [...placeTags(crowd, screen).values()];
    assert.ok(tags.length > 50 && tags.length < 300, String(tags.length));
    for (const [i, a] of tags.entries()) {
      assert.ok(a.x >= 0 && a.y >= 0 && a.x + a.width <= 400 && a.y + a.height <= 200, JSON.stringify(a));
      for (const b of tags.slice(i + 1))
        assert.ok(
          a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y,
          JSON.stringify([a, b]),
        );
    }
  });

  it('of editor rows are one below the other', () => {
    const rows = Array.from({ length: 10 }, (_, i) => mark(i, 10, i * 18, 300, 18));
    assert.deepEqual(
      [...placeTags(rows, screen).values()].map(({ x, y }) => [x, y]),
      rows.map(({ box }) => [box.x, box.y]),
    );
  });
});
