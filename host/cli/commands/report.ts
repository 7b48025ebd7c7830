import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  cellText,
  headText,
  reportFormats,
  writeStudyReport,
  type ReportFormat,
  type StudyReport,
  type ReportTable,
} from '../../study-report/index.ts';
import { interruptSignal } from '../context.ts';
import { print } from '../output.ts';
import { table } from '../table.ts';
import { asTyped } from '../program-name.ts';

interface Options {
  readonly out: string;
  readonly format?: readonly ReportFormat[];
  readonly json?: true;
}

const examples = `
Examples:
  pwp report studies/first
  pwp report studies/first studies/second --out comparison \\
    --format html,latex`;

export function addReport(program: Command): void {
  program
    .command('report')
    .description('tables of studies, also while they run: scores with intervals, comparisons, failures')
    .argument('<studies...>', "studies' folders")
    .option('--out <folder>', 'folder for the files', 'report')
    .addOption(
      new Option('--format <names>', `some of ${reportFormats.join(',')}; default: all`).argParser(
        parseFormats,
      ),
    )
    .option('--json', 'print the tables as JSON')
    .addHelpText('after', asTyped(examples))
    .action(report);
}

async function report(studies: readonly string[], { out, format, json }: Options): Promise<void> {
  const formats = format ? { formats: format } : {};
  const made = await writeStudyReport(studies, { out, ...formats, signal: interruptSignal() });
  const { rows, ...rest } = made;
  print({ attempts: rows.length, ...rest }, json ?? false, () => textOf(made));
}

function parseFormats(text: string): readonly ReportFormat[] {
  const names = text.split(',').map((name) => name.trim());
  return names.map((name) => {
    const format = reportFormats.find((one) => one === name);
    if (format === undefined)
      throw new InvalidArgumentError(`expected some of ${reportFormats.join(',')}, without spaces`);
    return format;
  });
}

/** The first tables, and the paths of the rest. */
function textOf({ studies, tables, problems, files }: StudyReport): string {
  return [
    ...tables
      .filter(({ id }) => id === 'scores' || id === 'comparisons')
      .flatMap((one) => [tableText(one), '']),
    ...studies.map(({ name, over, planned }) => `${name}: ${over} of ${planned ?? '?'} attempts are over`),
    ...problems.slice(0, mostProblems).map(({ where, what }) => `${where}: ${what}`),
    ...(problems.length > mostProblems ? [`and ${problems.length - mostProblems} more problems`] : []),
    `${files.length} files: ${files[0] ?? 'none'}${files.length > 1 ? ' and more beside it' : ''}`,
  ].join('\n');
}

const mostProblems = 10;

function tableText({ columns, rows }: ReportTable): string {
  const head = columns.map(({ name, kind }) => headText(name, kind).toUpperCase());
  return table([head, ...rows.map((row) => columns.map(({ kind }, i) => cellText(row[i] ?? null, kind)))]);
}
