import { flameGraph, functions, wander } from '../lib/profile.mjs';

/**
 * The answer calls the function in many places, a little in each; another caller has the widest single bar of it, and a
 * third one is slow by itself.
 * @param {import('../../../host/tasks/index.ts').VariantInput} input
 */
export default function variant({ random }) {
  const names = random.sample(functions, 30);
  const [called, answer, runnerUp, slow, ...others] = names;
  const callers = random.sample(others, 4);
  const plain = others.filter((name) => !callers.includes(name));
  const calls = (caller, count) => ({
    frames: [
      ...wander(random, plain, { least: 4, most: 7, tip: caller }),
      called,
      ...random.sample(plain, random.int(0, 2)),
    ],
    count,
  });
  const stacks = random.shuffle([
    ...Array.from({ length: 8 }, () => calls(answer, random.int(26, 34))),
    calls(runnerUp, random.int(185, 200)),
    calls(slow, random.int(40, 60)),
    ...callers.flatMap((caller) => [calls(caller, random.int(20, 50)), calls(caller, random.int(20, 50))]),
    ...Array.from({ length: 3 }, () => ({
      frames: wander(random, plain, { least: 4, most: 7, tip: slow }),
      count: random.int(110, 140),
    })),
    ...plain.flatMap((name) =>
      Array.from({ length: 2 }, () => ({
        frames: wander(random, plain, { least: 4, most: 8, tip: name }),
        count: random.int(10, 30),
      })),
    ),
  ]);
  return {
    files: {
      'environment/workspace/requests-flame.svg': flameGraph(stacks, 'icicles'),
      'tests/expected.json': JSON.stringify({ answer }),
    },
    words: { function: called, answer, runner_up: runnerUp, slow },
  };
}
