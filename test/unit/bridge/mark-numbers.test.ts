import assert from 'node:assert/strict';
import { MarkNumbers } from '../../../bridge/dom/shown-marks.ts';

/** Marks of the elements with these ids. */
function marksOf(first: number, count: number) {
  return Array.from({ length: count }, (_, i) => ({
    id: first + i,
    role: 'button',
    name: `b${first + i}`,
    state: {},
    box: { x: 0, y: 0, width: 1, height: 1 },
  }));
}

describe('numbers of marks', () => {
  let numbers: MarkNumbers;
  beforeEach(() => (numbers = new MarkNumbers()));

  function give(first: number, count: number, observation: number, glance = false): number[] {
    return numbers.give(marksOf(first, count), observation, glance).map(({ id }) => id);
  }

  it('stay with their elements', () => {
    assert.deepEqual(give(70, 3, 1), [1, 2, 3]);
    assert.deepEqual(give(71, 3, 2), [2, 3, 4]);
    assert.equal(numbers.find(3)?.element, 72);
    assert.equal(numbers.find(3)?.mark.name, 'b72');
  });

  it('stay below 1000 if five of 150 marks change at each of 500 steps', () => {
    for (let step = 1; step <= 500; step += 1) {
      const given = give(step * 5, 150, step);
      assert.ok(Math.max(...given) < 1000, `step ${step}`);
      assert.equal(new Set(given).size, 150);
    }
  });

  it('mean nothing else within 20 observations, even if they get longer', () => {
    const shown = new Map<number, { element: number; at: number }>();
    for (let step = 1; step <= 60; step += 1) {
      for (const { id: element, ...mark } of marksOf(step * 200, 200)) {
        const [{ id = 0 } = {}] = [numbers.give([{ id: element, ...mark }], step, false)[0]];
        const before = shown.get(id);
        assert.ok(!before || before.element === element || before.at < step - 20, `${id} at step ${step}`);
        shown.set(id, { element, at: step });
      }
    }
    assert.ok([...shown.keys()].some((id) => id > 999));
  });

  it('are unique within one observation, and those of glances do not run out', () => {
    give(1, 100, 1);
    for (let look = 0; look < 50; look += 1) {
      const given = give(1000 + look * 500, 500, 1, true);
      assert.equal(new Set(given).size, 500);
      assert.ok(given.every((id) => id > 100 && id < 1000));
    }
    assert.deepEqual(give(1, 2, 2), [1, 2]);
    assert.equal(numbers.find(700), undefined);
  });

  it('that another branch has given are not given again soon', () => {
    give(1, 10, 1);
    numbers.passOver(990, 5);
    assert.deepEqual(give(1, 2, 6), [1, 2]);
    assert.deepEqual(give(50, 12, 6), [991, 992, 993, 994, 995, 996, 997, 998, 999, 1000, 1001, 1002]);
    assert.equal(numbers.find(500), undefined);
    assert.deepEqual(give(80, 2, 26), [3, 4]);
  });
});
