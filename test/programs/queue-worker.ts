import { setTimeout as delay } from 'node:timers/promises';
import { describeError } from '../../bridge/lib/index.ts';
import { pathExists } from '../../host/lib/index.ts';
import { type MakeTry, openAttemptQueue, openBlobStore, work } from '../../host/run/index.ts';
import { queueTimes, writeTry } from '../../bench/lib/queued-tries.ts';

// `queue-worker.ts <queue> <store> <parallel> <milliseconds> [full] [spacing]`: a worker whose tries write their records and play
// nothing. It prints a line when a try begins and when it ends, and ends when its input does. While the file exists, its
// machine has no room. Tries in a folder that ends in `fails` leave no record.

const [url = '', store = '', parallel = '1', ms = '0', full = '', spacing = '0'] = process.argv.slice(2);
const ended = new AbortController();
process.stdin.once('end', () => ended.abort()).resume();
process.once('SIGTERM', () => ended.abort());

const makeTry: MakeTry = async (attempt, folder, signal) => {
  if (Number(ms) < 0) throw new Error('no room');
  await delay(Number(ms) * (0.5 + Math.random()), undefined, { signal });
  if (attempt.folder.endsWith('fails')) return { failure: 'its process ended by SIGKILL', shared: null };
  await writeTry(attempt, folder);
  return { failure: null, shared: null };
};

await using queue = await openAttemptQueue(url, queueTimes);
await work({
  ...{ queue, store: openBlobStore(store), parallel: Number(parallel), makeTry, signal: ended.signal },
  spacingMs: Number(spacing),
  measureRoom: async (underWay) =>
    (await pathExists(full))
      ? { fits: 0, waits: '2.1 GB of disk left' }
      : { fits: Number(parallel) - underWay, waits: null },
  onEvent: (event) => console.log(event.kind, event.kind === 'wait' ? event.why : event.folder),
}).catch((error: unknown) => {
  console.log(describeError(error));
  process.exit(1);
});
process.stdin.destroy();
