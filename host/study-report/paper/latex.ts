import { escapedLatex as escaped } from '../formats/index.ts';
import { printedScores, type PaperColumn, type PaperTable, type PrintedScore } from './layout.ts';

/** A table in the paper's form, for LaTeX with the packages booktabs and graphicx; a wide one is shrunk to the page. */
export function paperLatex(table: PaperTable): string {
  const { id, title, about, labels, columns, groups } = table;
  const scores = printedScores(table);
  const width = labels.length + columns.length;
  const body = groups.flatMap((group, i) => [
    ...(i > 0 ? ['\\midrule'] : []),
    ...(group.title === '' ? [] : [`\\multicolumn{${width}}{l}{\\textit{${escaped(group.title)}}} \\\\`]),
    ...group.rows.map((row, j) =>
      lineOf([...row.labels.map(escaped), ...(scores[i]?.[j] ?? []).map(cellOf)]),
    ),
  ]);
  return [
    `% ${escaped(title)}: needs \\usepackage{booktabs} and \\usepackage{graphicx}`,
    '\\begin{table*}',
    '\\centering\\small',
    `\\caption{${escaped(title)}. ${escaped(about)}}`,
    `\\label{tab:${id}}`,
    // Shrinks to the width of the page, and never enlarges.
    '\\resizebox{\\ifdim\\width>\\textwidth\\textwidth\\else\\width\\fi}{!}{%',
    `\\begin{tabular}{${'l'.repeat(labels.length)}${'c'.repeat(columns.length)}}`,
    '\\toprule',
    ...headsOver(labels.length, columns),
    lineOf([...labels.map(escaped), ...columns.map(({ name }) => stacked(name))]),
    '\\midrule',
    ...body,
    '\\bottomrule',
    '\\end{tabular}}',
    '\\end{table*}',
    '',
  ].join('\n');
}

function lineOf(cells: readonly string[]): string {
  return `${cells.join(' & ')} \\\\`;
}

function cellOf({ mean, deviation, isBest }: PrintedScore): string {
  const value = isBest ? `\\textbf{${escaped(mean)}}` : escaped(mean);
  return deviation === null ? value : `${value}\\,{\\scriptsize$\\pm$\\,${deviation}}`;
}

/** A long head on several lines: one for each part between commas. */
function stacked(name: string): string {
  const parts = name.split(', ').map(escaped);
  return parts.length === 1
    ? (parts[0] ?? '')
    : `\\begin{tabular}[b]{@{}c@{}}${parts.join('\\\\')}\\end{tabular}`;
}

/** A line of heads above those of the columns, each with a rule below. */
function headsOver(labels: number, columns: readonly PaperColumn[]): string[] {
  const spans: { over: string; from: number; to: number }[] = [];
  for (const [i, { over }] of columns.entries()) {
    const [last, at] = [spans.at(-1), labels + i + 1];
    if (last?.over === over) last.to = at;
    else spans.push({ over, from: at, to: at });
  }
  const named = spans.filter(({ over }) => over !== '');
  if (named.length === 0) return [];
  const cells = spans.map(({ over, from, to }) => `\\multicolumn{${to - from + 1}}{c}{${escaped(over)}}`);
  return [
    lineOf([...Array.from({ length: labels }, () => ''), ...cells]),
    named.map(({ from, to }) => `\\cmidrule(lr){${from}-${to}}`).join(' '),
  ];
}
