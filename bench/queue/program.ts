import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { QueuedAttempt } from '../../host/run/index.ts';
import type { ProducerOrder, WorkerOrder } from './roles.ts';
import { simulateTry } from './simulated-try.ts';

// `program.js worker|producer <order>`: a worker whose attempts are not played, and the process that follows a study.
// `program.js attempt`: the process of one try, which the code of `pwp worker` starts.

const [, , role, order = '{}'] = process.argv;
const ended = new AbortController();
process.once('SIGTERM', () => ended.abort());
const input = createInterface({ input: process.stdin });
// With the process that started it, in whichever way that ends.
input.once('close', () => ended.abort());

if (role === 'attempt') {
  const [line] = (await once(input, 'line')) as [string];
  const { attempt, folder } = JSON.parse(line) as { attempt: QueuedAttempt; folder: string };
  process.stdout.write(`${JSON.stringify(await simulateTry(attempt, folder, ended.signal))}\n`);
} else {
  const { runProducer, runWorker } = await import('./roles.ts');
  const run = role === 'worker' ? runWorker : runProducer;
  await run(JSON.parse(order) as WorkerOrder & ProducerOrder, ended.signal);
}
process.stdin.destroy();
