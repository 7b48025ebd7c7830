import { flameGraph, functions, wander } from '../lib/profile.mjs';

/**
 * The deepest stack is a thin one; a much wider one is a little less deep.
 * @param {import('../../../host/tasks/index.ts').VariantInput} input
 */
export default function variant({ random }) {
  const names = random.sample(functions, 32);
  const [answer, runnerUp, ...others] = names;
  const depth = random.int(14, 18);
  const to = (deep, tip) => wander(random, others, { least: deep, most: deep, tip });
  const stacks = random.shuffle([
    { frames: to(depth, answer), count: random.int(14, 18) },
    { frames: to(depth - 2, runnerUp), count: random.int(160, 200) },
    { frames: to(depth - 1, random.pick(others)), count: random.int(12, 30) },
    ...others.flatMap((name) =>
      Array.from({ length: 2 }, () => ({
        frames: wander(random, others, { least: 4, most: depth - 4, tip: name }),
        count: random.int(15, 40),
      })),
    ),
  ]);
  return {
    files: {
      'environment/workspace/import-flame.svg': flameGraph(stacks, 'flames'),
      'tests/expected.json': JSON.stringify({ answer, depth }),
    },
    words: {
      answer: `${answer} ${depth}`,
      name: answer,
      with_all: String(depth + 1),
      runner_up: `${runnerUp} ${depth - 2}`,
    },
  };
}
