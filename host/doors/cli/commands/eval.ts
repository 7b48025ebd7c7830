import { resolve } from 'node:path';
import type { Command } from 'commander';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { writeReport } from '../../report/index.ts';
import {
  agentSettings,
  type AgentSettings,
  asksModel,
  assertPriced,
  checkStudy,
  crossAgents,
  keepAgentSettings,
  LocalRunner,
  openAgents,
  type OpenedAgent,
  parseBudget,
  previewStudy,
  readStudyFile,
  runStudy,
  type StudyFile,
  studySettings,
} from '../../../run/index.ts';
import { chooseTasks, type ChosenBenchmark, type Task, withVariants } from '../../../tasks/index.ts';
import { withReadyNode } from '../context.ts';
import { print, withProgramName } from '../output.ts';
import { warnOfLeftOutRecords } from '../progress.ts';
import { addSettings, givenSettings, type GivenSettings } from '../setting-options.ts';
import { benchTable, benchText, drawnText, previewText, studyJson, studyText } from '../study-text.ts';
import { openStudyView } from '../study-view.ts';

interface EvalOptions extends Pick<GivenSettings<typeof studySettings.shape>, 'retry'> {
  readonly agent?: readonly string[];
  readonly model?: readonly string[];
  readonly dryRun?: true;
  readonly json?: true;
}

const examples = `
Examples:
  pwp eval -t tasks/vscode -a oracle null --out studies/baselines
  pwp eval -t tasks -a cua assisted -m claude-opus-5 gpt-5.2 -k 3 -n 4 \\
    --budget 25usd --out studies/first --dry-run
  pwp eval -t humaneval --data humaneval --sample 20 \\
    -a assisted -m claude-opus-5 --out studies/humaneval
  pwp eval -t pwp-bench-lite --data datasets -a null oracle \\
    --out studies/lite
  pwp eval study.toml

After any interruption, kill -9 included, the same command continues the
study. Each attempt is counted once.`;

export function addEvalCommand(program: Command): void {
  const command = program
    .command('eval')
    .description('run a study: agents and models on tasks, k attempts each; continues a stopped one')
    .argument('[file]', 'a study as a TOML file; options override it')
    .option('--dry-run', 'print the expected attempts, tokens and cost, and do nothing; needs no key')
    .option('--json', 'print as JSON')
    .addHelpText('after', withProgramName(examples));
  addSettings(command, studySettings.shape);
  addSettings(command, agentSettings.shape, { several: ['agent', 'model'] }).action(evaluateStudy);
}

async function evaluateStudy(file: string | undefined, options: EvalOptions): Promise<void> {
  const study = await composeStudy(file, options);
  // All of it is checked before the first sandbox starts, so that a typo costs nothing.
  const budget = parseBudget(study.budget);
  const chosen = await chooseTasks({
    names: study.tasks,
    ...study,
  });
  const { tasks, benches } = chosen;
  warnOfLeftOutRecords(chosen);
  const unasked = new Set<string>();
  const onUnasked = (model: string) => void unasked.add(model);
  await using opened = await openAgents(study.agents, options.dryRun ? { onUnasked } : {});
  const { agents } = opened;
  assertPriced(budget.usd ?? study.maxCost, agents);
  const given = { folder: resolve(study.out ?? 'study'), config: study, tasks, benches, agents };
  if (options.dryRun) {
    const preview = await previewStudy(given);
    const shown = { folder: given.folder, ...preview, notAsked: [...unasked] };
    print({ ...shown, tasks: tasks.map(({ id }) => id), benches }, options.json ?? false, () =>
      [...benches.map((bench) => drawnText(bench, tasks)), previewText(shown)].join('\n\n'),
    );
    return;
  }
  await runPreparedStudy(given, study, options);
}

interface PreparedStudy {
  readonly folder: string;
  readonly config: StudyFile;
  readonly tasks: readonly Task[];
  readonly benches: readonly ChosenBenchmark[];
  readonly agents: readonly OpenedAgent[];
}

async function runPreparedStudy(
  { benches, ...given }: PreparedStudy,
  run: StudyFile,
  { retry, json }: EvalOptions,
): Promise<void> {
  await withReadyNode(async ({ node, signal }) => {
    await using view = openStudyView(process.stderr);
    const again = retry ? { again: retry } : {};
    const { config } = given;
    const tasks = await withVariants(given.tasks, { node, signal });
    const runner = new LocalRunner({
      ...{ node, config, writeReport },
      checkpointEvery: config.checkpointEvery,
    });
    const result = await runStudy({
      ...given,
      tasks,
      ...again,
      run,
      runner,
      signal,
      onEvent: view.onEvent,
    }).catch((error: unknown) => {
      throw signal.aborted ? interruptedStudyError(view.done, view.planned, error) : error;
    });
    await view[Symbol.asyncDispose]();
    const tables = benches.map((bench) => benchTable(bench, result.results));
    print({ ...studyJson(result), benches: tables }, json === true, () =>
      [...tables.map(benchText), studyText(result, process.stdout.columns)].join('\n\n'),
    );
    const isWhole = result.stopped === null && result.results.every(({ reward }) => reward !== null);
    if (!isWhole) process.exitCode = 1;
  });
}

/** The study of the file, with the options of the command line over it. */
async function composeStudy(file: string | undefined, options: EvalOptions): Promise<StudyFile> {
  const written = file === undefined ? {} : await readStudyFile(file);
  const agents = composeAgents(options);
  const replacing = { ...givenSettings(options, studySettings.shape), ...(agents && { agents }) };
  if (file === undefined && (!replacing.tasks || !agents))
    throw new PwpError('usage', 'a study needs tasks and agents', {
      help: 'For example: pwp eval -t tasks/vscode -a oracle null --out studies/baselines',
    });
  return checkStudy({ ...written, ...replacing }, file ?? 'the command line');
}

/** Each agent with each model, and with the settings that it takes. */
function composeAgents(options: EvalOptions): AgentSettings[] | undefined {
  const { agent: names = [], model: models = [] } = options;
  if (names.length === 0 && models.length === 0) return undefined;
  assertModelsUsed(names, models);
  const given = givenSettings(options, agentSettings.shape);
  return crossAgents(names, models).map((one) => ({ ...keepAgentSettings(one.agent, given), ...one }));
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

function interruptedStudyError(done: number, planned: number, cause: unknown): PwpError {
  return new PwpError('cancelled', `stopped: ${done} of ${planned} attempts are over`, {
    cause,
    help: 'Run the same command again to continue.',
  });
}
