import {
  consistencyRows,
  discriminationRows,
  discriminativeFrom,
  nearMissRate,
  nearMissRows,
  overlapRows,
  testRows,
  type AttemptRow,
} from '../../analysis/index.ts';
import { columns, text, type ReportTable } from './table.ts';

export function testTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'tests',
    title: 'Tests',
    about:
      'The share of attempts that pass each test, of those with a score. Where a test could not be measured, the attempt is in no share.',
    columns: [
      ...text('task', 'test'),
      ...columns('share', ...agentsOf(rows)),
      ...columns('count', 'not measured'),
    ],
    rows: testRows(rows).map(({ task, test, agents, unmeasured }) => [task, test, ...agents, unmeasured]),
  };
}

export function nearMissTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'near-misses',
    title: 'Near misses',
    about: `Tasks that an agent never passes, though at least ${nearMissRate * 100} % of their tests pass in a mean attempt.`,
    columns: [...text('agent', 'task'), ...columns('count', 'attempts'), ...columns('share', 'tests passed')],
    rows: nearMissRows(rows).map(({ agent, task, attempts, testRate }) => [agent, task, attempts, testRate]),
  };
}

export function consistencyTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'consistency',
    title: 'Consistency',
    about:
      'Of the test pass rate, at tasks with at least two scores: σ is its standard deviation over the attempts, averaged over tasks; ICC the part of the variance that is between tasks; R that variance over the one within tasks.',
    columns: [
      ...text('agent'),
      ...columns('count', 'tasks'),
      ...columns('number', 'σ', 'between', 'within', 'ICC', 'R'),
    ],
    rows: consistencyRows(rows).map((row) => [
      ...[row.agent, row.tasks, row.sigma, row.between, row.within, row.icc, row.reliability],
    ]),
  };
}

export function overlapTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'overlap',
    title: 'Who solves what',
    about:
      'Tasks that any attempt passed. Jaccard: those of both among those of either. Coverage: the share of tasks that one of the two solves; gain: how much of it the better one lacks.',
    columns: [
      ...text('agent', 'other agent'),
      ...columns('count', 'tasks', 'both', 'only agent', 'only other'),
      ...columns('number', 'Jaccard'),
      ...columns('share', 'coverage', 'gain'),
    ],
    rows: overlapRows(rows).map((row) => [
      ...[row.first, row.second, row.tasks, row.both, row.onlyFirst, row.onlySecond],
      ...[row.jaccard, row.coverage, row.gain],
    ]),
  };
}

export function discriminationTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'discriminative-tasks',
    title: 'Tasks that tell agents apart',
    about: `The share of attempts that passed, and its standard deviation over agents. From ${discriminativeFrom} on, a task is discriminative.`,
    columns: [
      ...text('task'),
      ...columns('share', ...agentsOf(rows)),
      ...columns('number', 'deviation'),
      ...text('discriminative'),
    ],
    rows: discriminationRows(rows).map(({ task, agents, deviation, isDiscriminative }) => [
      ...[task, ...agents, deviation, isDiscriminative],
    ]),
  };
}

function agentsOf(rows: readonly AttemptRow[]): string[] {
  return [...new Set(rows.map(({ agent }) => agent))];
}
