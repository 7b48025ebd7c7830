import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chartmimic } from '../../../host/tasks/datasets/chartmimic/chartmimic.ts';
import { graderSays, sampleOf } from '../../support/datasets.ts';
import { temporaryFolder } from '../../support/folder.ts';

const samples = sampleOf('chartmimic');

const python = (setUp: string, expression: string) =>
  graderSays('chartmimic', `${setUp}\nshow(${expression})\n`);

const empty = { texts: [], layout: [], types: {}, colors: [] };

async function scoresOf(answer: object, reference: object): Promise<Record<string, number | null>> {
  const [one, other] = [answer, reference].map((drawn) => JSON.stringify({ ...empty, ...drawn }));
  return (await python('from f1 import scores', `scores(${one}, ${other})`)) as Record<string, number | null>;
}

describe("ChartMimic's scores", () => {
  it('are the F1 of texts, each counted as often as it is drawn', async () => {
    // 2 of 4 are right, 2 of 3 are found: 2 * 0.5 * 0.6667 / 1.1667.
    const { text } = await scoresOf({ texts: ['a', 'a', 'b', 'c'] }, { texts: ['a', 'b', 'd'] });
    assert.equal(text?.toFixed(4), '0.5714');
  });

  it('are the F1 of the places in the grid', async () => {
    const [left, right] = [
      [1, 2, 0, 0, 0, 0],
      [1, 2, 0, 0, 1, 1],
    ];
    const { layout } = await scoresOf({ layout: [left, left] }, { layout: [left, right] });
    assert.equal(layout, 0.5);
  });

  it('are the F1 of calls of plotting functions', async () => {
    // 2 of 4 calls are right, 2 of 2 are found.
    const { type } = await scoresOf(
      { types: { 'axes.bar': 3, 'axes.plot': 1 } },
      { types: { 'axes.bar': 2 } },
    );
    assert.equal(type?.toFixed(4), '0.6667');
  });

  it('are the F1 of colours by similarity, within one plotting function', async () => {
    const of = (...colors: string[][]) => ({ colors });
    const score = async (answer: object, reference: object) => (await scoresOf(answer, reference))['color'];
    const [black, white] = ['#000000', '#FFFFFF'];
    assert.equal(await score(of(['bar', black], ['bar', white]), of(['bar', white], ['bar', black])), 1);
    assert.equal(await score(of(['bar', black]), of(['plot', black])), 0);
    assert.equal((await score(of(['bar', black]), of(['bar', white])))?.toFixed(3), '0.000');
    // One of two is found, and it is right: 2 * 1 * 0.5 / 1.5.
    assert.equal((await score(of(['bar', black]), of(['bar', black], ['bar', white])))?.toFixed(4), '0.6667');
    assert.equal(await score(of(['imshow', 'viridis']), of(['imshow', 'viridis'])), 1);
    assert.equal(await score(of(['imshow', 'viridis']), of(['imshow', 'magma'])), 0);
  });

  it('leave out colours similar to others if there are more than ten', async () => {
    const greys = Array.from({ length: 11 }, (_, at) => ['bar', `#0${at.toString(16)}0000`.toUpperCase()]);
    const kept = await python('from f1 import distinct', `distinct(${JSON.stringify(greys)})`);
    assert.equal((kept as unknown[]).length, 1);
    const ten = await python('from f1 import distinct', `distinct(${JSON.stringify(greys.slice(1))})`);
    assert.equal((ten as unknown[]).length, 10);
  });

  it('are 0 if nothing is drawn', async () => {
    assert.equal((await scoresOf({}, { texts: ['a'] }))['text'], 0);
  });

  it('leave out aspects that the reference does not have', async () => {
    const wanted = { text: 1, layout: null, type: null, color: null };
    assert.deepEqual(await scoresOf({ texts: ['a'], types: { 'axes.bar': 1 } }, { texts: ['a'] }), wanted);
  });
});

describe("ChartMimic's files", () => {
  it('are the lines of test.jsonl, or the scripts of a folder', async () => {
    const names = ['bar_1', 'line_2', '3d_1', 'radar_1', 'graph_1', 'box_1'];
    const list = await chartmimic.open(samples);
    assert.deepEqual(list.ids, [...names.map((name) => `direct/${name}`), 'customized/bar_1']);
    const folder = await chartmimic.open(join(samples, 'ori_500'));
    assert.deepEqual(folder.ids, names.map((name) => `direct/${name}`).sort());
  });

  it('become tasks with the size of the figure, or the size that the record asks for', async () => {
    const open = await chartmimic.open(samples);
    const [direct, customized] = [await open.load('direct/line_2'), await open.load('customized/bar_1')];
    assert.equal(direct.id, 'chartmimic/direct-line_2');
    assert.match(direct.instruction, /figsize=\(8\.0, 6\.0\)/);
    assert.match(customized.instruction, /open_days = \[90, 210, 60\]/);
    assert.match((await customized.solutions())[0]?.text ?? '', /Days in port/);
    for (const task of [direct, customized]) assert.deepEqual(await task.leaks(), []);
  });

  /** Reasons why records are left out, or all data is refused. */
  async function changed(change: (text: string) => string): Promise<string> {
    await using folder = await temporaryFolder();
    await cp(samples, folder.path, { recursive: true });
    const list = folder.file('test.jsonl');
    await writeFile(list, change(await readFile(list, 'utf8')));
    try {
      const { lacking } = await chartmimic.open(folder.path);
      return lacking?.size ? [...lacking.values()].join('\n') : 'taken';
    } catch (error) {
      return String(error);
    }
  }

  it('may have Windows line endings', async () => {
    assert.equal(await changed((text) => text.replaceAll('\n', '\r\n')), 'taken');
  });

  it('are left out with file, record and field named', async () => {
    assert.match(
      await changed((text) => text.replace('"Direct Mimic"', '"Mimic"')),
      /test\.jsonl, line 1.*Task/,
    );
    assert.match(
      await changed((text) => text.replace('GroundTruthFigureCode', 'Code')),
      /GroundTruthFigureCode/,
    );
    assert.match(await changed((text) => text.slice(0, -40)), /line 7.*expected JSON/);
    assert.match(
      await changed((text) => text + (text.split('\n')[0] ?? '')),
      /record 8: expected an id of its own/,
    );
    assert.match(
      await changed((text) => text.replace('ori_500/line_2.png', 'ori_500/none.png')),
      /none\.png is missing/,
    );
    assert.match(
      await changed((text) => text.replace('ori_500/line_2.png', '../line_2.png')),
      /expected a path below it/,
    );
  });
});
