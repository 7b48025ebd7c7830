import { basename, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { PwpError } from '../../../bridge/lib/index.ts';
import { writeReport } from '../report/index.ts';
import {
  agentSettings,
  type AgentSettings,
  asksModel,
  assertPriced,
  type AttemptRunner,
  checkStudy,
  crossAgents,
  keepAgentSettings,
  LocalRunner,
  makeOwnPace,
  openAgents,
  type OpenedAgent,
  parseBudget,
  parseModelRate,
  previewStudy,
  QueueRunner,
  readStudyFile,
  runStudy,
  sharePace,
  studyConfig,
  type StudyFile,
  type StudyResult,
  studySettings,
} from '../../run/index.ts';
import { chooseTasks, type ChosenTasks, makeTasks, type Task, withVariants } from '../../tasks/index.ts';
import { type CommandContext, interruptSignal, withReadyNode } from './context.ts';
import { checkServedAgent, type ServedAgentOptions, waitForServedAgent } from './open-agents.ts';
import { print } from './output.ts';
import { warnOfLeftOutRecords } from './progress.ts';
import { openChosenQueue, openChosenStore, type QueueOptions } from './queue-options.ts';
import { addSettings, givenSettings, type GivenSettings, type SettingOptions } from './setting-options.ts';
import type { StudyState } from './study-state.ts';
import {
  attemptsJson,
  attemptsText,
  benchTable,
  benchText,
  drawnText,
  previewText,
  studyJson,
  studyText,
} from './study-text.ts';
import { narrateStudy, openStudyView } from './study-view.ts';

/** The options of a command that runs a study, except its settings. */
export interface StudyCommandOptions
  extends Pick<GivenSettings<typeof studySettings.shape>, 'retry'>, QueueOptions {
  readonly agent?: readonly string[];
  readonly model?: readonly string[];
  /** A client is in the place of the model. */
  readonly serve?: true;
  readonly dryRun?: true;
  readonly json?: boolean;
  readonly priority?: number;
}

/** In the middle, so that a study can be put before others that wait already. */
export const defaultPriority = 100;

/** How a command runs a study. */
export interface StudyStyle {
  /** Print each step while attempts run one after the other, and each attempt at the end. Default false. */
  readonly narrates?: boolean;
  /** Its agent is a client that connects. Default: a model. */
  readonly served?: ServedAgentOptions | undefined;
}

/** Adds all settings of studies and agents, and what is printed. */
export function addStudyOptions(
  command: Command,
  settings: SettingOptions<typeof studySettings.shape> = {},
  help: SettingOptions<typeof agentSettings.shape>['help'] = {},
): Command {
  addSettings(command, studySettings.shape, settings);
  addSettings(command, agentSettings.shape, { several: ['agent', 'model'], help });
  return command
    .option('--dry-run', 'print the expected attempts, tokens and cost, and do nothing; needs no key')
    .option('--json', 'print as JSON');
}

/**
 * A study from the options of a command line, over those of a file. Errors: `usage`, `bad-study`.
 * @param usual settings that neither has
 */
export async function composeStudy(
  file: string | undefined,
  options: StudyCommandOptions,
  usual: Partial<StudyFile> = {},
): Promise<StudyFile> {
  const written = file === undefined ? {} : await readStudyFile(file);
  const agents = composeAgents(options);
  const given = { ...givenSettings(options, studySettings.shape), ...(agents && { agents }) };
  const study = { ...usual, ...written, ...given };
  if (!study.tasks || !study.agents)
    throw new PwpError('usage', 'a study needs tasks and agents', {
      help: 'For example: pwp eval -t tasks/vscode -a oracle null --out studies/baselines',
    });
  return checkStudy(study, file ?? 'the command line');
}

/** Each agent with each model, and with the settings that it takes. */
function composeAgents(options: StudyCommandOptions): AgentSettings[] | undefined {
  const { agent: names = [], model: models = [], serve = false } = options;
  if (names.length === 0 && models.length === 0) return undefined;
  if (serve && models.length > 0)
    throw new PwpError('usage', '--serve takes no --model: the client is in its place');
  if (!serve) assertModelsUsed(names, models);
  const given = givenSettings(options, agentSettings.shape);
  const crossed = serve ? names.map((agent) => ({ agent })) : crossAgents(names, models);
  return crossed.map((one) => ({ ...keepAgentSettings(one.agent, given), ...one }));
}

function assertModelsUsed(agents: readonly string[], models: readonly string[]): void {
  const asking = agents.filter(asksModel);
  if (asking.length > 0 && models.length === 0)
    throw new PwpError('usage', `the agent ${asking[0]} needs a model`, {
      help: 'For example -m claude-opus-5, or -m scripted:turns.jsonl to play a file.',
    });
  if (asking.length === 0 && models.length > 0)
    throw new PwpError('usage', 'no agent of the study asks a model', { help: 'Leave out --model.' });
}

interface PreparedStudy {
  readonly study: StudyFile;
  readonly folder: string;
  readonly chosen: ChosenTasks;
}

/**
 * Runs a study, or continues it, and prints it. All of it is checked before the first sandbox starts, so that a typo costs
 * nothing. Null for a dry run.
 */
export async function playStudy(
  study: StudyFile,
  options: StudyCommandOptions,
  style: StudyStyle = {},
): Promise<StudyResult | null> {
  const { served } = style;
  const budget = parseBudget(study.budget);
  const rate = parseModelRate(study.rate);
  const chosen = await chooseTasks({ names: study.tasks, ...study });
  warnOfLeftOutRecords(chosen);
  const client = served && checkServedAgent(study, chosen.tasks.length);
  if (client && options.dryRun)
    throw new PwpError('usage', '--serve takes no --dry-run: its client is unknown');
  const unasked = new Set<string>();
  const onUnasked = (model: string) => void unasked.add(model);
  await using owned = new AsyncDisposableStack();
  const opened = client
    ? undefined
    : owned.use(await openAgents(study.agents, options.dryRun ? { onUnasked } : {}));
  assertPriced(budget.usd ?? study.maxCost, opened?.agents ?? []);
  // Those who work on a queue share theirs.
  if (options.queue === undefined) sharePace(makeOwnPace(), rate);
  const prepared = { study, folder: resolve(study.out ?? 'study'), chosen };
  if (opened && options.dryRun) {
    await printPreview(prepared, opened.agents, [...unasked], options);
    return null;
  }
  if (options.queue !== undefined && served)
    throw new PwpError('usage', '--serve takes no --queue: its client plays here');
  // The tasks of a queue are played elsewhere, but those with variants are made here.
  if (options.queue !== undefined && !chosen.tasks.some(({ make }) => make))
    return await runPreparedStudy(
      prepared,
      opened?.agents ?? [],
      { signal: interruptSignal() },
      options,
      style,
    );
  return await withReadyNode(async (context) => {
    const agents =
      client && served
        ? [await waitForServedAgent(client, served, owned, context.signal)]
        : (opened?.agents ?? []);
    return await runPreparedStudy(prepared, agents, context, options, style);
  });
}

/** Without a node if nothing is made or played here. */
type StudyContext = Pick<CommandContext, 'signal'> & Partial<CommandContext>;

async function printPreview(
  { study, folder, chosen: { tasks, benches } }: PreparedStudy,
  agents: readonly OpenedAgent[],
  notAsked: readonly string[],
  { json = false }: StudyCommandOptions,
): Promise<void> {
  const preview = await previewStudy({ folder, config: study, tasks, agents });
  const shown = { folder, ...preview, notAsked };
  print({ ...shown, tasks: tasks.map(({ id }) => id), benches }, json, () =>
    [...benches.map((bench) => drawnText(bench, tasks)), previewText(shown)].join('\n\n'),
  );
}

async function runPreparedStudy(
  { study, folder, chosen }: PreparedStudy,
  agents: readonly OpenedAgent[],
  context: StudyContext,
  options: StudyCommandOptions,
  { narrates = false, served }: StudyStyle,
): Promise<StudyResult> {
  const { node, signal } = context;
  const { retry, json = false } = options;
  await using owned = new AsyncDisposableStack();
  const narrated = narrates && study.parallel === 1 && !json;
  await using view = narrated ? narrateStudy(process.stdout) : openStudyView(process.stderr);
  const tasks = node ? await makeStudyTasks(chosen.tasks, study, { node, signal }) : chosen.tasks;
  const runner = await openRunner({ ...context, study, folder, tasks, agents }, options, owned);
  const result = await runStudy({
    ...{ folder, config: study, tasks, agents, runner, signal },
    run: {
      ...study,
      // A client plays one episode.
      ...(served && { tries: 1 }),
      // All attempts wait in the queue: its workers decide how many are made at a time.
      ...(options.queue !== undefined && { parallel: Infinity }),
    },
    ...(retry && { again: retry }),
    onEvent: view.onEvent,
  }).catch((error: unknown) => {
    throw signal.aborted ? interruptedStudyError(view.state, folder, error) : error;
  });
  await view[Symbol.asyncDispose]();
  if (runner instanceof QueueRunner && result.stopped === null) await runner.finish({ signal });
  const tables = chosen.benches.map((bench) => benchTable(bench, result.results));
  const attempts = narrates ? { attempts: attemptsJson(result.folder, view.state.results) } : {};
  print({ ...studyJson(result), benches: tables, ...attempts }, json, () => {
    const isOne = narrates && result.planned === 1 && result.stopped === null;
    return [
      ...tables.map(benchText),
      ...(narrates ? [attemptsText(result.folder, view.state.results)] : []),
      ...(isOne ? [] : [studyText(result, process.stdout.columns)]),
    ].join('\n\n');
  });
  const isWhole = result.stopped === null && result.results.every(({ reward }) => reward !== null);
  const hasFailed = narrates && result.results.some(({ end }) => end === 'agent-error');
  if (!isWhole || hasFailed) process.exitCode = 1;
  return result;
}

interface RunnerParts extends Pick<PreparedStudy, 'study' | 'folder'>, StudyContext {
  readonly tasks: readonly Task[];
  readonly agents: readonly OpenedAgent[];
}

/** @param owned gets what the runner keeps open */
async function openRunner(
  { study, folder, tasks, agents, node, signal }: RunnerParts,
  options: StudyCommandOptions,
  owned: AsyncDisposableStack,
): Promise<AttemptRunner> {
  const { checkpointEvery } = study;
  if (options.queue !== undefined || !node) {
    const queue = owned.use(await openChosenQueue(options));
    const store = openChosenStore(options);
    const title = basename(folder);
    const config = studyConfig.strip().parse(study);
    const { priority = defaultPriority } = options;
    return owned.use(
      await QueueRunner.open({
        ...{ queue, store, title, priority, config, checkpointEvery, tasks, agents, signal },
        rate: parseModelRate(study.rate),
      }),
    );
  }
  return new LocalRunner({ node, config: study, writeReport, checkpointEvery });
}

/** Records that can't be made on this node are left out and named, unless they were requested by their ids. */
async function makeStudyTasks(
  chosen: readonly Task[],
  { ids, image }: StudyFile,
  options: Pick<CommandContext, 'node' | 'signal'>,
): Promise<readonly Task[]> {
  const making = { ...options, image };
  if (ids !== undefined) return await withVariants(chosen, making);
  const { tasks, unmade } = await makeTasks(chosen, making);
  const lacking = unmade.map(({ task: { id }, why }) => {
    const [dataset = '', ...name] = id.split('/');
    return { dataset, id: name.join('/'), why };
  });
  warnOfLeftOutRecords({ lacking, notes: [] });
  const [first] = unmade;
  if (tasks.length > 0 || !first) return tasks;
  throw new PwpError('no-data', `none of the records can be played: ${first.task.id}: ${first.why}`, {
    help: 'pwp datasets show <name> says what a dataset needs.',
  });
}

function interruptedStudyError({ done, planned }: StudyState, folder: string, cause: unknown): PwpError {
  return new PwpError('cancelled', `stopped: ${done} of ${planned} attempts are over`, {
    cause,
    help: `Run the same command again with --out ${relative('.', folder)} to continue.`,
  });
}
