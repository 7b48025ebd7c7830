import { cpuProfile, functions, wander } from '../lib/profile.mjs';

/**
 * The answer is slow in many places, a little in each; another function has the widest bar of its own, and a third one is
 * on most of the stacks.
 * @param {import('../../../host/tasks/index.ts').VariantInput} input
 */
export default function variant({ random }) {
  const names = random.sample(functions, 28);
  const [answer, runnerUp, busy, ...others] = names;
  const stack = (tip, count, least, most) => ({
    frames: wander(random, [...others, busy], { least, most, tip }),
    count,
  });
  const stacks = random.shuffle([
    ...Array.from({ length: 9 }, () => stack(answer, random.int(26, 34), 4, 8)),
    stack(runnerUp, random.int(190, 205), 4, 5),
    ...Array.from({ length: 2 }, () => stack(runnerUp, random.int(6, 9), 4, 7)),
    ...others.flatMap((name) => Array.from({ length: 3 }, () => stack(name, random.int(8, 40), 4, 9))),
    { frames: ['main', 'serve'], count: random.int(10, 20) },
  ]);
  return {
    files: {
      'environment/workspace/service.cpuprofile': cpuProfile(stacks, random),
      'tests/expected.json': JSON.stringify({ answer }),
    },
    words: { answer, runner_up: runnerUp, busy },
  };
}
