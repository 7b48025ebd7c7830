import assert from 'node:assert/strict';
import sharp from 'sharp';
import type { Color } from 'sharp';
import type { Box } from '../../../bridge/protocol/index.ts';
import { annotate } from '../../../host/ide/index.ts';
import { findCover, findLeaderLine } from '../../../host/ide/mark-labels/box-geometry.ts';
import { pickMarkColour } from '../../../host/ide/mark-labels/canvas.ts';
import { placeLabels } from '../../../host/ide/mark-labels/label-placement.ts';

const picture = { width: 800, height: 600 };

function meet(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** The drawn part of a 22-pixel button: its icon has 16. */
function iconIn({ x, y, width, height }: Box): Box {
  return { x: x + 3, y: y + 3, width: width - 6, height: height - 6 };
}

describe('mark numbers', () => {
  it("cover neither each other nor a list's rows", () => {
    const rows = Array.from({ length: 20 }, (_, i) => ({
      id: i + 1,
      box: { x: 100, y: 40 + i * 22, width: 200, height: 22 },
    }));
    const placed = placeLabels(rows, picture);
    assert.equal(placed.length, rows.length);
    for (const { id, label } of placed) {
      for (const other of placed) {
        if (other.id === id) continue;
        assert(!meet(label, other.label), `numbers ${id} and ${other.id}`);
        assert(!meet(label, other.box), `number ${id} over element ${other.id}`);
      }
    }
  });

  it('of three digits find room around a toolbar in a corner of the screen', () => {
    const row = (y: number, first: number) =>
      Array.from({ length: 4 }, (_, i) => ({
        id: first + i,
        box: { x: 690 + i * 26, y, width: 22, height: 22 },
      }));
    const icons = [...row(6, 143), ...row(50, 426)];
    const placed = placeLabels(icons, picture);
    for (const { id, label } of placed) {
      for (const other of placed.filter((one) => one.id !== id)) {
        assert(!meet(label, other.label), `numbers ${id} and ${other.id}`);
        assert(!meet(label, iconIn(other.box)), `number ${id} over icon ${other.id}`);
      }
    }
  });

  it('are placed away from an icon, with a line to it, rather than on other elements', () => {
    const icons = Array.from({ length: 6 }, (_, i) => ({
      id: 143 + i,
      box: { x: 400 + i * 24, y: 100, width: 22, height: 22 },
    }));
    const placed = placeLabels(
      [...icons, { id: 7, box: { x: 300, y: 130, width: 300, height: 30 } }],
      picture,
    );
    const tied = placed.filter(({ box, label }) => findLeaderLine(box, label));
    assert(tied.length > 0 && tied.length < placed.length);
    const rest = placed.filter(({ id }) => id !== 7);
    for (const { id, label } of rest) {
      const covered = rest.filter(
        (other) => other.id !== id && (meet(label, other.label) || meet(label, other.box)),
      );
      assert.deepEqual(covered, [], `number ${id}`);
    }
  });

  it("are in their element's row, or have a line to it that runs under no other number", () => {
    const icons = Array.from({ length: 12 }, (_, i) => ({
      id: 201 + i,
      box: { x: 300 + (i % 6) * 26, y: i < 6 ? 100 : 300, width: 22, height: 22 },
    }));
    const placed = placeLabels(icons, picture);
    for (const one of placed) {
      const { id, box, label } = one;
      const shared = Math.min(label.y + label.height, box.y + box.height) - Math.max(label.y, box.y);
      const tie = findLeaderLine(box, label);
      assert(tie ?? shared >= 9, `number ${id} is in another row`);
      const under = placed.filter((other) => tie && other !== one && meet(findCover(tie, 2), other.label));
      assert.deepEqual(under, [], `the line of ${id}`);
    }
  });

  it('of many elements without room are all placed', () => {
    const many = Array.from({ length: 600 }, (_, i) => ({
      id: 1000 + i,
      box: { x: (i % 40) * 20, y: Math.floor(i / 40) * 20, width: 18, height: 18 },
    }));
    assert.equal(placeLabels(many, picture).length, many.length);
  });

  it('stay inside the picture, even for an element at its edge or partly off it', () => {
    const boxes = [
      { x: -50, y: -20, width: 100, height: 40 },
      { x: 790, y: 590, width: 40, height: 40 },
      { x: 0, y: 0, width: 800, height: 600 },
    ];
    const placed = placeLabels(
      boxes.map((box, i) => ({ id: 1998 + i, box })),
      picture,
    );
    for (const { box, label } of placed) {
      for (const { x, y, width, height } of [box, label]) {
        assert(x >= 0 && y >= 0 && x + width <= picture.width && y + height <= picture.height);
      }
    }
  });

  it('leave out elements that are not in the picture', () => {
    const away = [
      { id: 1, box: { x: 900, y: 10, width: 10, height: 10 } },
      { id: 2, box: { x: 10, y: 10, width: 0, height: 10 } },
    ];
    assert.deepEqual(placeLabels(away, picture), []);
  });
});

describe('the line from an element to its number', () => {
  const box = { x: 100, y: 100, width: 20, height: 20 };

  it('is missing if they are adjacent', () => {
    assert.equal(findLeaderLine(box, { x: 123, y: 102, width: 30, height: 18 }), null);
  });

  it('runs straight if they share a column, between their nearest edges', () => {
    const tie = findLeaderLine(box, { x: 95, y: 60, width: 30, height: 18 });
    assert.deepEqual(tie, { from: { x: 110, y: 100 }, to: { x: 110, y: 78 } });
    assert.deepEqual(findCover(tie, 2), { x: 109, y: 77, width: 2, height: 24 });
  });

  it('runs between corners if they share neither column nor row', () => {
    const tie = findLeaderLine(box, { x: 140, y: 140, width: 30, height: 18 });
    assert.deepEqual(tie, { from: { x: 120, y: 120 }, to: { x: 140, y: 140 } });
  });
});

describe('the annotated picture', () => {
  const filled = async (background: Color) => ({
    bytes: await sharp({ create: { ...picture, channels: 3, background } })
      .png()
      .toBuffer(),
  });
  const blank = () => filled('#202020');

  it('differs only around boxes and numbers, and is the same for the same marks', async () => {
    const png = await blank();
    const marks = [{ id: 7, box: { x: 300, y: 200, width: 80, height: 30 } }];
    const once = await annotate(png, marks);
    assert.deepEqual(await annotate(png, marks), once);
    const { data, info } = await sharp(once.bytes).raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.width, info.height, info.channels], [800, 600, 3]);
    const near = { x: 260, y: 170, width: 170, height: 100 };
    let inside = 0;
    for (let i = 0; i < data.length; i += 3) {
      if (data[i] === 0x20 && data[i + 1] === 0x20 && data[i + 2] === 0x20) continue;
      const at = { x: (i / 3) % 800, y: Math.floor(i / 3 / 800), width: 1, height: 1 };
      assert(meet(at, near), `changed at (${at.x}, ${at.y})`);
      inside += 1;
    }
    assert(inside > 500);
  });

  it('shows a box on a background of the same colour', async () => {
    const { red: r, green: g, blue: b } = pickMarkColour(7);
    const box = { x: 300, y: 200, width: 80, height: 30 };
    const { bytes } = await annotate(await filled({ r, g, b }), [{ id: 7, box }]);
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [...data.subarray((y * 800 + x) * 3, (y * 800 + x) * 3 + 3)];
    for (const [x, y] of [
      [340, 230 + 1],
      [380, 215],
      [340, 198],
    ] as const) {
      const near = [-2, -1, 0, 1, 2].flatMap((by) => [at(x + by, y), at(x, y + by)]);
      assert.ok(
        near.some(([red = 0, green = 0, blue = 0]) => Math.hypot(red - r, green - g, blue - b) > 90),
        `nothing to be seen at (${x}, ${y})`,
      );
    }
  });

  it('equals the screenshot if there are no marks', async () => {
    const png = await blank();
    const [before, after] = await Promise.all(
      [png, await annotate(png, [])].map(({ bytes }) => sharp(bytes).raw().toBuffer()),
    );
    assert.deepEqual(after, before);
  });
});
