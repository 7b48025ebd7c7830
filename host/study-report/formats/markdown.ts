import type { ReportColumn, ReportTable } from '../tables/index.ts';
import { cellText, headText } from './cell-text.ts';
import { plain } from './plain.ts';

/** A table of GitHub's Markdown. */
export function markdownOf({ title, about, columns, rows }: ReportTable): string {
  const lines = [
    columns.map(({ name, kind }) => headText(name, kind)),
    ...rows.map((row) => columns.map(({ kind }, i) => cellText(row[i] ?? null, kind))),
  ].map((line) => `| ${line.map(escaped).join(' | ')} |`);
  const rule = `|${columns.map(ruleOf).join('|')}|`;
  return [`## ${escaped(title)}`, '', escaped(about), '', lines[0], rule, ...lines.slice(1), ''].join('\n');
}

function ruleOf({ kind }: ReportColumn): string {
  return kind === 'text' ? ' --- ' : ' ---: ';
}

/** Escapes everything that Markdown reads as a link, a picture, a tag or the end of a cell. */
export function escaped(text: string): string {
  return plain(text).replaceAll(/[\\`*_{}[\]<>()#+!|~&]/g, (sign) => entities[sign] ?? `\\${sign}`);
}

/** Characters for which some readers ignore a backslash. */
const entities: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '(': '(',
  ')': ')',
};
