import { escapedMarkdown as escaped } from '../formats/index.ts';
import { printedScores, type PaperTable, type PrintedScore } from './layout.ts';

/** A table in the paper's form, for Markdown: heads of groups are separate rows. */
export function paperMarkdown(table: PaperTable): string {
  const { title, about, labels, columns, groups } = table;
  const scores = printedScores(table);
  const overs = new Set(columns.map(({ over }) => over).filter((over) => over !== ''));
  const heads = columns.map(({ name, over }) => (overs.size > 1 && over !== '' ? `${over}: ${name}` : name));
  const width = labels.length + columns.length;
  const body = groups.flatMap((group, i) => [
    ...(group.title === ''
      ? []
      : [[`*${escaped(group.title)}*`, ...Array.from({ length: width - 1 }, () => '')]]),
    ...group.rows.map((row, j) => [...row.labels.map(escaped), ...(scores[i]?.[j] ?? []).map(cellOf)]),
  ]);
  const rule = [...labels.map(() => ' --- '), ...columns.map(() => ' ---: ')];
  return [
    ...[`## ${escaped(title)}`, '', escaped(about), ''],
    lineOf([...labels, ...heads].map(escaped)),
    `|${rule.join('|')}|`,
    ...body.map(lineOf),
    '',
  ].join('\n');
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function cellOf({ mean, deviation, isBest }: PrintedScore): string {
  const value = isBest ? `**${escaped(mean)}**` : escaped(mean);
  return deviation === null ? value : `${value} ± ${deviation}`;
}
