import assert from 'node:assert/strict';
import type { Box } from '../../../bridge/protocol/index.ts';
import { isAttributed } from '../../../host/ide/mark-labels/label-candidates.ts';
import { placeLabels } from '../../../host/ide/mark-labels/label-placement.ts';
import { PictureInk } from '../../../host/ide/mark-labels/picture-content.ts';

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });

describe('the element that a number appears to belong to', () => {
  const icon = box(8, 78, 36, 36);
  const above = box(8, 34, 36, 36);

  it('is the element on whose corner it lies', () => {
    assert.ok(isAttributed(box(0, 70, 22, 18), icon, [above]));
    assert.ok(!isAttributed(box(0, 70, 22, 18), above, [icon]));
  });

  it('is the nearer one, even if a short line leads to the other', () => {
    const between = box(40, 54, 22, 18);
    assert.ok(!isAttributed(between, icon, [above]));
    assert.ok(isAttributed(between, above, [icon]));
  });

  it('is undefined between two equally near ones', () => {
    const between = box(100, 10, 20, 18);
    const [left, right] = [box(70, 8, 30, 22), box(120, 8, 30, 22)];
    assert.ok(!isAttributed(between, left, [right]) && !isAttributed(between, right, [left]));
  });

  it('is the row that it ends, not the ground around it', () => {
    const editor = box(350, 92, 900, 600);
    const rows = [box(420, 92, 300, 19), box(420, 111, 400, 19)] as const;
    const end = box(720, 92, 32, 18);
    assert.ok(isAttributed(end, rows[0], [rows[1], editor]));
    assert.ok(!isAttributed(end, editor, rows));
    assert.ok(isAttributed(box(1100, 94, 32, 18), editor, rows));
  });

  it('is the inner one of two nested ones, unless it is away from that', () => {
    const [tab, close] = [box(350, 36, 120, 32), box(445, 41, 20, 20)];
    assert.ok(isAttributed(box(440, 42, 32, 18), close, [tab]));
    assert.ok(isAttributed(box(352, 42, 32, 18), tab, [close]));
  });

  it('is the one that its line leads to, if the number is on no other', () => {
    const [item, row] = [box(116, 772, 68, 24), box(54, 734, 290, 28)];
    assert.ok(isAttributed(box(130, 710, 22, 18), item, [row]));
    assert.ok(!isAttributed(box(130, 740, 22, 18), item, [row]));
  });
});

describe('mark numbers in a workbench', () => {
  const picture = { width: 1024, height: 768 };
  /** Text or an icon in the middle of each box. */
  const drawn = (boxes: readonly Box[]): PictureInk => {
    const rgb = new Uint8Array(picture.width * picture.height * 3).fill(255);
    for (const { x, y, width, height } of boxes.filter((one) => one.height < 40)) {
      for (let row = y + 5; row < y + height - 5; row += 1)
        for (let column = x + 5 + (row % 2); column < x + width - 5; column += 2)
          rgb.fill(0, (row * picture.width + column) * 3, (row * picture.width + column + 1) * 3);
    }
    return new PictureInk(rgb, picture.width, picture.height);
  };
  const check = (boxes: readonly Box[], first: number) => {
    const placed = placeLabels(
      boxes.map((one, i) => ({ id: first + i, box: one })),
      picture,
      drawn(boxes),
    );
    assert.equal(placed.length, boxes.length);
    for (const one of placed) {
      const others = placed.filter((other) => other !== one).map((other) => other.box);
      const where = `number ${one.id} of ${JSON.stringify(one.box)} at ${JSON.stringify(one.label)}`;
      assert.ok(isAttributed(one.label, one.box, others), where);
    }
  };
  const rows = Array.from({ length: 9 }, (_, i) => box(53, 97 + i * 22, 245, 22));
  const icons = Array.from({ length: 6 }, (_, i) => box(8, 38 + i * 44, 36, 36));

  for (const first of [1, 9, 143]) {
    it(`from ${first} on belong to their icons beside a list`, () => check([...icons, ...rows], first));

    it(`from ${first} on belong to tabs and breadcrumbs above lines of text`, () => {
      const tabs = [0, 1, 2, 3].map((i) => box(309 + i * 126, 36, 126, 32));
      const crumbs = [box(309, 69, 50, 22), box(359, 69, 80, 22), box(439, 69, 70, 22)];
      const lines = Array.from({ length: 12 }, (_, i) => box(379, 92 + i * 19, 120 + ((i * 53) % 290), 19));
      check([box(309, 92, 715, 640), ...tabs, ...crumbs, ...lines], first);
    });

    it(`from ${first} on belong to status bar items below sections and icons`, () => {
      const items = [26, 71, 68, 38, 30].map((width, i) =>
        box([10, 39, 116, 190, 234][i] ?? 0, 740, width, 24),
      );
      const sections = [box(53, 674, 245, 28), box(53, 702, 245, 28)];
      check([...items, ...sections, box(8, 652, 36, 36), box(8, 696, 36, 36)], first);
    });
  }
});
