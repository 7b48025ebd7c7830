import assert from 'node:assert/strict';
import { appendFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseTasks, findDataset } from '../../../host/tasks/index.ts';
import { sampleOf } from '../../support/datasets.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';

/** By dataset: how one record of its sample is broken, and the message about it. */
const spoiled: Readonly<Record<string, readonly [(folder: string) => Promise<void>, RegExp]>> = {
  humaneval: [
    async (folder) => {
      await rm(join(folder, 'HumanEval.jsonl.gz'));
      const record = { task_id: 'HumanEval/9', prompt: 'def f():\n', canonical_solution: '    return 1\n' };
      const lines = [
        { ...record, test: 'def check(c): pass', entry_point: 'f' },
        { task_id: 'HumanEval/10' },
      ];
      await writeFile(join(folder, 'HumanEval.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
    },
    /line 2: .*prompt/,
  ],
  canitedit: [(folder) => appendFile(join(folder, 'data.jsonl'), '{"id": 1}\n'), /data\.jsonl, line \d+: /],
  'swe-bench': [(folder) => appendFile(join(folder, 'test.jsonl'), '{"repo": 3}\n'), /test\.jsonl, line 7: /],
  'swt-bench': [(folder) => appendFile(join(folder, 'test.jsonl'), 'no JSON\n'), /line 7: expected JSON/],
  'res-q': [(folder) => appendFile(join(folder, 'test.jsonl'), '{}\n'), /test\.jsonl, line 7: id/],
  design2code: [(folder) => rm(join(folder, 'testset_final/7.png')), /7\.png is missing/],
  chartmimic: [(folder) => rm(join(folder, 'ori_500/bar_1.py')), /bar_1\.py is missing/],
  dsbench: [
    (folder) => appendFile(join(folder, 'data_modeling/data.json'), '\n{"name": "../x"}\n'),
    /expected a competition's name/,
  ],
  'intercode-ctf': [
    (folder) => rm(join(folder, 'task_assets/2'), { recursive: true }),
    /task_assets\/2 is missing/,
  ],
  bird: [(folder) => spoilList(join(folder, 'mini_dev_sqlite.json'), 'SQL'), /record 1: SQL/],
  minictx: [(folder) => appendFile(join(folder, 'numbers.jsonl'), '{}\n'), /numbers\.jsonl, line \d+: /],
  'pwp-folder': [
    (folder) => appendFile(join(folder, 'settings/data.jsonl'), '{"task_description": ""}\n'),
    /data\.jsonl, line \d+: task_description/,
  ],
  'gym-anything': [
    (folder) => rm(join(folder, 'vscode_env/tasks/set_ruler/export_result.sh')),
    /^export_result\.sh is missing$/,
  ],
};

async function spoilList(file: string, field: string): Promise<void> {
  const [first, ...others] = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>[];
  await writeFile(file, JSON.stringify([{ ...first, [field]: 7 }, ...others]));
}

describe("a record of PwP's format", () => {
  it('is left out with the reason, if its evaluation opens a window', async () => {
    const { ids, lacking } = await findDataset('pwp-folder').open(sampleOf('pwp-folder'));
    assert.deepEqual(
      [...(lacking ?? [])].map(([id]) => id),
      ['settings-6'],
    );
    assert.match(lacking?.get('settings-6') ?? '', /opens a window of VS Code/);
    assert.ok(ids.includes('settings-4'), 'a record that asks for the extensions must be played');
  });
});

describe('one bad record of a dataset', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  for (const [name, [spoil, why]] of Object.entries(spoiled))
    it(`of ${name} is left out and named, and the others are chosen`, async () => {
      const data = join(folder.path, name);
      await cp(sampleOf(name), data, { recursive: true });
      const before = (await findDataset(name).open(data)).lacking?.size ?? 0;
      await spoil(data);
      const { tasks, lacking } = await chooseTasks({ names: [name], data });
      assert.ok(tasks.length > 0);
      assert.equal(lacking.length, name === 'humaneval' ? 1 : before + 1);
      assert.ok(
        lacking.some((one) => why.test(one.why)),
        lacking.map((one) => one.why).join('\n'),
      );
    });

  it('that is detected when loaded is left out, unless it was requested', async () => {
    const data = join(folder.path, 'dsbench');
    await cp(sampleOf('dsbench'), data, { recursive: true });
    await rm(join(data, 'data_modeling/data/task/titanic.txt'));
    const { lacking } = await chooseTasks({ names: ['dsbench'], data });
    assert.match(lacking.find(({ id }) => id === 'titanic')?.why ?? '', /titanic\.txt is missing/);
    await assert.rejects(chooseTasks({ names: ['dsbench'], data, ids: ['titanic'] }), { code: 'no-data' });
  });

  it('is not the only problem named: a missing list of the owners, several splits', async () => {
    const swt = join(folder.path, 'swt-bench');
    await cp(sampleOf('swt-bench'), swt, { recursive: true });
    assert.deepEqual((await chooseTasks({ names: ['swt-bench'], data: swt })).notes, []);
    await rm(join(swt, 'filter_cases_lite.txt'));
    const { notes } = await chooseTasks({ names: ['swt-bench'], data: swt });
    assert.match(notes.join(), /^SWT-Bench: filter_cases_lite\.txt is not beside the records/);
    const multimodal = join(folder.path, 'swe-bench-multimodal');
    await cp(sampleOf('swe-bench-multimodal'), multimodal, { recursive: true });
    const [file = ''] = ['dev.jsonl', 'test.jsonl'];
    await cp(join(swt, 'test.jsonl'), join(multimodal, 'test.jsonl'));
    const both = await chooseTasks({ names: ['swe-bench-multimodal'], data: multimodal });
    assert.match(
      both.notes.join(),
      new RegExp(`^SWE-bench Multimodal: ${file} is read; for test.jsonl beside it`),
    );
  });
});

describe('PwP-Bench-Lite', () => {
  const lite = (data: string) => chooseTasks({ names: ['pwp-bench-lite'], data });

  it("has the owners' records if their file is beside the data", async () => {
    await using folder = await temporaryFolder();
    for (const name of ['humaneval', 'intercode-ctf', 'dsbench'])
      await cp(sampleOf(name), join(folder.path, name), { recursive: true });
    await mkdir(join(folder.path, 'none'));
    const drawn = await lite(folder.path);
    assert.match(drawn.notes.join('\n'), /drawn by the seed and differ from the paper's/);
    const owners = {
      humaneval: [{ task_id: 'HumanEval/2' }, { task_id: 'HumanEval/163' }],
      intercode: [{ task_id: 4 }, { task_id: 0 }],
    };
    await writeFile(join(folder.path, 'pwp_lite.json'), JSON.stringify(owners));
    const { tasks, notes } = await lite(folder.path);
    const of = (name: string) => tasks.map(({ id }) => id).filter((id) => id.startsWith(`${name}/`));
    assert.deepEqual(of('humaneval'), ['humaneval/HumanEval-2']);
    assert.deepEqual(of('intercode-ctf'), ['intercode-ctf/0', 'intercode-ctf/4']);
    assert.match(notes.join('\n'), /HumanEval: 1 records of pwp_lite\.json are not in this data/);
    assert.ok(of('dsbench').length > 0);
    await writeFile(join(folder.path, 'pwp_lite.json'), '{"humaneval": 3}');
    await assert.rejects(lite(folder.path), { code: 'bad-data' });
  });

  it("has the same number of records of each of DSBench's parts", async () => {
    await using folder = await temporaryFolder();
    await cp(sampleOf('dsbench'), join(folder.path, 'dsbench'), { recursive: true });
    const { tasks } = await chooseTasks({ names: ['pwp-bench-lite'], data: folder.path, sample: 4 });
    const own = tasks.map(({ id }) => id).filter((id) => id.startsWith('dsbench/'));
    assert.equal(own.length, 4);
    assert.equal(own.filter((id) => /\/0\d+$/.test(id)).length, 2, own.join());
  });
});
