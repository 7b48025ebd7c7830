import { once } from 'node:events';
import { makeCertificate, offerEpisodes, openServer, trainerRoutes } from '../../host/doors/serve/index.ts';
import { loopbackAddress } from '../../host/doors/serve/access.ts';
import { EpisodeWorkers, makeWorkerId } from '../../host/run/index.ts';
import { leaseTimes, servedTasks, serves, type WorkerProgramOptions } from '../support/episode-fleet.ts';
import { FakeEpisodes } from '../support/fake-episodes.ts';

// `episode-worker.ts <options as JSON>`: a worker whose episodes have no sandboxes. It prints its id, and ends after SIGTERM
// or with its input.

const {
  queue,
  labels = [],
  leaveMs,
  tls,
  ...options
} = JSON.parse(process.argv[2] ?? '') as WorkerProgramOptions;
const worker = makeWorkerId();
const episodes = new FakeEpisodes(servedTasks, { ...options, worker });
const { table } = episodes;
const place = tls ? { host: '127.0.0.1', tls: await makeCertificate('127.0.0.1') } : loopbackAddress;
await using workers = await EpisodeWorkers.open(queue, leaseTimes);
await using server = await openServer(trainerRoutes(table), 0, { place, mostSockets: 100 });
console.log(JSON.stringify({ id: worker, url: server.origin, token: server.token }));
process.stdin.resume();
const until = Promise.race([once(process, 'SIGTERM'), once(process.stdin, 'end')]);
await offerEpisodes({
  ...{ workers, server, place, serves, labels, until, leaveMs },
  table: {
    worker,
    leave: () => episodes.leave(),
    get size() {
      return episodes.open;
    },
  },
});
// Steps may be under way.
process.exit();
