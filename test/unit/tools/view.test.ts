import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { readImageFacts } from '../../../bridge/lib/index.ts';
import { chooseNextZoom, fillPage, preparePage } from '../../../extension/src/tools/view/preview-page.ts';
import { packageFolder } from '../../../host/lib/index.ts';

describe('the kind and size of a picture file', () => {
  const drawn = sharp({ create: { width: 30, height: 20, channels: 3, background: '#00f' } });

  it('are recognized by its bytes, regardless of its name', async () => {
    for (const [kind, mime] of [
      ['png', 'image/png'],
      ['jpeg', 'image/jpeg'],
      ['gif', 'image/gif'],
      ['webp', 'image/webp'],
    ] as const) {
      const facts = readImageFacts(await drawn.clone().toFormat(kind).toBuffer());
      assert.deepEqual(facts, { mime, width: 30, height: 20 });
    }
    const svg = '<?xml version="1.0"?>\n<!-- <svg> --><svg xmlns="http://www.w3.org/2000/svg"/>';
    assert.equal(readImageFacts(Buffer.from(svg))?.mime, 'image/svg+xml');
    const all = '\ufeff <?xml version="1.0"?><!DOCTYPE svg><!-- a --> <!----><SVG>';
    assert.equal(readImageFacts(Buffer.from(all))?.mime, 'image/svg+xml');
  });

  it('are read in time from a file that could be split in very many ways', () => {
    for (const piece of ['\ufeff', '<!---->', '<??>', ' \ufeff']) {
      assert.equal(readImageFacts(Buffer.from(`${piece.repeat(500)}x`)), undefined);
      assert.equal(readImageFacts(Buffer.from(`${piece.repeat(500)}<svg>`))?.mime, 'image/svg+xml');
    }
  });

  it('are recognized for the three kinds of WebP', async () => {
    const clear = sharp({ create: { width: 301, height: 17, channels: 4, background: '#00f8' } });
    for (const made of [drawn.clone().webp(), drawn.clone().webp({ lossless: true }), clear.webp()]) {
      const bytes = await made.toBuffer();
      const { width, height } = await sharp(bytes).metadata();
      assert.deepEqual(
        readImageFacts(bytes),
        { mime: 'image/webp', width, height },
        bytes.toString('latin1', 12, 16),
      );
      assert.deepEqual(readImageFacts(bytes.subarray(0, 20)), {
        mime: 'image/webp',
        width: null,
        height: null,
      });
    }
  });

  it('are unknown for other files, and if the size is cut off', () => {
    for (const text of ['', 'GIF', '<html><svg></svg></html>', 'RIFFxxxxWAVE'])
      assert.equal(readImageFacts(Buffer.from(text)), undefined);
    assert.deepEqual(readImageFacts(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 1, 2, 3, 4, 5, 6])), {
      mime: 'image/jpeg',
      width: null,
      height: null,
    });
  });
});

describe('a page prepared for the preview', () => {
  const head = readFileSync(join(packageFolder(), 'extension/media/preview/head.html'), 'utf8');
  const base = '<base href="x:/folder/" />';
  const given = { number: 7, zoom: 150 };

  it('gets its folder in its head, after the document type', () => {
    const made = (html: string) =>
      preparePage(head, html, 'x:/folder/', given).replaceAll(
        /<!--.*?-->|<(style|script)>[\s\S]*?<\/\1>|\n/g,
        '',
      );
    assert.equal(
      made('<!DOCTYPE html><html><head lang="a"><p>'),
      `<!DOCTYPE html><html><head lang="a">${base}<p>`,
    );
    assert.equal(made('<!doctype html><html><body>'), `<!doctype html><html>${base}<body>`);
    assert.equal(made('<!doctype html><p>'), `<!doctype html>${base}<p>`);
    assert.equal(made('<header>a</header>'), `${base}<header>a</header>`);
  });

  it('answers with its number and zoom, and no value ends its script', () => {
    assert.match(preparePage(head, '', 'x:/', given), /given = \{"number":7,"zoom":150\};/);
    assert.equal(fillPage("x = '{{a}}'", { a: '</script>$&' }), String.raw`x = "\u003c/script>$&"`);
  });
});

describe('zooming', () => {
  it('moves in steps, also from between them, and no further than the last', () => {
    assert.equal(chooseNextZoom(100, 'in'), 110);
    assert.equal(chooseNextZoom(105, 'out'), 100);
    assert.equal(chooseNextZoom(500, 'in'), 500);
    assert.equal(chooseNextZoom(25, 'out'), 25);
    assert.equal(chooseNextZoom(300, 'reset'), 100);
    assert.equal(chooseNextZoom(300, 123), 123);
  });
});
