import assert from 'node:assert/strict';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as z from 'zod';
import { readLiteRecords } from '../../../host/tasks/datasets/benchmarks.ts';
import { readDataBytes } from '../../../host/tasks/datasets/records/data-files.ts';
import { readRecords } from '../../../host/tasks/datasets/records/records.ts';
import { findDataset } from '../../../host/tasks/index.ts';
import { ground, type Ground, secret, withstand } from './attack.ts';

const on = "another user's dataset";
const humaneval = {
  task_id: 'HumanEval/0',
  prompt: 'def f():\n    """One."""\n',
  canonical_solution: '    return 1\n',
  test: 'def check(candidate):\n    assert candidate() == 1\n',
  entry_point: 'f',
};

describe("another user's dataset", () => {
  const whole = async (name: string, path: string) => {
    const open = await findDataset(name).open(path);
    const tasks = await Promise.all(open.ids.map((id) => open.load(id)));
    const read = tasks.map(async (task) => [
      task.instruction,
      await task.seeds(),
      await task.testSeeds(),
      await task.solutions(),
    ]);
    return [open.lacking, await Promise.all(read)];
  };
  const attack = (what: string, name: string, lay: (at: Ground) => Promise<unknown>, expected?: 'harmless') =>
    it(`does no harm if ${what}`, async () => {
      await using at = await ground({ LICENSE: 'x' });
      await lay(at);
      await withstand(on, what, () => whole(name, at.path), expected);
    });

  attack('its file is a link to a file of the host', 'humaneval', async (at) => {
    await writeFile(join(at.outside, 'h.jsonl'), `${JSON.stringify({ ...humaneval, prompt: secret })}\n`);
    await at.link('HumanEval.jsonl', join(at.outside, 'h.jsonl'));
  });
  attack('its file is a pipe', 'humaneval', (at) => at.pipe('HumanEval.jsonl'));
  attack('its compressed file unpacks to a thousand times its size', 'humaneval', (at) =>
    at.folder.write({ 'HumanEval.jsonl.gz': gzipSync(Buffer.alloc(128 << 20), { level: 9 }) }),
  );
  const ctf = JSON.stringify([{ task_id: 0, query: 'Find it.', gold: 'picoCTF{x}', setup: '' }]);
  attack(
    'the folder of its files is a link to a folder of the host',
    'intercode-ctf',
    async (at) => {
      await at.folder.write({ 'ic_ctf.json': ctf });
      await at.link('task_assets/0', at.outside);
    },
    'harmless',
  );
  attack(
    'a file of the agent is a link to a file of the host',
    'intercode-ctf',
    async (at) => {
      await at.folder.write({ 'ic_ctf.json': ctf, 'task_assets/0/x': 'x' });
      await at.link('task_assets/0/y', join(at.outside, 'secret'));
    },
    'harmless',
  );
  attack(
    'all of its files are one link to /',
    'intercode-ctf',
    async (at) => {
      await at.folder.write({ 'ic_ctf.json': ctf });
      await at.link('task_assets', '/');
    },
    'harmless',
  );
  const page = '<html><body>x</body></html>';
  attack('a picture is a link to a file of the host', 'design2code', async (at) => {
    await at.folder.write({ '1.html': page, 'rick.jpg': 'x' });
    await at.link('1.png', join(at.outside, 'secret.png'));
  });
  attack('the shared picture is a link to a file of the host', 'design2code', async (at) => {
    await at.folder.write({ '1.html': page, '1.png': '\x89PNG' });
    await at.link('rick.jpg', join(at.outside, 'secret.png'));
  });
  const toml = '[metadata]\nauthor_name = "x"\n';
  for (const name of ['environment', 'tests', 'solution'])
    attack(`${name} of a Harbor task is a link to a folder of the host`, 'harbor', async (at) => {
      await at.folder.write({ 't/task.toml': toml, 't/instruction.md': 'Do it.' });
      await at.folder.write({
        't/tests/test.sh': 'x',
        't/environment/Dockerfile': 'FROM debian\nCOPY . /app',
      });
      await at.link(`t/${name}`, join(at.outside, 'a'));
    });
  attack('the instruction of a Harbor task is a link to a file of the host', 'harbor', async (at) => {
    await at.folder.write({ 't/task.toml': toml, 't/tests/test.sh': 'x' });
    await at.link('t/instruction.md', join(at.outside, 'secret'));
  });
  attack(
    'the Dockerfile of a Harbor task is a pipe',
    'harbor',
    async (at) => {
      await at.folder.write({ 't/task.toml': toml, 't/instruction.md': 'Do it.', 't/tests/test.sh': 'x' });
      await at.pipe('t/environment/Dockerfile');
    },
    'harmless',
  );

  it('is read through the links of a Hugging Face cache, and through no others', async () => {
    await using at = await ground();
    const cache = join(at.path, 'datasets--o--n');
    await mkdir(join(cache, 'snapshots/1'), { recursive: true });
    await mkdir(join(cache, 'blobs'));
    await writeFile(join(cache, 'blobs/abc'), `${JSON.stringify(humaneval)}\n`);
    await symlink('../../blobs/abc', join(cache, 'snapshots/1/HumanEval.jsonl'));
    const { ids } = await findDataset('humaneval').open(join(cache, 'snapshots/1'));
    assert.deepEqual(ids, ['HumanEval/0']);
    await rename(cache, join(at.path, 'other'));
    await withstand(on, 'its folder only looks like a cache', () =>
      findDataset('humaneval').open(join(at.path, 'other/snapshots/1')),
    );
  });

  it('lists the records of Lite without waiting for a pipe', async () => {
    await using at = await ground();
    await at.pipe('pwp_lite.json');
    await withstand(on, 'the list of its records is a pipe', () => readLiteRecords(at.path), 'harmless');
  });

  it('is refused while it unpacks', async () => {
    await using at = await ground();
    await at.folder.write({ 'x.jsonl.gz': gzipSync(Buffer.alloc(128 << 20), { level: 9 }) });
    await assert.rejects(readDataBytes(join(at.path, 'x.jsonl.gz')), {
      code: 'bad-data',
      message: /unpack to more than 200 times/,
    });
  });

  it('is refused if Parquet claims more than it holds', async () => {
    await using at = await ground();
    const footer = Buffer.from('150019000000', 'hex');
    const length = Buffer.alloc(4);
    length.writeUInt32LE(0x7fffffff);
    await at.folder.write({
      'x.parquet': Buffer.concat([Buffer.from('PAR1'), footer, length, Buffer.from('PAR1')]),
    });
    await withstand(on, 'its Parquet claims a footer of two gigabytes', () =>
      readRecords(join(at.path, 'x.parquet'), z.unknown()),
    );
  });
});
