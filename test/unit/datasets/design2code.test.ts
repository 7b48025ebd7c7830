import assert from 'node:assert/strict';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { design2code } from '../../../host/tasks/datasets/design2code/design2code.ts';
import { graderSays, sampleOf } from '../../support/datasets.ts';
import { temporaryFolder } from '../../support/folder.ts';

const samples = sampleOf('design2code');

const python = (setUp: string, expression: string) =>
  graderSays('design2code', `${setUp}\nshow(${expression})\n`);

interface Block {
  readonly text: string;
  readonly bbox: readonly number[];
  readonly color: readonly number[];
}

async function scoresOf(answer: readonly Block[], reference: readonly Block[]): Promise<number[]> {
  const found = await python(
    'from scores import scores',
    `scores(${JSON.stringify(answer)}, ${JSON.stringify(reference)})`,
  );
  const { block, text, position, color } = found as Record<string, number>;
  return [block, text, position, color].map((score) => Number((score ?? -1).toFixed(4)));
}

const black = [0, 0, 0];

describe("Design2Code's scores", () => {
  it('are those worked out by hand', async () => {
    const answer = [{ text: 'hello world', bbox: [0.1, 0.1, 0.2, 0.1], color: black }];
    const reference = [
      { text: 'hello world', bbox: [0.2, 0.1, 0.2, 0.1], color: [255, 255, 255] },
      { text: 'quite', bbox: [0.5, 0.5, 0.4, 0.2], color: black },
    ];
    // Areas: 0.02 and 0.02 are paired, 0.08 is not. The centres are 0.1 apart.
    assert.deepEqual(await scoresOf(answer, reference), [0.3333, 1, 0.9, 0]);
  });

  it('are the mean over pairs, each by the larger of its distances', async () => {
    const block = (text: string, x: number, y: number) => ({ text, bbox: [x, y, 0.1, 0.1], color: black });
    const reference = [block('abcdef', 0, 0), block('uvwxyz', 0.5, 0.5)];
    // Distances 0.2 (down) and 0.1 (across); 4 of 6 letters are the same, so 8 of 12.
    const answer = [block('abcdzz', 0.1, 0.2), block('uvwxyz', 0.6, 0.5)];
    assert.deepEqual(await scoresOf(answer, reference), [1, 0.8333, 0.85, 1]);
  });

  it('merge neighbours if that makes texts more alike', async () => {
    const reference = [
      { text: 'read', bbox: [0, 0, 0.1, 0.1], color: black },
      { text: 'more today', bbox: [0.1, 0, 0.3, 0.1], color: black },
    ];
    const answer = [{ text: 'read more today', bbox: [0, 0, 0.4, 0.1], color: black }];
    assert.deepEqual(await scoresOf(answer, reference), [1, 1, 1, 1]);
    assert.deepEqual(await scoresOf(reference, answer), [1, 1, 1, 1]);
  });

  it('are 0 if less than half of the text is the same', async () => {
    const answer = [{ text: 'abcdwxyz', bbox: [0, 0, 1, 1], color: black }];
    const half = [{ text: 'abcd1234', bbox: [0, 0, 1, 1], color: black }];
    const less = [{ text: 'abc12345', bbox: [0, 0, 1, 1], color: black }];
    assert.deepEqual(await scoresOf(answer, half), [1, 0.5, 1, 1]);
    assert.deepEqual(await scoresOf(answer, less), [0, 0, 0, 0]);
  });

  it('treat texts in one box as one, with the mean of their colours', async () => {
    const setUp = 'from matching import with_one_box_each';
    const blocks = [
      { text: 'a', bbox: [0, 0, 1, 1], color: [0, 0, 0] },
      { text: 'b', bbox: [0, 0, 1, 1], color: [10, 20, 30] },
    ];
    assert.deepEqual(await python(setUp, `with_one_box_each(${JSON.stringify(blocks)})`), [
      { text: 'a b', bbox: [0, 0, 1, 1], color: [5, 10, 15] },
    ]);
  });
});

