import { plainLine } from '../../../bridge/text/index.ts';
import {
  type ColumnKind,
  formatCell,
  formatColumnHead,
  isInterval,
  type ReportCell,
  type ReportColumn,
  type ReportTable,
} from './report-table.ts';

/**
 * A table for programs, as RFC 4180: each head with its unit, shares from 0 to 1, empty fields for unknown values. An
 * interval is three columns: `name`, `name_low`, `name_high`.
 */
export function formatCsv({ columns, rows }: ReportTable): string {
  const wide = columns.map((_, i) => rows.some((row) => isInterval(row[i] ?? null)));
  const head = columns.flatMap(({ name, kind }, i) =>
    ['', ...(wide[i] ? ['_low', '_high'] : [])].map((end) => addUnit(`${name}${end}`, kind)),
  );
  const lines = rows.map((row) => row.flatMap((cell, i) => (wide[i] ? splitInterval(cell) : [cell])));
  return formatCsvLines([head, ...lines]);
}

function addUnit(name: string, kind: ColumnKind): string {
  const unit = csvUnits[kind];
  return unit === undefined ? name : `${name} (${unit})`;
}

/** Units of the values in the file, for kinds that are shown to people with percent and dollar signs. */
const csvUnits: Readonly<Partial<Record<ColumnKind, string>>> = {
  share: '0 to 1',
  points: '-1 to 1',
  usd: 'USD',
  seconds: 's',
};

function splitInterval(cell: ReportCell): ReportCell[] {
  return isInterval(cell) ? [cell.value, cell.low, cell.high] : [cell, null, null];
}

export function formatCsvLines(lines: readonly (readonly ReportCell[])[]): string {
  return lines.map((line) => `${line.map(formatCsvCell).join(',')}\n`).join('');
}

function formatCsvCell(cell: ReportCell): string {
  if (cell === null || isInterval(cell)) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = plainLine(cell);
  // A spreadsheet would run such a name as a formula.
  const inert = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** A table of GitHub's Markdown. */
export function formatMarkdown({ title, about, columns, rows }: ReportTable): string {
  const lines = [
    columns.map(({ name, kind }) => formatColumnHead(name, kind)),
    ...rows.map((row) => columns.map(({ kind }, i) => formatCell(row[i] ?? null, kind))),
  ].map((line) => `| ${line.map(escapeMarkdown).join(' | ')} |`);
  const rule = `|${columns.map(alignMarkdownColumn).join('|')}|`;
  return [
    `## ${escapeMarkdown(title)}`,
    '',
    escapeMarkdown(about),
    '',
    lines[0],
    rule,
    ...lines.slice(1),
    '',
  ].join('\n');
}

function alignMarkdownColumn({ kind }: ReportColumn): string {
  return kind === 'text' ? ' --- ' : ' ---: ';
}

/** Escapes everything that Markdown reads as a link, a picture, a tag or the end of a cell. */
export function escapeMarkdown(text: string): string {
  return plainLine(text).replaceAll(
    /[\\`*_{}[\]<>()#+!|~&]/g,
    (sign) => markdownEntities[sign] ?? `\\${sign}`,
  );
}

/** Characters for which some readers ignore a backslash. */
const markdownEntities: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '(': '(',
  ')': ')',
};

/** A table for LaTeX with the package booktabs, for `\input`. */
export function formatLatex({ id, title, about, columns, rows }: ReportTable): string {
  const lines = rows.map((row) => columns.map(({ kind }, i) => formatCell(row[i] ?? null, kind)));
  return [
    `% ${escapeLatex(title)}: needs \\usepackage{booktabs}`,
    '\\begin{table}',
    '\\centering',
    `\\caption{${escapeLatex(title)}. ${escapeLatex(about)}}`,
    `\\label{tab:${id}}`,
    `\\begin{tabular}{${columns.map(alignLatexColumn).join('')}}`,
    '\\toprule',
    joinLatexCells(columns.map(({ name, kind }) => formatColumnHead(name, kind))),
    '\\midrule',
    ...lines.map(joinLatexCells),
    '\\bottomrule',
    '\\end{tabular}',
    '\\end{table}',
    '',
  ].join('\n');
}

function alignLatexColumn({ kind }: ReportColumn): string {
  return kind === 'text' ? 'l' : 'r';
}

function joinLatexCells(cells: readonly string[]): string {
  return `${cells.map((cell) => (cell.startsWith('[') ? `{}${escapeLatex(cell)}` : escapeLatex(cell))).join(' & ')} \\\\`;
}

/** Escapes everything that TeX reads as a command, including the ligatures that make other signs. */
export function escapeLatex(text: string): string {
  return plainLine(text).replaceAll(/[\\{}$&#^_%~<>|"`'–σ�-]/g, (sign) => latexCommands[sign] ?? `\\${sign}`);
}

const latexCommands: Readonly<Record<string, string>> = {
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
