import {
  comparisonRows,
  costRows,
  familiesOf,
  mostPairs,
  passRows,
  publishedCategories,
  publishedFamilies,
  publishedRows,
  scoreRows,
  type AttemptRow,
} from '../../analysis/index.ts';
import { columns, text, type ReportTable } from './table.ts';

export function scoreTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'scores',
    title: 'Scores',
    about:
      "Mean reward in percent. A task counts as much as any other; in the macro average, a family as much as any other. 95 % intervals by resampling tasks. Suspect scores are in the means, but do not pass; attempts without a score are in no mean. Forgeable: passed attempts whose tests run the agent's code beside them, which can forge a pass.",
    columns: [
      ...text('agent'),
      ...columns('share', ...familiesOf(rows), 'macro average'),
      ...columns('count', 'attempts', 'passed', 'forgeable', 'suspect', 'no score'),
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
      ...text('agent'),
      ...columns('count', 'k', 'tasks'),
      ...columns('share', ...familiesOf(rows), 'all tasks', 'macro average'),
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
      ...text('agent', 'other agent'),
      ...columns('count', 'tasks'),
      ...columns('points', 'difference'),
      ...columns('count', 'paired tasks', 'only agent', 'only other'),
      ...columns('p', 'p'),
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
      ...text('of', 'agent', 'model', 'tasks of a family'),
      ...columns('count', 'steps at most'),
      ...columns('share', ...publishedFamilies(rows), ...publishedCategories(rows), 'mean'),
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
      ...text('agent'),
      ...columns('count', 'begun', 'not begun'),
      ...columns('number', 'steps', 'tokens'),
      ...columns('usd', 'cost', 'total cost', 'all tries', 'cost per success'),
      ...columns('number', 'tokens per success', 'efficiency'),
    ],
    rows: costRows(rows).map((row) => [
      ...[row.agent, row.begun, row.notBegun, row.meanSteps, row.meanTokens],
      ...[row.meanUsd, row.totalUsd, row.allTriesUsd],
      ...[row.usdPerSuccess, row.tokensPerSuccess, row.efficiency],
    ]),
  };
}
