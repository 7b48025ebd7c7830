import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Node } from '../../../node/index.ts';
import { formatCell, formatColumnHead, type ReportTable } from '../../../read/index.ts';
import { findRecordedTask, openAttemptQueue, readRecord, replay } from '../../../run/index.ts';
import { type ReportFormat, reportFormats, type StudyReport, writeStudyReport } from '../../report/index.ts';
import { openServer, pairRoutes } from '../../serve/index.ts';
import {
  type LivePlace,
  type LiveState,
  LiveStates,
  type OpenLive,
  queueRoutes,
  viewRoutes,
} from '../../view/index.ts';
import { interruptSignal, openNode, prepareChosenNode, untilInterrupted } from '../context.ts';
import { allowHostOption, type AllowHostOption, parsePort } from '../options.ts';
import { print, withProgramName } from '../output.ts';
import { queueOption } from '../queue-options.ts';
import { hasSandboxEnded, personName } from '../served-ide.ts';
import { formatTable } from '../tables.ts';
import { replayedText, replayEndText } from './replay.ts';

interface ViewCommandOptions extends AllowHostOption {
  readonly task?: string[];
  readonly port: number;
  readonly queue?: string;
  readonly json?: true;
}

const viewExamples = `
Examples:
  pwp view studies/first
  PWP_TOKEN=… pwp view studies --port 8123
    links stay valid when it is started again`;

export function addViewCommand(program: Command): void {
  program
    .command('view')
    .description('look at studies and records in a browser on this machine, also while they run')
    .argument('[folder]', 'a study, a record, or a folder that contains some', '.')
    .option(
      '-t, --task <folder...>',
      "folders of tasks whose steps are opened live; default: the project's own tasks",
    )
    .option('--port <n>', 'port on 127.0.0.1; 0 for a free one', parsePort, 0)
    .addOption(queueOption('also show this queue on a page of its own'))
    .addOption(allowHostOption())
    .option('--json', 'print the address as JSON')
    .addHelpText('after', withProgramName(viewExamples))
    .action(viewFolder);
}

async function viewFolder(folder: string, options: ViewCommandOptions): Promise<void> {
  const signal = interruptSignal();
  await using opener = new LiveOpener(options.task, signal);
  await using live = new LiveStates(opener.open);
  const { queue: address } = options;
  await using queue = address === undefined ? undefined : await openAttemptQueue(address);
  const routes = {
    ...(await viewRoutes(folder, live)),
    ...(queue && queueRoutes(queue, address ?? '')),
  };
  await using server = await openServer(routes, options.port, {
    token: process.env.PWP_TOKEN,
    allowHosts: options.allowHost,
  });
  const { url } = server;
  const board = queue ? url.replace('/?', '/queue?') : null;
  print({ folder, url, ...(board !== null && { queue: board }) }, options.json ?? false, () =>
    [url, ...(board === null ? [] : [`the queue: ${board}`])].join('\n'),
  );
  await untilInterrupted(signal);
}

/** Returns to steps as `pwp replay` does, and opens the page of `pwp pair` there. The first one opens the node. */
class LiveOpener implements AsyncDisposable {
  readonly #tasks: readonly string[] | undefined;
  readonly #signal: AbortSignal;
  #node: Promise<Node> | undefined;

  /** @param tasks the folders of the records' tasks. Default: the project's own */
  constructor(tasks: readonly string[] | undefined, signal: AbortSignal) {
    [this.#tasks, this.#signal] = [tasks, signal];
  }

  readonly open: OpenLive = async ({ folder, step }, say, signal) => {
    const history = await readRecord(folder);
    const task = await findRecordedTask(history, this.#tasks);
    say('The node is being prepared');
    const node = await this.#ready();
    say(`${task.id} is being started`);
    await using owned = new AsyncDisposableStack();
    const onStep = (reached: Parameters<typeof replayedText>[0]) => say(replayedText(reached).trim());
    const replayed = owned.use(await replay({ node, history, task, to: step, onStep, signal }));
    const [, { sandbox: id }] = replayed.env.began;
    const sandbox = owned.use(await node.open(id, { signal }));
    const routes = pairRoutes({
      title: formatTitle(task.id, { folder, step }),
      person: personName(),
      open: () => Promise.resolve(sandbox),
      hasEnded: () => hasSandboxEnded(node, id),
    });
    const { url } = owned.use(await openServer(routes, 0));
    return makeLiveState(url, id, replayEndText(replayed.report), owned.move());
  };

  async [Symbol.asyncDispose](): Promise<void> {
    const node = await this.#node?.catch(() => undefined);
    await node?.[Symbol.asyncDispose]();
  }

  #ready(): Promise<Node> {
    this.#node ??= this.#prepared();
    this.#node.catch(() => (this.#node = undefined));
    return this.#node;
  }

  async #prepared(): Promise<Node> {
    const signal = this.#signal;
    const node = await openNode(signal);
    try {
      await prepareChosenNode(signal);
      return node;
    } catch (error) {
      await node[Symbol.asyncDispose]();
      throw error;
    }
  }
}

function formatTitle(task: string, { step }: LivePlace): string {
  return step === 0 ? `${task}, the start` : `${task}, step ${step}`;
}

function makeLiveState(url: string, sandbox: string, words: string, owned: AsyncDisposableStack): LiveState {
  return { url, sandbox, words, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

interface ReportCommandOptions {
  readonly out: string;
  readonly format?: readonly ReportFormat[];
  readonly json?: true;
}

const reportExamples = `
Examples:
  pwp report studies/first
  pwp report studies/first studies/second --out comparison \\
    --format html,latex`;

export function addReportCommand(program: Command): void {
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
    .addHelpText('after', withProgramName(reportExamples))
    .action(writeReports);
}

async function writeReports(
  studies: readonly string[],
  { out, format, json }: ReportCommandOptions,
): Promise<void> {
  const formats = format ? { formats: format } : {};
  const made = await writeStudyReport(studies, { out, ...formats, signal: interruptSignal() });
  const { rows, ...rest } = made;
  print({ attempts: rows.length, ...rest }, json ?? false, () => reportText(made));
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
function reportText({ studies, tables, problems, files }: StudyReport): string {
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
  const head = columns.map(({ name, kind }) => formatColumnHead(name, kind).toUpperCase());
  return formatTable([
    head,
    ...rows.map((row) => columns.map(({ kind }, i) => formatCell(row[i] ?? null, kind))),
  ]);
}
