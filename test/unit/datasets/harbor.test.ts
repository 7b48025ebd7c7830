import assert from 'node:assert/strict';
import { harbor } from '../../../host/datasets/harbor/index.ts';
import type { Task } from '../../../host/tasks/index.ts';
import { readArchive } from '../tasks/read-archive.ts';

const data = 'test/data/datasets/harbor';
const load = async (id: string): Promise<Task> => (await harbor.open(data)).load(id);

async function pathsAt(task: Task, place: string): Promise<string[]> {
  const seed = (await task.seeds()).find(({ path }) => path === place);
  return seed ? [...(await readArchive(seed.tar)).keys()].sort() : [];
}

describe('a task of Harbor', () => {
  it('has its working folder as the workspace, and what the Dockerfile copies and runs', async () => {
    const task = await load('count-lines');
    assert.deepEqual(await pathsAt(task, '/workspace'), ['poem.txt']);
    assert.deepEqual(await pathsAt(task, '/'), ['app']);
    const { setup, graded_folders: graded } = task.config.pwp;
    assert.equal(setup, "mkdir -p '/app' && cd '/app'\nmkdir -p notes && echo \"read me\" > notes/first.txt");
    assert.deepEqual(graded, []);
    assert.deepEqual(await task.leaks(), []);
  });

  it('is graded in the folders that its texts name', async () => {
    const task = await load('elsewhere');
    assert.deepEqual(task.config.pwp.graded_folders, ['/data', '/output']);
    assert.deepEqual(await pathsAt(task, '/'), ['app', 'data/numbers.json']);
    assert.deepEqual(task.config.environment.storage_mb, 5120);
  });

  it('has all of its steps in one instruction, and their limits together', async () => {
    const task = await load('two-steps');
    assert.match(task.instruction, /^Do these steps.*## Step 1 of 2.*`begun`.*## Step 2 of 2.*`ended`/s);
    assert.equal(task.config.agent.timeout_sec, 120);
    assert.equal((await task.solutions()).length, 1);
  });

  it('is refused with every reason where it can not be run', async () => {
    const refused = (await harbor.open('test/data/datasets/harbor-refused')).load('needs-more');
    await assert.rejects(refused, ({ code, message }: Error & { code: string }) => {
      assert.equal(code, 'unsupported');
      assert.match(message, /needs a GPU; .*pip: torch, pip: transformers; .*line 3: COPY --from=other/);
      return true;
    });
  });

  it('is left out of a collection, with the reasons, where it can not be run', async () => {
    const { lacking } = await harbor.open('test/data/datasets/harbor-refused');
    assert.match(lacking?.get('needs-more') ?? '', /^it needs a GPU; /);
  });

  it('is named where it does not exist, as is a folder without any', async () => {
    await assert.rejects(load('nothing'), /there is no task nothing/);
    await assert.rejects(harbor.open('test/data/datasets/ide-bench/slugs'), /task\.toml is missing/);
  });
});
