import assert from 'node:assert/strict';
import { publishedPaper } from '../../../host/read/analysis/published-scores.ts';
import { renderToText } from '../../../host/doors/web/parts/index.ts';
import { paperSection } from '../../../host/doors/web/report/index.ts';
import type { AttemptRow } from '../../../host/read/index.ts';
import { formatPaperLatex, formatPaperMarkdown } from '../../../host/read/study-report/paper-formats.ts';
import { makePaperTables } from '../../../host/read/study-report/paper-tables.ts';
import { attemptRow } from '../../support/attempt-row.ts';

/** Two attempts of an agent at one task of a family. */
function at(agent: string, family: string, rewards: readonly (number | null)[]): AttemptRow[] {
  return rewards.map((reward, i) =>
    attemptRow({
      ...{ agent, model: `anthropic:${agent}-model`, family, task: `${family}/t`, attempt: i + 1, reward },
    }),
  );
}

const families = publishedPaper.families.map(({ id }) => id);

describe("the paper's tables of a study", () => {
  it('are missing without a family of the paper', () => {
    assert.deepEqual(makePaperTables(at('a', 'own', [1])), []);
  });

  it('have categories whose families were all tried, with ± over repeated attempts', () => {
    const rows = [
      ...at('mine', 'vscode', [1, 0]),
      ...at('mine', 'general-swe', [1, 1]),
      ...at('mine', 'bird', [1, 1]),
      ...at('unscored', 'vscode', [null]),
    ];
    const [first] = makePaperTables(rows);
    const [own, cua] = first?.groups ?? [];
    assert.deepEqual(
      first?.columns.map(({ name }) => name),
      ['Code', 'Multimodal', 'Domain', 'General', 'Overall'],
    );
    // By number: 100 and 50, whose deviation is 35.4; their mean is 75.
    const [mine, unscored] = own?.rows ?? [];
    assert.deepEqual(mine?.labels, ['mine', 'mine-model']);
    assert.deepEqual(
      mine?.scores.map(({ mean }) => mean),
      [null, null, null, 75, null],
    );
    assert.equal(mine?.scores[3]?.deviation?.toFixed(1), '35.4');
    assert.ok(unscored?.scores.every(({ mean }) => mean === null));
    assert.equal(cua?.title, 'Computer use alone (paper)');
    // Not results at another number of steps.
    assert.equal(cua?.rows.length, 6);
  });

  it('have families by agent, next to those of the paper', () => {
    const [, sixth] = makePaperTables(families.flatMap((family) => at('mine', family, [0.5])));
    assert.deepEqual(
      sixth?.columns.map(({ name, over }) => `${over}: ${name}`),
      [
        'This study: mine',
        'Paper: file and bash tools, Claude Sonnet 4',
        'Paper: mini-swe-agent, Claude Sonnet 4',
        'Paper: OpenHands, Claude Sonnet 4',
      ],
    );
    const rows = sixth?.groups.flatMap((group) => group.rows) ?? [];
    assert.equal(rows.length, families.length + 1);
    assert.deepEqual(
      rows.at(-1)?.scores.map(({ mean }) => mean),
      [50, 50.7, 48.8, 45.7],
    );
    assert.deepEqual(
      rows.find(({ labels }) => labels[0] === 'SWE-bench MM')?.scores.map(({ mean }) => mean),
      [50, 13.3, 15, 10],
    );
  });

  it('print the best in bold, or all that look the same', () => {
    const rows = families.flatMap((family) => [...at('one', family, [0.6]), ...at('two', family, [0.60001])]);
    const [first, sixth] = makePaperTables(rows);
    assert.ok(first && sixth);
    const lines = formatPaperMarkdown(first).split('\n');
    assert.match(lines.find((line) => line.startsWith('| one ')) ?? '', /\| \*\*60\.0\*\* \|$/);
    assert.match(lines.find((line) => line.startsWith('| two ')) ?? '', /\| \*\*60\.0\*\* \|$/);
    assert.ok(
      lines.includes(
        '| CUA | Claude Sonnet 4 | 14.3 ± 1.2 | 37.3 ± 0.6 | 6.7 ± 0.0 | 40.0 ± 3.5 | 22.3 ± 0.5 |',
      ),
    );
    assert.ok(lines.includes('| mini-swe-agent, text only | Claude Sonnet 4 | – | – | – | – | 40.0 |'));
    const bold = formatPaperMarkdown(sixth)
      .split('\n')
      .find((line) => line.startsWith('| HumanEval '));
    assert.equal(bold, '| HumanEval | 60.0 | 60.0 | **100.0** | **100.0** | 95.0 |');
    assert.match(formatPaperLatex(first), /& 14\.3\\,\{\\scriptsize\$\\pm\$\\,1\.2\} &/);
    assert.match(
      formatPaperLatex(sixth),
      /^HumanEval & 60\.0 & 60\.0 & \\textbf\{100\.0\} & \\textbf\{100\.0\} & 95\.0 \\\\$/m,
    );
    assert.match(formatPaperLatex(sixth), /\\cmidrule\(lr\)\{2-3\} \\cmidrule\(lr\)\{4-6\}/);
  });

  it('have no commands from names', () => {
    for (const table of makePaperTables(at('\\input{x} & $', 'bird', [1]))) {
      assert.doesNotMatch(formatPaperLatex(table), /\\input/);
      assert.doesNotMatch(formatPaperMarkdown(table).replaceAll('\\\\', ''), /[^\\]\$input/);
    }
  });

  it("are in the page as in Markdown, with agents' names unchanged", () => {
    const rows = families.flatMap((family) => at('<b>mine', family, [1, 0.5]));
    for (const table of makePaperTables(rows)) {
      const text = renderToText(paperSection(table));
      assert.ok(text.includes(`id="${table.id}"`));
      assert.match(text, /&lt;b>mine|&lt;b&gt;mine/);
      const printed = formatPaperMarkdown(table).match(/\*\*[\d.]+\*\*/g) ?? [];
      assert.equal(text.match(/<strong>[\d.]+<\/strong>/g)?.length, printed.length);
      assert.ok(printed.length > 0);
      const scores = table.groups.flatMap((group) => group.rows.flatMap((row) => row.scores));
      const cells = text.match(/<td class="figure">/g) ?? [];
      assert.equal(cells.length, scores.length);
    }
  });
});
