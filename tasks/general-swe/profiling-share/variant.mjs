import { allCount, folded, functions, selfCounts, totalCounts, wander } from '../lib/profile.mjs';

/**
 * The function calls itself, so that adding up its bars counts some samples twice.
 * @param {import('../../../host/tasks/index.ts').VariantInput} input
 */
export default function variant({ random }) {
  const names = random.sample(functions, 30);
  const [answer, between, ...others] = names;
  const stack = (tip, count) => ({ frames: wander(random, others, { least: 4, most: 8, tip }), count });
  const twice = () => {
    const { frames, count } = stack(undefined, random.int(30, 60));
    return { frames: [...frames, answer, between, answer, ...random.sample(others, 1)], count };
  };
  const once = () => {
    const { frames, count } = stack(undefined, random.int(15, 40));
    return { frames: [...frames, answer, ...random.sample(others, random.int(1, 2))], count };
  };
  const stacks = random.shuffle([
    ...Array.from({ length: 4 }, twice),
    ...Array.from({ length: random.int(5, 8) }, once),
    ...Array.from({ length: 4 }, () => stack(answer, random.int(5, 12))),
    ...others.flatMap((name) => Array.from({ length: 2 }, () => stack(name, random.int(8, 30)))),
  ]);
  const percent = (count) => Number(((100 * count) / allCount(stacks)).toFixed(2));
  const twiceCounted = stacks.reduce(
    (sum, { frames, count }) => sum + count * frames.filter((name) => name === answer).length,
    0,
  );
  const share = percent(totalCounts(stacks).get(answer));
  return {
    files: {
      'environment/workspace/nightly.folded': folded(stacks),
      'tests/expected.json': JSON.stringify({ share }),
    },
    words: {
      function: answer,
      answer: String(share),
      self: String(percent(selfCounts(stacks).get(answer))),
      twice: String(percent(twiceCounted)),
    },
  };
}
