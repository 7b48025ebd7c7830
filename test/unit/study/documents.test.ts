import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readStudyFile } from '../../../host/run/index.ts';
import { priceOf } from '../../../host/run/models/model-prices.ts';
import { readModelName } from '../../../host/run/models/open-model.ts';
import { projectFolder } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/folder.ts';

describe('docs/experiments.md', () => {
  let text: string;
  before(async () => {
    text = await readFile(join(projectFolder, 'docs/experiments.md'), 'utf8');
  });

  it('has limits in dollars only for models with a known price', () => {
    const inFiles = [...text.matchAll(/^model = "(.+)"/gm)].map(([, name]) => name ?? '');
    const inCommands = [...text.matchAll(/ -m ([^-\n]\S*(?: [^-\s]\S*)*)/g)].flatMap(([, names]) =>
      (names ?? '').split(' '),
    );
    const names = [...inFiles, ...inCommands];
    assert.ok(names.length > 5, names.join());
    for (const written of names) {
      const { vendor, model } = readModelName(written);
      assert.ok(priceOf(vendor, model), `the price of ${written} is unknown`);
    }
  });

  it('has a readable study', async () => {
    const [, study = ''] = /```toml\n(tasks = [^`]+)```/.exec(text) ?? [];
    await using folder = await temporaryFolder();
    await writeFile(folder.file('study.toml'), study);
    const { agents, attempts, budget } = await readStudyFile(folder.file('study.toml'));
    assert.deepEqual([agents?.length, attempts, budget], [5, 3, ['100usd', '24h']]);
  });

  it('names datasets besides folders, with paths relative to the file', async () => {
    await using folder = await temporaryFolder();
    const lines = [
      'tasks = ["humaneval", "tasks"]',
      'data = "data"',
      'sample = 3',
      '[[agents]]',
      'agent = "null"',
    ];
    await writeFile(folder.file('study.toml'), lines.join('\n'));
    const { tasks, data, sample } = await readStudyFile(folder.file('study.toml'));
    assert.deepEqual([tasks, data, sample], [['humaneval', folder.file('tasks')], folder.file('data'), 3]);
  });
});
