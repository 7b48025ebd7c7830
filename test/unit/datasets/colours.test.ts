import assert from 'node:assert/strict';
import { graderSays } from '../../support/datasets.ts';

const python = (setUp: string, expression: string) =>
  graderSays('design2code', `${setUp}\nshow(${expression})\n`);

type Lab = readonly [number, number, number];

const blue: Lab = [50, 0, -82.7485];
const rose: Lab = [50, 2.5, 0];

/** The pairs that Sharma, Wu and Dalal published for testing implementations, and their differences to four digits. */
const pairs: readonly (readonly [Lab, Lab, number])[] = [
  [[50, 2.6772, -79.7751], blue, 2.0425],
  [[50, 3.1571, -77.2803], blue, 2.8615],
  [[50, 2.8361, -74.02], blue, 3.4412],
  [[50, -1.3802, -84.2814], blue, 1],
  [[50, -1.1848, -84.8006], blue, 1],
  [[50, -0.9009, -85.5211], blue, 1],
  [[50, 0, 0], [50, -1, 2], 2.3669],
  [[50, -1, 2], [50, 0, 0], 2.3669],
  [[50, 2.49, -0.001], [50, -2.49, 0.0009], 7.1792],
  [[50, 2.49, -0.001], [50, -2.49, 0.001], 7.1792],
  [[50, 2.49, -0.001], [50, -2.49, 0.0011], 7.2195],
  [[50, 2.49, -0.001], [50, -2.49, 0.0012], 7.2195],
  [[50, -0.001, 2.49], [50, 0.0009, -2.49], 4.8045],
  [[50, -0.001, 2.49], [50, 0.001, -2.49], 4.8045],
  [[50, -0.001, 2.49], [50, 0.0011, -2.49], 4.7461],
  [rose, [50, 0, -2.5], 4.3065],
  [rose, [73, 25, -18], 27.1492],
  [rose, [61, -5, 29], 22.8977],
  [rose, [56, -27, -3], 31.903],
  [rose, [58, 24, 15], 19.4535],
  [rose, [50, 3.1736, 0.5854], 1],
  [rose, [50, 3.2972, 0], 1],
  [rose, [50, 1.8634, 0.5757], 1],
  [rose, [50, 3.2592, 0.335], 1],
  [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
  [[63.0109, -31.0961, -5.8663], [62.8187, -29.7946, -4.0864], 1.263],
  [[61.2901, 3.7196, -5.3901], [61.4292, 2.248, -4.962], 1.8731],
  [[35.0831, -44.1164, 3.7933], [35.0232, -40.0716, 1.5901], 1.8645],
  [[22.7233, 20.0904, -46.694], [23.0331, 14.973, -42.5619], 2.0373],
  [[36.4612, 47.858, 18.3852], [36.2715, 50.5065, 21.2231], 1.4146],
  [[90.8027, -2.0831, 1.441], [91.1528, -1.6435, 0.0447], 1.4441],
  [[90.9257, -0.5406, -0.9208], [88.6381, -0.8985, -0.7239], 1.5381],
  [[6.7747, -0.2908, -2.4247], [5.8714, -0.0985, -2.2286], 0.6377],
  [[2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082],
];

describe('colour differences', () => {
  it('are those published for CIEDE2000', async () => {
    const asked = JSON.stringify(pairs.map(([one, other]) => [one, other]));
    const found = await python('from ciede2000 import delta_e', `[delta_e(*one) for one in ${asked}]`);
    for (const [index, [one, other, wanted]] of pairs.entries())
      assert.equal(
        (found as number[])[index]?.toFixed(4),
        wanted.toFixed(4),
        `${String(one)} to ${String(other)}`,
      );
  });

  it('are maximal for black and white, and zero for a colour and itself', async () => {
    const setUp = 'from ciede2000 import similarity';
    const found = await python(
      setUp,
      '[similarity((0, 0, 0), (255, 255, 255)), similarity((12, 200, 99), (12, 200, 99))]',
    );
    assert.ok(Math.abs((found as number[])[0] ?? 1) < 1e-4);
    assert.equal((found as number[])[1], 1);
  });
});

describe('assignments of rows to columns', () => {
  it('are as cheap as the best possible one, also after rows are exchanged', async () => {
    const setUp = `import itertools, random
from assignment import Assignment
random.seed(7)

def best(costs, columns):
    if len(costs) > columns:
        costs, columns = [list(line) for line in zip(*costs)], len(costs)
    ways = itertools.permutations(range(columns), len(costs))
    return min(sum(costs[row][column] for row, column in enumerate(way)) for way in ways)

def row(columns):
    return [-random.choice([0, 1, random.random()]) for _ in range(columns)]

def apart():
    rows, columns = random.randint(2, 5), random.randint(1, 5)
    costs = [row(columns) for _ in range(rows)]
    first = Assignment(costs, columns)
    costs[0] = row(columns)
    second = first.exchanged({0: costs[0], 1: None})
    return abs(sum(second.costs()) - best([costs[0], *costs[2:]], columns)), len(second.costs()) == min(rows - 1, columns)`;
    const found = await python(setUp, '[apart() for _ in range(300)]');
    for (const [apart, isWhole] of found as [number, boolean][]) {
      assert.ok(apart < 1e-9, `${apart} dearer than the best`);
      assert.ok(isWhole);
    }
  });
});