describe("Design2Code's pages", () => {
  const written = (html: string) =>
    python('from html_tree import parse, write', `write(parse(${JSON.stringify(html)}))`);

  it('are read like the official metric reads them', async () => {
    assert.equal(await written('<P>a<p>b'), '<p>a<p>b</p></p>');
    assert.equal(await written('<div/>a<br>b</br></i>'), '<div></div>a<br/>b');
    assert.equal(await written("<a title='\"' id=x>&lt;&eacute;</a>"), '<a title=\'"\' id="x">&lt;é</a>');
    assert.equal(
      await written('<!DOCTYPE html><script>a < b && c</script><!-- x -->'),
      '<!DOCTYPE html>\n<script>a < b && c</script><!-- x -->',
    );
    assert.equal(
      await written('<meta charset="latin1"><b>a</b>  \n <i>b</i>'),
      '<meta charset="utf-8"/><b>a</b>\n<i>b</i>',
    );
  });

  it('have a colour for each text, found by recolouring its element', async () => {
    const setUp = `from html_tree import parse
from recolour import recolour, texts
root = parse('<body><p style="color: red; margin: 0">one <b>two</b><em style="color: teal">three</em><em>four</em></p></body>')
recolour(root, 0)`;
    const found = await python(setUp, 'texts(root, {"teal": "#008080"}.get)');
    assert.deepEqual(found, [
      ['one', '#FAFAFA'],
      ['two', '#FAFAEA'],
      ['three', '#008080'],
      ['four', '#FAFAFA'],
    ]);
    const shifted = await python(setUp.replace('root, 0', 'root, 50'), 'texts(root, {}.get)[0]');
    assert.deepEqual(shifted, ['one', '#2C2C2C']);
  });

  it('end where their text is repeated a fifth time, unless the page to copy repeats it too', async () => {
    const setUp = `from prepare import prepared, survives, without_repetition
line = "abcdefghij" * 10
other = "0123456789" * 10
page = lambda count: "<html><body>" + other + f"<p>{line}</p>" * count + "</body></html>"`;
    assert.equal(await python(setUp, 'without_repetition(page(4)) == page(4)'), true);
    assert.equal(
      await python(setUp, 'without_repetition(page(5))'),
      `<html><body>${'0123456789'.repeat(10)}<p>`,
    );
    assert.deepEqual(await python(setUp, '[survives(page(4)), survives(page(5))]'), [true, false]);
    assert.equal(await python(setUp, 'prepared(page(9), False).count("<p>")'), 9);
  });

  it('keep fifty equal elements, and become complete documents', async () => {
    const setUp = 'from prepare import prepared';
    assert.equal(await python(setUp, 'prepared("<html><body>" + "<hr>" * 60, True).count("<hr/>")'), 50);
    assert.equal(await python(setUp, 'prepared("words", True)'), '<html><body><p>words</p></body></html>');
  });
});

describe("Design2Code's files", () => {
  async function refusal(path: string): Promise<PwpError> {
    try {
      const open = await design2code.open(path);
      for (const id of open.ids) await open.load(id);
    } catch (error) {
      if (error instanceof PwpError) return error;
      throw error;
    }
    throw new Error('the data was accepted');
  }

  it('are read in numerical order', async () => {
    const open = await design2code.open(samples);
    assert.deepEqual(open.ids, ['1', '2', '7', '10', '23', '104']);
    const task = await open.load('23');
    assert.equal(task.id, 'design2code/23');
    assert.deepEqual(await task.leaks(), []);
    assert.match((await task.solutions())[0]?.text ?? '', /Crème brûlée 焼き菓子/);
    assert.deepEqual(
      (await task.falseSolutions()).map(({ name }) => name),
      ['picture', 'wrong'],
    );
  });

  it('are named if missing', async () => {
    for (const [name, code] of [
      ['10.png', 'bad-data'],
      ['rick.jpg', 'no-data'],
    ] as const) {
      await using folder = await temporaryFolder();
      await cp(join(samples, 'testset_final'), folder.path, { recursive: true });
      await rm(folder.file(name));
      const error = await refusal(folder.path);
      assert.equal(error.code, code);
      assert.match(error.message, new RegExp(name));
    }
  });

  it('are refused if they are of another kind', async () => {
    await using folder = await temporaryFolder();
    await cp(join(samples, 'testset_final'), folder.path, { recursive: true });
    await writeFile(folder.file('7.html'), Uint8Array.of(0x3c, 0xff));
    assert.match((await refusal(folder.path)).message, /7\.html: expected text in UTF-8/);
    await writeFile(folder.file('7.html'), '<html>no body</html>');
    assert.match((await refusal(folder.path)).message, /7\.html: expected a page with a body/);
    await writeFile(folder.file('2.png'), 'GIF89a');
    assert.match((await refusal(folder.path)).message, /2\.png: expected a picture in PNG/);
  });
});
