import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeStudyReport } from '../../../host/doors/report/index.ts';
import type { ReportTable } from '../../../host/read/index.ts';
import { formatCsv, formatLatex, formatMarkdown } from '../../../host/read/study-report/table-formats.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { harmful } from '../../support/harmful-name.ts';
import { writeMadeUpStudy } from '../../support/made-up-study.ts';

const table: ReportTable = {
  ...{ id: 'scores', title: 'Scores', about: 'Mean reward.' },
  columns: [
    { name: 'agent', kind: 'text' },
    { name: 'alpha', kind: 'share' },
    { name: 'difference', kind: 'points' },
    { name: 'cost', kind: 'usd' },
    { name: 'p', kind: 'p' },
  ],
  rows: [
    ['ace, "one"', { value: 0.62, low: 0.3288, high: 0.8446 }, 0.26, 0.0517, 0.0078],
    ['=1+1', null, -0.5, null, 0.0000001],
  ],
};

describe('the formats of a report', () => {
  it('CSV: values as they are, an interval in three columns, no spreadsheet formula', () => {
    assert.deepEqual(formatCsv(table).split('\n'), [
      'agent,alpha (0 to 1),alpha_low (0 to 1),alpha_high (0 to 1),difference (-1 to 1),cost (USD),p',
      '"ace, ""one""",0.62,0.3288,0.8446,0.26,0.0517,0.0078',
      "'=1+1,,,,-0.5,,1e-7",
      '',
    ]);
  });

  it('Markdown: values for people', () => {
    assert.deepEqual(formatMarkdown(table).split('\n').slice(0, 8), [
      '## Scores',
      '',
      'Mean reward.',
      '',
      '| agent | alpha (%) | difference (points) | cost | p |',
      '| --- | ---: | ---: | ---: | ---: |',
      '| ace, "one" | 62.0 \\[32.9, 84.5\\] | \\+26.0 | $0.0517 | 0.008 |',
      '| =1\\+1 | – | -50.0 | – | &lt;0.001 |',
    ]);
  });

  it('LaTeX: a booktabs table', () => {
    const lines = formatLatex(table).split('\n');
    assert.ok(lines.includes('\\begin{tabular}{lrrrr}'));
    assert.ok(
      lines.includes('ace, \\symbol{34}one\\symbol{34} & 62.0 [32.9, 84.5] & +26.0 & \\$0.0517 & 0.008 \\\\'),
    );
    assert.ok(lines.includes('=1+1 & -- & -{}50.0 & -- & \\textless{}0.001 \\\\'));
  });

  it('say so if no attempt is over yet', async () => {
    await using folder = await temporaryFolder();
    await writeMadeUpStudy(folder.file('study'), { isOver: () => false });
    const out = folder.file('out');
    const { tables } = await writeStudyReport([folder.file('study')], { out });
    assert.deepEqual(tables, []);
    assert.match(await readFile(join(out, 'report.html'), 'utf8'), /No attempt is over yet/);
    for (const name of ['attempts.csv', 'attempts.jsonl', 'report.md'])
      assert.equal(await readFile(join(out, name), 'utf8'), '', name);
  });

  describe('of a study in which every name is malicious', () => {
    let folder: TemporaryFolder;
    let files: Map<string, string>;
    before(async () => {
      folder = await temporaryFolder();
      await writeMadeUpStudy(folder.file('study'), { dress: (name) => name + harmful });
      const out = folder.file('out');
      const { rows, problems } = await writeStudyReport([folder.file('study')], { out });
      assert.deepEqual([rows.length, problems.length], [600, 0]);
      const names = await readdir(out);
      files = new Map(
        await Promise.all(
          names.map(async (name) => [name, await readFile(join(out, name), 'utf8')] as const),
        ),
      );
    });
    after(() => folder[Symbol.asyncDispose]());

    function of(ending: string): [string, string][] {
      const found = [...files].filter(([name]) => name.endsWith(ending));
      assert.ok(found.length > 0, `there is no ${ending}`);
      return found;
    }

    it('have no control character, and none that reverses text', () => {
      for (const [name, content] of ['.html', '.csv', '.md', '.tex', '.jsonl'].flatMap(of)) {
        const bad = /[\u0000-\u0009\u000B-\u001F\u007F]/;
        assert.ok(!bad.test(content), name);
        if (!name.endsWith('.jsonl')) assert.ok(!content.includes('\u202e'), name);
      }
    });

    it("HTML has only the page's tags, and runs and loads nothing", () => {
      for (const [, html] of of('.html')) {
        const tags = new Set([...html.matchAll(/<\/?([^\s>/]*)/g)].map(([, tag]) => tag));
        assert.deepEqual(
          [...tags].filter((tag) => !ours.includes(tag ?? '')),
          [],
        );
        assert.match(
          html.replaceAll('&#39;', "'"),
          /default-src 'none'; img-src data:; style-src 'sha256-[^']+'; script-src 'none'/,
        );
        // Each attribute is ours: a value of a study can't end one.
        const attributes = [...html.matchAll(/<[a-z][^>]*>/g)].flatMap(([tag]) =>
          [...tag.matchAll(/([\w-]+)="[^"]*"/g)].map(([, name]) => name ?? ''),
        );
        assert.deepEqual(
          attributes.filter((name) => name.startsWith('on') || name === 'style' || name === 'src'),
          [],
        );
        assert.ok(html.includes('&lt;img src=x onerror=alert(1)&gt;'));
      }
    });

    it('Markdown has no tag, link or further cell', () => {
      for (const [, text] of of('.md')) {
        assert.ok(!/[<>`]/.test(text.replaceAll('\\`', '')));
        assert.ok(!/[^\\]\]\(/.test(text));
        const [head, rule, first] = text.split('\n').filter((line) => line.startsWith('|'));
        const cells = [head, rule, first].map((line) => line?.replaceAll('\\|', '').split('|').length);
        assert.equal(new Set(cells).size, 1);
      }
    });

    it('LaTeX has no commands from names', () => {
      for (const [name, text] of of('.tex')) {
        assert.ok(!text.includes('\\input'), name);
        const commands = new Set([...text.matchAll(/\\([a-zA-Z]+|.)/g)].map(([, one]) => one));
        assert.deepEqual(
          [...commands].filter((one) => !ofLatex.includes(one ?? '')),
          [],
          name,
        );
      }
    });

    it('CSV has the same number of cells in each line, and no cell that starts a formula', () => {
      for (const [name, text] of of('.csv')) {
        const counts = text
          .trimEnd()
          .split('\n')
          .map((line) => line.replaceAll(/"([^"]|"")*"/g, '').split(',').length);
        assert.equal(new Set(counts).size, 1, name);
      }
    });

    it('JSON lines keep the names as they are', () => {
      const [line = ''] = files.get('attempts.jsonl')?.split('\n') ?? [];
      const { agent } = JSON.parse(line) as { agent: string };
      assert.equal(agent, `ace${harmful}`);
    });
  });
});

const ours = [
  ...[
    '!doctype',
    'html',
    'head',
    'meta',
    'title',
    'style',
    'body',
    'main',
    'header',
    'p',
    'h1',
    'h2',
    'nav',
    'a',
  ],
  ...['section', 'div', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'span', 'ul', 'li'],
  ...['svg', 'g', 'text', 'rect', 'path'],
];

const ofLatex = [
  ...[
    'usepackage',
    'begin',
    'end',
    'centering',
    'caption',
    'label',
    'toprule',
    'midrule',
    'bottomrule',
    'sigma',
  ],
  ...['textbackslash', 'textasciicircum', 'textasciitilde', 'textless', 'textgreater', 'textbar'],
  ...['symbol', 'textasciigrave', 'textquotesingle', '\\', '{', '}', '$', '&', '#', '_', '%'],
];
