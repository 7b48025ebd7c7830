import assert from 'node:assert/strict';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type StudyReport, writeStudyReport } from '../../../host/doors/report/index.ts';
import { type ReportCell, wilson } from '../../../host/read/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { writeMadeUpStudy } from '../../support/made-up-study.ts';

// test/support/made-up-study.ts and made-up-courses.ts define what each agent does and passes; all figures here were
// calculated from that by hand. ace: 124 of 200 pass, 1034 steps; mid: 72, 797 steps; dud: 5, 398 steps.
describe('the report of the made-up study', () => {
  let folder: TemporaryFolder;
  let report: StudyReport;
  before(async () => {
    folder = await temporaryFolder();
    await writeMadeUpStudy(folder.file('study'));
    await mkdir(folder.file('out'));
    report = await writeStudyReport([folder.file('study')], { out: folder.file('out') });
  });
  after(() => folder[Symbol.asyncDispose]());

  /** The rows of a table: intervals by only their value, and numbers to six digits. */
  function rowsOf(id: string): ReportCell[][] {
    const table = report.tables.find((one) => one.id === id);
    assert.ok(table, `there is no table ${id}`);
    return table.rows.map((row) => row.map(value));
  }

  /** As rows of a table, with numbers to six digits. */
  function expected(...rows: readonly (readonly ReportCell[])[]): ReportCell[][] {
    return rows.map((row) => row.map(value));
  }

  function value(cell: ReportCell): ReportCell {
    const plain = typeof cell === 'object' && cell !== null ? cell.value : cell;
    return typeof plain === 'number' ? Number(plain.toFixed(6)) : plain;
  }

  it('covers all attempts, without unreadable ones', () => {
    assert.deepEqual(report.problems, []);
    assert.deepEqual(
      report.studies.map(({ name, planned, over }) => [name, planned, over]),
      [['study', 600, 600]],
    );
    assert.deepEqual(
      report.tables.map(({ id }) => id),
      known,
    );
  });

  it('scores: ace (5·1 + 3·0.4)/10; mid (3 + 3·0.2)/10; dud 0.25/10 at alpha by the suspect one, 1/10 at delta', () => {
    assert.deepEqual(
      rowsOf('scores'),
      expected(
        ['ace', 0.62, 0.62, 0.62, 0.62, 0.62, 200, 124, 0, 0, 0],
        ['mid', 0.36, 0.36, 0.36, 0.36, 0.36, 200, 72, 0, 0, 0],
        ['dud', 0.025, 0, 0.1, 0, 0.03125, 200, 5, 0, 1, 2],
      ),
    );
  });

  it('pass@k: with c = 2 of 5 it is 0.4, 0.7, 0.9, 1, 1; with c = 1 it is k/5', () => {
    const ofTwo = [0.4, 0.7, 0.9, 1, 1];
    const same = (all: number): ReportCell[] => [all, all, all, all, all, all];
    const ace = ofTwo.map((one, i) => ['ace', i + 1, 40, ...same((5 + 3 * one) / 10)]);
    const mid = [1, 2, 3, 4, 5].map((k) => ['mid', k, 40, ...same((3 + (3 * k) / 5) / 10)]);
    // At alpha/t0 and beta/t0 dud has four scores. Families by name: alpha, beta, delta, gamma.
    const dud = [40, 40, 40, 40, 38].map((n, i) => ['dud', i + 1, n, 0, 0, 0.1, 0, 1 / n, 0.025]);
    assert.deepEqual(rowsOf('pass-at-k'), expected(...ace, ...mid, ...dud));
  });

  it('pass@k has Wilson’s intervals: 0.62 of 10 tasks from 0.3288 to 0.8446, and that of 40', () => {
    const [first] = report.tables.find(({ id }) => id === 'pass-at-k')?.rows ?? [];
    assert.ok(first);
    const [alpha, all] = [first[3], first[7]];
    assert.ok(typeof alpha === 'object' && alpha !== null);
    assert.deepEqual([alpha.low.toFixed(4), alpha.high.toFixed(4)], ['0.3288', '0.8446']);
    const { low, high } = wilson(0.62, 40);
    assert.ok(typeof all === 'object' && all !== null);
    assert.deepEqual([all.low.toFixed(9), all.high.toFixed(9)], [low.toFixed(9), high.toFixed(9)]);
  });

  it('comparisons: first attempts that pass are 32, 24 and 1, the last one at a task that the others fail', () => {
    assert.deepEqual(
      rowsOf('comparisons'),
      expected(
        ['ace', 'mid', 40, 0.26, 40, 8, 0, 2 / 2 ** 8],
        ['ace', 'dud', 40, 0.595, 40, 32, 1, (2 * 34) / 2 ** 33],
        ['mid', 'dud', 40, 0.335, 40, 24, 1, (2 * 26) / 2 ** 25],
      ),
    );
  });

  it('costs: 110 tokens and a cent per step; 550 and 440 tokens per success; pass@5 is 80 and 60 %; one of dud never began', () => {
    assert.deepEqual(
      rowsOf('costs'),
      expected(
        ['ace', 200, 0, 5.17, 568.7, 0.0517, 10.34, 10.34, 10.34 / 124, 550, 80 / 0.55],
        ['mid', 200, 0, 3.985, 438.35, 0.03985, 7.97, 8.04, 7.97 / 72, 440, 60 / 0.44],
        ['dud', 199, 1, 2, 0, 0, 0, 0, 0, 0, null],
      ),
    );
  });

  it('effects: ace is refused 11 times; mid misses 197 clicks and stays 199 times; dud is refused each first step, and skips an edit', () => {
    assert.deepEqual(
      rowsOf('effects'),
      expected(
        ['ace', 1034, 1023 / 1034, 0, 0, 0, 11 / 1034, 0, 0, 0, 1034, null, 0],
        ['mid', 797, 399 / 797, 0, 199 / 797, 199 / 797, 0, 0, 197 / 797, 0, 797, 199 / 797, 0],
        ['dud', 398, 0, 0.5, 0, 0, 0.5, 0.5, 0, 199, 398, 1, 0.5],
      ),
    );
  });

  it('action kinds: ace asks for the structure of the repository once at alpha and once at beta', () => {
    const ace = [
      ['ace', 'alpha', 270, 0, 269 / 270, 1 / 270, 0],
      ['ace', 'beta', 264, 0, 263 / 264, 1 / 264, 0],
      ['ace', 'delta', 250, 0, 1, 0, 0],
      ['ace', 'gamma', 250, 0, 1, 0, 0],
    ];
    const pixels = (agent: string, counts: readonly number[]) =>
      ['alpha', 'beta', 'delta', 'gamma'].map((family, i) => [agent, family, counts[i] ?? 0, 1, 0, 0, 0]);
    const [mid, dud] = [pixels('mid', [200, 200, 200, 197]), pixels('dud', [100, 98, 100, 100])];
    assert.deepEqual(rowsOf('action-kinds'), expected(...ace, ...mid, ...dud));
  });

  it('parts of the IDE: ace asks for the structure twice; mid types into the editor; dud opens the palette', () => {
    const steps = (
      agent: string,
      column: number,
      counts: readonly (readonly [steps: number, used: number])[],
    ) =>
      ['alpha', 'beta', 'delta', 'gamma'].map((family, i) => {
        const [all, used] = counts[i] ?? [0, 0];
        return [agent, family, all, ...Array.from({ length: 10 }, (_, j) => (j === column ? used / all : 0))];
      });
    const half = [100, 50] as const;
    const ace = steps('ace', 1, [
      [270, 1],
      [264, 1],
      [250, 0],
      [250, 0],
    ]);
    const mid = steps('mid', 0, [
      [200, 50],
      [200, 50],
      [200, 50],
      [197, 49],
    ]);
    assert.deepEqual(
      rowsOf('features'),
      expected(...ace, ...mid, ...steps('dud', 9, [half, [98, 49], half, half])),
    );
  });

  it('times: 1.7 s per attempt and 2.3 s per step, of which the model takes 2, a tool 0.1, the rest of a step 0.2', () => {
    const [ace, mid, dud] = [340 + 2.3 * 1034, 340 + 2.3 * 797, 1.7 * 199 + 2.3 * 398];
    assert.deepEqual(
      rowsOf('times'),
      expected(
        ['ace', 200, 0, ace / 200, 200 / ace, 2068 / ace, 103.4 / ace, 206.8 / ace, 140 / ace],
        ['mid', 200, 0, mid / 200, 200 / mid, 1594 / mid, 0, 239.1 / mid, 140 / mid],
        ['dud', 199, 1, dud / 199, 199 / dud, 0, 0, 119.4 / dud, 935.3 / dud],
      ),
    );
  });

  it('failure modes: each of ace’s in one attempt of 76; what mid read on the screen is unknown', () => {
    const all = rowsOf('failure-modes');
    const of = (agent: string) => all.filter((row) => row[0] === agent).map((row) => row.slice(1));
    const none = (mode: string, failed: number) => [mode, 0, failed, 0];
    const ace = modes.map((mode) =>
      mode === 'infrastructure-errors' ? none(mode, 76) : [mode, 1, 76, 1 / 76],
    );
    // The fifth of mid at gamma/t9 has no edit: only for it is it known that it is not premature.
    const mid = modes.map((mode) => (mode === 'premature-editing' ? none(mode, 1) : none(mode, 128)));
    const dud = modes.map((mode) =>
      mode === 'infrastructure-errors' ? [mode, 2, 195, 2 / 195] : none(mode, 195),
    );
    assert.deepEqual(of('ace'), expected(...ace));
    assert.deepEqual(of('mid'), expected(...mid));
    assert.deepEqual(of('dud'), expected(...dud));
  });

  it('editing: ace makes 212 edits of which 6 fail, and reads 607 times; mid types 199 times', () => {
    const dud = ['dud', 398, 0, 0, 1, 0, null, null, 0, null, null, null];
    assert.deepEqual(
      rowsOf('editing'),
      expected(
        [
          ...['ace', 1034, 206 / 1034, 6 / 1034, 822 / 1034, 212, 206 / 212, 607 / 212],
          ...[199, 820 / 199, 1 + (2.3 * 820) / 199, 620 / 200],
        ],
        ['mid', 797, 199 / 797, 0, 598 / 797, 199, 1, 0, 199, 3, 1 + 2.3 * 3, 2],
        dud,
      ),
    );
  });

  it('transitions: of ace’s 605 reads, 405 are followed by a read and 198 by an edit', () => {
    assert.deepEqual(
      rowsOf('transitions'),
      expected(
        ['ace', 'read_file', 'read_file', 405, 405 / 605],
        ['ace', 'read_file', 'search_replace', 198, 198 / 605],
        ['ace', 'read_file', 'shell', 1, 1 / 605],
        ['ace', 'read_file', 'write_file', 1, 1 / 605],
        ['ace', 'repository_structure', 'read_file', 2, 1],
        ['ace', 'search_replace', 'shell', 197, 197 / 209],
        ['ace', 'search_replace', 'search_replace', 12, 12 / 209],
        ['ace', 'shell', 'shell', 16, 16 / 17],
        ['ace', 'shell', 'search_replace', 1, 1 / 17],
        ['ace', 'write_file', 'shell', 1, 1],
        ['mid', 'click', 'xdotool', 197, 1],
        ['mid', 'xdotool', 'xdotool', 203, 203 / 400],
        ['mid', 'xdotool', 'click', 197, 197 / 400],
        ['dud', 'click', 'xdotool', 199, 1],
      ),
    );
  });

  it('bigrams and trigrams: the ten most frequent of each', () => {
    const [r, e, s, w, rs] = ['read_file', 'search_replace', 'shell', 'write_file', 'repository_structure'];
    assert.deepEqual(
      rowsOf('bigrams').filter(([agent]) => agent === 'ace'),
      [
        ['ace', r, r, 405],
        ['ace', r, e, 198],
        ['ace', e, s, 197],
        ['ace', s, s, 16],
        ['ace', e, e, 12],
        ['ace', rs, r, 2],
        ['ace', r, s, 1],
        ['ace', r, w, 1],
        ['ace', s, e, 1],
        ['ace', w, s, 1],
      ],
    );
    assert.deepEqual(rowsOf('trigrams'), [
      ['ace', r, r, r, 205],
      ['ace', r, r, e, 198],
      ['ace', r, e, s, 194],
      ['ace', s, s, s, 14],
      ['ace', e, e, e, 9],
      ['ace', r, e, e, 3],
      ['ace', rs, r, r, 2],
      ['ace', e, e, s, 2],
      ['ace', r, r, s, 1],
      ['ace', r, r, w, 1],
      ['mid', 'click', 'xdotool', 'xdotool', 197],
      ['mid', 'xdotool', 'click', 'xdotool', 197],
      ['mid', 'xdotool', 'xdotool', 'xdotool', 4],
    ]);
  });

  it('consistency: ace varies at 3 of 10 tasks (1, 1, 0.8, 0.8, 0.8), mid at 3 (1, 0.6 ×4), dud at 1 of 40 (0, 0, 0, 1)', () => {
    const row = (agent: string, sigma: number, between: number, within: number) => [
      ...[agent, 40, sigma, between, within],
      ...[between / (between + within), between / within],
    ];
    assert.deepEqual(
      rowsOf('consistency'),
      expected(
        row('ace', 0.3 * Math.sqrt(0.012), 0.26176 / 39, 0.3 * 0.012),
        row('mid', 0.3 * Math.sqrt(0.032), 1.16736 / 39, 0.3 * 0.032),
        row('dud', 0.5 / 40, 1.0234375 / 39, 0.25 / 40),
      ),
    );
  });

  it('overlap: 32, 24 and 1 tasks are solved, mid’s 24 by ace as well', () => {
    assert.deepEqual(
      rowsOf('overlap'),
      expected(
        ['ace', 'dud', 40, 0, 32, 1, 0, 33 / 40, 1 / 40],
        ['mid', 'dud', 40, 0, 24, 1, 0, 25 / 40, 1 / 40],
        ['ace', 'mid', 40, 24, 8, 0, 0.75, 32 / 40, 0],
      ),
    );
  });

  it('discriminative tasks: five in each family and delta/t9', () => {
    const spread = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((task) => {
      const shares =
        task < 3 ? [1, 1] : task < 5 ? [1, 0.2] : task === 5 ? [0.4, 0.2] : task < 8 ? [0.4, 0] : [0, 0];
      return { task, shares };
    });
    const deviations = [Math.sqrt(1 / 3), Math.sqrt(0.28), 0.2, Math.sqrt(0.16 / 3), 0];
    const all = rowsOf('discriminative-tasks');
    for (const family of ['alpha', 'beta', 'gamma', 'delta'])
      for (const { task, shares } of spread) {
        const dud = family === 'delta' && task === 9 ? 1 : 0;
        const at = dud ? 0 : task < 3 ? 0 : task < 5 ? 1 : task === 5 ? 2 : task < 8 ? 3 : 4;
        const row = [`${family}/t${task}`, ...shares, dud, deviations[at] ?? 0, task < 5 || dud === 1];
        assert.deepEqual([all.find(([name]) => name === row[0])], expected(row));
      }
    assert.deepEqual([all.length, all.filter((row) => row.at(-1) === true).length], [40, 21]);
  });

  it('near misses: ace never passes the tasks 8 and 9, where four of five tests pass', () => {
    const names = ['alpha', 'beta', 'delta', 'gamma'].flatMap((family) => [`${family}/t8`, `${family}/t9`]);
    assert.deepEqual(
      rowsOf('near-misses'),
      names.map((name) => ['ace', name, 5, 0.8]),
    );
  });

  it('tests: at alpha/t0 all of ace’s and mid’s pass, and one of dud’s four; at t9 ace fails one, mid two, dud five', () => {
    const all = rowsOf('tests');
    assert.equal(all.length, 200);
    const of = (task: string) => all.filter(([name]) => name === task).map((row) => row.slice(1));
    const named = (rows: readonly (readonly number[])[]) =>
      rows.map((row, i) => [`test ${i + 1}`, ...row, 0]);
    assert.deepEqual(of('alpha/t0'), named(Array.from({ length: 5 }, () => [1, 1, 0.25])));
    assert.deepEqual(
      of('beta/t9'),
      named([
        [0, 0, 0],
        [1, 0, 0],
        [1, 1, 0],
        [1, 1, 0],
        [1, 1, 0],
      ]),
    );
  });

  it('recovery: of mid’s five, two repeated, two did not, one did nothing more', () => {
    assert.deepEqual(rowsOf('recovery'), [['mid', 5, 2, 2, 1, 0.5, 0]]);
  });

  it('is written as one page, and for each table as CSV and LaTeX; the rows as lines', async () => {
    const names = (await readdir(folder.file('out'))).toSorted();
    const tables = report.tables.flatMap(({ id }) => [`${id}.csv`, `${id}.tex`]);
    const others = [
      'attempts.csv',
      'attempts.jsonl',
      'problems.jsonl',
      'report.html',
      'report.md',
      'tests.jsonl',
    ];
    assert.deepEqual(names, [...tables, ...others].toSorted());
    const lines = (await readFile(join(folder.file('out'), 'attempts.jsonl'), 'utf8')).split('\n');
    assert.equal(lines.length, 601);
  });
});

const known = [
  ...['scores', 'pass-at-k', 'comparisons', 'costs', 'effects', 'action-kinds', 'features'],
  ...['times', 'failure-modes'],
  ...['editing', 'transitions', 'bigrams', 'trigrams', 'consistency', 'overlap', 'discriminative-tasks'],
  ...['near-misses', 'tests', 'recovery'],
];

const modes = [
  ...['premature-editing', 'syntax-error-loop', 'wrong-file-targeting', 'infinite-exploration'],
  ...['large-risky-edits', 'iteration-exhaustion', 'infrastructure-errors', 'no-successful-edits'],
  ...['tool-call-failures', 'thrashing', 'context-loss', 'test-misinterpretation'],
];
