import assert from 'node:assert/strict';
import { Cli } from '../support/cli.ts';
import { sampleOf } from '../support/datasets.ts';
import { temporaryFolder } from '../support/folder.ts';

describe('pwp datasets', () => {
  const cli = new Cli(undefined);
  const data = sampleOf('.');

  it('lists datasets, the details of one, and its records', async () => {
    const [all, { stdout: shown }, { stdout: help }, records] = await Promise.all([
      cli.json('datasets', 'list'),
      cli.pwp('datasets', 'show', 'bird'),
      cli.pwp('datasets', 'fetch-help', 'bird'),
      cli.json('datasets', 'list', 'humaneval', '--data', data),
    ]);
    assert.ok((all as { name: string }[]).some(({ name }) => name === 'humaneval'));
    assert.match(shown, /BIRD: 500 records\n.*\nMetric: +execution accuracy/);
    assert.match(help, /mini_dev_sqlite\.json/);
    assert.equal((records as string[])[0], 'HumanEval/0');
  });

  it('draws the records of a study, and says which are left out and why', async () => {
    await using folder = await temporaryFolder();
    const study = ['eval', '-t', 'pwp-bench-lite', '--data', data, '--sample', '1'];
    const { code, stdout, stderr } = await cli.pwp(
      ...[...study, '-a', 'null', '--dry-run', '--out', folder.file('study')],
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^PwP-Bench-Lite: 1 of each family, drawn by seed 0\nhumaneval: HumanEval-\d\n/);
    assert.match(stderr, /intercode-ctf: 1 record is left out: 3: .*wget/);
  });

  it('names the file that is missing', async () => {
    const { code, stderr } = await cli.pwp('datasets', 'list', 'humaneval', '--data', '/nonexistent');
    assert.equal(code, 1);
    assert.match(stderr, /HumanEval: \/nonexistent is missing\n.*https:\/\/github\.com\/openai\/human-eval/);
  });
});
