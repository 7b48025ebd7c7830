import { type PaperColumn, type PaperTable, type PrintedScore, printScores } from './paper-tables.ts';
import { escapeLatex, escapeMarkdown } from './table-formats.ts';

/** A table in the paper's form, for LaTeX with the packages booktabs and graphicx; a wide one is shrunk to the page. */
export function formatPaperLatex(table: PaperTable): string {
  const { id, title, about, labels, columns, groups } = table;
  const scores = printScores(table);
  const width = labels.length + columns.length;
  const body = groups.flatMap((group, i) => [
    ...(i > 0 ? ['\\midrule'] : []),
    ...(group.title === '' ? [] : [`\\multicolumn{${width}}{l}{\\textit{${escapeLatex(group.title)}}} \\\\`]),
    ...group.rows.map((row, j) =>
      joinPaperLatexCells([
        ...row.labels.map(escapeLatex),
        ...(scores[i]?.[j] ?? []).map(formatPaperLatexCell),
      ]),
    ),
  ]);
  return [
    `% ${escapeLatex(title)}: needs \\usepackage{booktabs} and \\usepackage{graphicx}`,
    '\\begin{table*}',
    '\\centering\\small',
    `\\caption{${escapeLatex(title)}. ${escapeLatex(about)}}`,
    `\\label{tab:${id}}`,
    // Shrinks to the width of the page, and never enlarges.
    '\\resizebox{\\ifdim\\width>\\textwidth\\textwidth\\else\\width\\fi}{!}{%',
    `\\begin{tabular}{${'l'.repeat(labels.length)}${'c'.repeat(columns.length)}}`,
    '\\toprule',
    ...formatHeadsOver(labels.length, columns),
    joinPaperLatexCells([...labels.map(escapeLatex), ...columns.map(({ name }) => stackHead(name))]),
    '\\midrule',
    ...body,
    '\\bottomrule',
    '\\end{tabular}}',
    '\\end{table*}',
    '',
  ].join('\n');
}

function joinPaperLatexCells(cells: readonly string[]): string {
  return `${cells.join(' & ')} \\\\`;
}

function formatPaperLatexCell({ mean, deviation, isBest }: PrintedScore): string {
  const value = isBest ? `\\textbf{${escapeLatex(mean)}}` : escapeLatex(mean);
  return deviation === null ? value : `${value}\\,{\\scriptsize$\\pm$\\,${deviation}}`;
}

/** A long head on several lines: one for each part between commas. */
function stackHead(name: string): string {
  const parts = name.split(', ').map(escapeLatex);
  return parts.length === 1
    ? (parts[0] ?? '')
    : `\\begin{tabular}[b]{@{}c@{}}${parts.join('\\\\')}\\end{tabular}`;
}

/** A line of heads above those of the columns, each with a rule below. */
function formatHeadsOver(labels: number, columns: readonly PaperColumn[]): string[] {
  const spans: { over: string; from: number; to: number }[] = [];
  for (const [i, { over }] of columns.entries()) {
    const [last, at] = [spans.at(-1), labels + i + 1];
    if (last?.over === over) last.to = at;
    else spans.push({ over, from: at, to: at });
  }
  const named = spans.filter(({ over }) => over !== '');
  if (named.length === 0) return [];
  const cells = spans.map(({ over, from, to }) => `\\multicolumn{${to - from + 1}}{c}{${escapeLatex(over)}}`);
  return [
    joinPaperLatexCells([...Array.from({ length: labels }, () => ''), ...cells]),
    named.map(({ from, to }) => `\\cmidrule(lr){${from}-${to}}`).join(' '),
  ];
}

/** A table in the paper's form, for Markdown: heads of groups are separate rows. */
export function formatPaperMarkdown(table: PaperTable): string {
  const { title, about, labels, columns, groups } = table;
  const scores = printScores(table);
  const overs = new Set(columns.map(({ over }) => over).filter((over) => over !== ''));
  const heads = columns.map(({ name, over }) => (overs.size > 1 && over !== '' ? `${over}: ${name}` : name));
  const width = labels.length + columns.length;
  const body = groups.flatMap((group, i) => [
    ...(group.title === ''
      ? []
      : [[`*${escapeMarkdown(group.title)}*`, ...Array.from({ length: width - 1 }, () => '')]]),
    ...group.rows.map((row, j) => [
      ...row.labels.map(escapeMarkdown),
      ...(scores[i]?.[j] ?? []).map(formatPaperMarkdownCell),
    ]),
  ]);
  const rule = [...labels.map(() => ' --- '), ...columns.map(() => ' ---: ')];
  return [
    ...[`## ${escapeMarkdown(title)}`, '', escapeMarkdown(about), ''],
    joinPaperMarkdownCells([...labels, ...heads].map(escapeMarkdown)),
    `|${rule.join('|')}|`,
    ...body.map(joinPaperMarkdownCells),
    '',
  ].join('\n');
}

function joinPaperMarkdownCells(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function formatPaperMarkdownCell({ mean, deviation, isBest }: PrintedScore): string {
  const value = isBest ? `**${escapeMarkdown(mean)}**` : escapeMarkdown(mean);
  return deviation === null ? value : `${value} ± ${deviation}`;
}
