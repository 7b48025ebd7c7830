/** A configuration with many earlier versions; which one is meant follows from the seed. */

const config = ({ limit, wait, host, tags }) =>
  `${JSON.stringify({ host, retry_limit: limit, wait_ms: wait, tags, verbose: wait % 2 === 0 }, null, 2)}\n`;

export default function variant({ random, localHistory }) {
  const [limit, ...others] = random.sample([2, 3, 4, 5, 6, 7, 8, 9], 5);
  // Newest first: the one that is meant has this limit, so has an older one.
  const meant = random.int(2, 4);
  const count = 8;
  const older = meant + random.int(1, 2);
  const waits = random.sample(
    Array.from({ length: 60 }, (_, index) => 100 + 7 * index),
    count,
  );
  const host = random.pick(['api', 'data', 'mail', 'files']);
  const versions = waits.map((wait, age) =>
    config({
      limit: age === meant || age === older ? limit : others[age % others.length],
      wait,
      host: `${host}${age < meant ? 2 : 1}.example.org`,
      tags: ['live', 'paid', 'slow', 'beta'].slice(0, 1 + ((age * 3) % 4)),
    }),
  );
  const begin = Date.UTC(2026, 4, 4, 7, random.int(0, 59));
  const entries = versions
    .map((content, age) => ({ content, timestamp: begin + (count - age) * 19 * 3_600_000 }))
    .reverse();
  return {
    files: {
      'environment/workspace/service.json': versions[0],
      ...localHistory({ path: 'service.json', entries }),
      'tests/expected.json': versions[meant],
    },
    words: {
      limit,
      down: Array.from({ length: meant }, () => 'xdotool key Down').join(' && '),
      meant: count - 1 - meant,
      older: count - 1 - older,
    },
  };
}
