import type { ReportColumn, ReportTable } from '../tables/index.ts';
import { cellText, headText } from './cell-text.ts';
import { plain } from './plain.ts';

/** A table for LaTeX with the package booktabs, for `\input`. */
export function latexOf({ id, title, about, columns, rows }: ReportTable): string {
  const lines = rows.map((row) => columns.map(({ kind }, i) => cellText(row[i] ?? null, kind)));
  return [
    `% ${escaped(title)}: needs \\usepackage{booktabs}`,
    '\\begin{table}',
    '\\centering',
    `\\caption{${escaped(title)}. ${escaped(about)}}`,
    `\\label{tab:${id}}`,
    `\\begin{tabular}{${columns.map(letterOf).join('')}}`,
    '\\toprule',
    lineOf(columns.map(({ name, kind }) => headText(name, kind))),
    '\\midrule',
    ...lines.map(lineOf),
    '\\bottomrule',
    '\\end{tabular}',
    '\\end{table}',
    '',
  ].join('\n');
}

function letterOf({ kind }: ReportColumn): string {
  return kind === 'text' ? 'l' : 'r';
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map((cell) => (cell.startsWith('[') ? `{}${escaped(cell)}` : escaped(cell))).join(' & ')} \\\\`;
}

/** Escapes everything that TeX reads as a command, including the ligatures that make other signs. */
export function escaped(text: string): string {
  return plain(text).replaceAll(/[\\{}$&#^_%~<>|"`'–σ�-]/g, (sign) => commands[sign] ?? `\\${sign}`);
}

const commands: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': '\\symbol{34}',
  '`': '\\textasciigrave{}',
  "'": '\\textquotesingle{}',
  '-': '-{}',
  '–': '--',
  σ: '$\\sigma$',
  '\u{FFFD}': '?',
};
