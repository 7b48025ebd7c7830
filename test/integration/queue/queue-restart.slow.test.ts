import assert from 'node:assert/strict';
import {
  checkStudy,
  openAgents,
  openAttemptQueue,
  openBlobStore,
  planAttempts,
  QueueRunner,
} from '../../../host/run/index.ts';
import { findTasks } from '../../../host/tasks/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openPostgres, type OpenQueueServer, openRedis } from '../../../bench/lib/queue-server.ts';
import { queueTimes } from '../../../bench/lib/queued-tries.ts';

const tasks = ['tasks/vscode/autosave-500'];
const servers: [name: string, open: OpenQueueServer][] = [
  ['Redis', openRedis],
  ['PostgreSQL', openPostgres],
];

describe('a study at its start and at its end', () => {
  for (const [name, open] of servers)
    it(`waits for ${name} while it starts again`, async () => {
      await using server = await open();
      await using folder = await temporaryFolder();
      await using queue = await openAttemptQueue(server.url, queueTimes);
      await using opened = await openAgents([{ agent: 'null' }]);
      const { agents } = opened;
      const config = checkStudy({ tasks, agents: [{ agent: 'null' }], attempts: 1, tries: 1 }, 'test');
      const store = openBlobStore(folder.file('store'));
      const parts = { config, tasks: await findTasks(tasks), agents };
      await using runner = await QueueRunner.open({ queue, store, title: 'study', priority: 100, ...parts });
      const [attempt] = planAttempts(parts.tasks, agents, 1);
      assert.ok(attempt);
      const restarting = server.restart();
      const ends: Promise<void>[] = [];
      let isBack = false;
      void restarting.finally(() => (isBack = true));
      while (!isBack) {
        ends.push(runner.finish());
        assert.equal(await runner.isUnderWay(attempt, 'try-1'), false);
      }
      await Promise.all([restarting, ...ends]);
    });
});
