import {
  type AttemptRow,
  comparisonRows,
  consistencyRows,
  costRows,
  discriminationRows,
  discriminativeDeviation,
  listFamilies,
  mostPairs,
  nearMissRate,
  nearMissRows,
  overlapRows,
  passRows,
  publishedCategories,
  publishedFamilies,
  publishedRows,
  scoreRows,
  testRows,
} from '../analysis/index.ts';
import { makeColumns, type ReportTable, textColumns } from './report-table.ts';

export function scoreTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'scores',
    title: 'Scores',
    about:
      "Mean reward in percent. A task counts as much as any other; in the macro average, a family as much as any other. 95 % intervals by resampling tasks. Suspect scores are in the means, but do not pass; attempts without a score are in no mean. Forgeable: passed attempts whose tests run the agent's code beside them, which can forge a pass.",
    columns: [
      ...textColumns('agent'),
      ...makeColumns('share', ...listFamilies(rows), 'macro average'),
      ...makeColumns('count', 'attempts', 'passed', 'forgeable', 'suspect', 'no score'),
    ],
    rows: scoreRows(rows).map(({ agent, families, macro, attempts, passed, ...counts }) => [
      ...[agent, ...families, macro],
      ...[attempts, passed, counts.forgeable, counts.suspect, counts.unscored],
    ]),
  };
}

export function passTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'pass-at-k',
    title: 'pass@k',
    about:
      'The chance that at least one of k attempts passes, by the unbiased estimator, over the tasks with at least k scores. Wilson intervals with the tasks as trials; for the macro average, by resampling tasks.',
    columns: [
      ...textColumns('agent'),
      ...makeColumns('count', 'k', 'tasks'),
      ...makeColumns('share', ...listFamilies(rows), 'all tasks', 'macro average'),
    ],
    rows: passRows(rows).map(({ agent, k, tasks, families, all, macro }) => [
      ...[agent, k, tasks, ...families, all, macro],
    ]),
  };
}

export function comparisonTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'comparisons',
    title: 'Two by two',
    about: `pass@1 of one agent minus that of another at the same tasks, in points, with an interval by resampling tasks. McNemar's exact test is of the first attempts at each task. Up to ${mostPairs} pairs; p is not corrected for their number.`,
    columns: [
      ...textColumns('agent', 'other agent'),
      ...makeColumns('count', 'tasks'),
      ...makeColumns('points', 'difference'),
      ...makeColumns('count', 'paired tasks', 'only agent', 'only other'),
      ...makeColumns('p', 'p'),
    ],
    rows: comparisonRows(rows).map((row) => [
      ...[row.first, row.second, row.tasks, row.difference],
      ...[row.paired, row.onlyFirst, row.onlySecond, row.p],
    ]),
  };
}

export function publishedTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'published',
    title: 'Beside published results',
    about:
      "Mean rewards in percent at the families that the paper on Programming with Pixels has, too; the mean counts each as much as another. Mind the settings: the paper draws its own tasks of each family, its vscode and general-swe differ from this project's, and its agents have their own prompts and tools. A category is the mean of its families; the paper's figures for a category, or for all families, are listed if all of these were tried.",
    columns: [
      ...textColumns('of', 'agent', 'model', 'tasks of a family'),
      ...makeColumns('count', 'steps at most'),
      ...makeColumns('share', ...publishedFamilies(rows), ...publishedCategories(rows), 'mean'),
    ],
    rows: publishedRows(rows).map(({ paper, agent, model, tasks: [fewest, most], steps, ...scores }) => [
      ...[paper ?? 'here', agent, model, fewest === most ? `${most}` : `${fewest} to ${most}`, steps],
      ...[...scores.families, ...scores.categories, scores.mean],
    ]),
  };
}

export function costTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'costs',
    title: 'Tokens and cost',
    about:
      'Means of an attempt that began, each by the try that counts; not begun: it ended without a score before its first step. Total cost is that of the tries that count, all tries is what was paid. Cost per success is the total cost for each attempt that passed. Efficiency is pass@5 in percent (or pass@k with fewer attempts) for each thousand tokens of a success. Empty if a part is not known.',
    columns: [
      ...textColumns('agent'),
      ...makeColumns('count', 'begun', 'not begun'),
      ...makeColumns('number', 'steps', 'tokens'),
      ...makeColumns('usd', 'cost', 'total cost', 'all tries', 'cost per success'),
      ...makeColumns('number', 'tokens per success', 'efficiency'),
    ],
    rows: costRows(rows).map((row) => [
      ...[row.agent, row.begun, row.notBegun, row.meanSteps, row.meanTokens],
      ...[row.meanUsd, row.totalUsd, row.allTriesUsd],
      ...[row.usdPerSuccess, row.tokensPerSuccess, row.efficiency],
    ]),
  };
}

export function testTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'tests',
    title: 'Tests',
    about:
      'The share of attempts that pass each test, of those with a score. Where a test could not be measured, the attempt is in no share.',
    columns: [
      ...textColumns('task', 'test'),
      ...makeColumns('share', ...listAgents(rows)),
      ...makeColumns('count', 'not measured'),
    ],
    rows: testRows(rows).map(({ task, test, agents, unmeasured }) => [task, test, ...agents, unmeasured]),
  };
}

export function nearMissTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'near-misses',
    title: 'Near misses',
    about: `Tasks that an agent never passes, though at least ${nearMissRate * 100} % of their tests pass in a mean attempt.`,
    columns: [
      ...textColumns('agent', 'task'),
      ...makeColumns('count', 'attempts'),
      ...makeColumns('share', 'tests passed'),
    ],
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
      ...textColumns('agent'),
      ...makeColumns('count', 'tasks'),
      ...makeColumns('number', 'σ', 'between', 'within', 'ICC', 'R'),
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
      ...textColumns('agent', 'other agent'),
      ...makeColumns('count', 'tasks', 'both', 'only agent', 'only other'),
      ...makeColumns('number', 'Jaccard'),
      ...makeColumns('share', 'coverage', 'gain'),
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
    about: `The share of attempts that passed, and its standard deviation over agents. From ${discriminativeDeviation} on, a task is discriminative.`,
    columns: [
      ...textColumns('task'),
      ...makeColumns('share', ...listAgents(rows)),
      ...makeColumns('number', 'deviation'),
      ...textColumns('discriminative'),
    ],
    rows: discriminationRows(rows).map(({ task, agents, deviation, isDiscriminative }) => [
      ...[task, ...agents, deviation, isDiscriminative],
    ]),
  };
}

function listAgents(rows: readonly AttemptRow[]): string[] {
  return [...new Set(rows.map(({ agent }) => agent))];
}
