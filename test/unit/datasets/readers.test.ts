import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as z from 'zod';
import { canitedit } from '../../../host/tasks/datasets/canitedit/canitedit.ts';
import { humaneval } from '../../../host/tasks/datasets/humaneval/humaneval.ts';
import { readRecords } from '../../../host/tasks/datasets/records/records.ts';
import { sampleOf } from '../../support/datasets.ts';
import { temporaryFolder } from '../../support/folder.ts';

const record = z.object({ id: z.int(), name: z.string() });
const one = '{"id": 1, "name": "ä"}';

describe('readers of datasets', () => {
  async function read(name: string, content: string | Uint8Array): Promise<unknown> {
    await using folder = await temporaryFolder();
    await writeFile(folder.file(name), content);
    return (await readRecords(folder.file(name), record)).records;
  }

  async function refused(name: string, content: string | Uint8Array, message: RegExp): Promise<void> {
    await assert.rejects(read(name, content), { code: 'bad-data', message });
  }

  it('read JSON, JSONL and gzip files, with Windows line endings and a byte order mark', async () => {
    const wanted = [{ id: 1, name: 'ä' }];
    assert.deepEqual(await read('a.jsonl', `${one}\r\n\r\n`), wanted);
    assert.deepEqual(await read('a.json', `\ufeff[${one}]`), wanted);
    assert.deepEqual(await read('a.json', `{"x": ${one}}`), wanted);
    assert.deepEqual(await read('a.jsonl.gz', gzipSync(one)), wanted);
  });

  it('read Parquet, compressed by Snappy and by Zstandard', async () => {
    const folder = sampleOf('canitedit');
    const [wanted, ...found] = await Promise.all(
      ['data.jsonl', 'test-snappy.parquet', 'test-zstd.parquet'].map(async (name) => {
        const opened = await canitedit.open(join(folder, name));
        return Promise.all(opened.ids.map(async (id) => (await opened.load(id)).instruction));
      }),
    );
    assert.equal(wanted?.length, 5);
    assert.deepEqual(found, [wanted, wanted]);
  });

  it('name the file, record, field, what was expected and what was found', async () => {
    await refused(
      'a.jsonl',
      `{"id": "x"}\n`,
      /a\.jsonl, line 1: id: expected .*, found "x"; name: .*nothing/,
    );
    await refused('a.json', `[3]`, /a\.json, record 1/);
  });

  it('leave out unreadable records, and name them, with the others in their places', async () => {
    await using folder = await temporaryFolder();
    const lines = [one, '{"id": 2, ', '{"id": "x"}', one];
    await writeFile(folder.file('a.jsonl'), lines.join('\n'));
    await writeFile(folder.file('a.json'), `[3, ${one}]`);
    const found = await readRecords(folder.file('a.jsonl'), record);
    assert.deepEqual(
      found.numbered.map(({ index }) => index),
      [0, 3],
    );
    assert.deepEqual([...found.unreadable.keys()], ['line 2', 'line 3']);
    assert.match(found.unreadable.get('line 2') ?? '', /a\.jsonl, line 2: expected JSON/);
    assert.deepEqual([...(await readRecords(folder.file('a.json'), record)).unreadable.keys()], ['record 1']);
  });

  it('refuse a file that is cut off, of another encoding, empty or of another kind', async () => {
    await refused('a.jsonl.gz', gzipSync(one).subarray(0, 20), /a\.jsonl\.gz: can't be read/);
    await refused('a.jsonl', `{"id": 2, `, /line 1: expected JSON/);
    await refused('a.jsonl', Buffer.from(one, 'latin1'), /expected text in UTF-8/);
    await refused('a.jsonl', '\n', /expected records, found none/);
    await refused('a.csv', one, /\.json, \.jsonl or \.parquet/);
    const parquet = await readFile(join(sampleOf('canitedit'), 'test-snappy.parquet'));
    await refused('a.parquet', parquet.subarray(0, 1000), /expected Parquet/);
    await refused('a.parquet', parquet.subarray(500), /expected Parquet|found/);
  });

  it('leave out the second of two records with one id', async () => {
    await using folder = await temporaryFolder();
    const line = { task_id: 'a/1', prompt: 'x', canonical_solution: 'x', test: 'x', entry_point: 'x' };
    const lines = [line, { ...line, task_id: 'a-1' }].map((each) => JSON.stringify(each)).join('\n');
    await writeFile(folder.file('HumanEval.jsonl'), lines);
    const message = /record 2: expected an id of its own, found a-1 as in record 1/;
    const { ids, lacking } = await humaneval.open(folder.path);
    assert.deepEqual(ids, ['a/1']);
    assert.match(lacking?.get('a-1 (2)') ?? '', message);
  });
});
