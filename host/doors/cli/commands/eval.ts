import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { writeReport } from '../../report/index.ts';
import {
  agentNames,
  asksModel,
  assertPriced,
  checkStudy,
  crossAgents,
  isCommandAgent,
  LocalRunner,
  openAgents,
  type OpenedAgent,
  parseBudget,
  previewStudy,
  readStudyFile,
  type Retryable,
  retryableEnds,
  runStudy,
  type StudyFile,
  type Suppress,
} from '../../../run/index.ts';
import { chooseTasks, type ChosenBenchmark, type Task, withVariants } from '../../../tasks/index.ts';
import { withReadyNode } from '../context.ts';
import { addModelOptions, type ModelOptions } from '../open-agents.ts';
import {
  addSelectionOptions,
  addStepsOption,
  checkpointEveryHelp,
  parseCount,
  parseDisplay,
  parseDollars,
  parseSuppress,
  parseWholeNumber,
  type SelectionOptions,
  type StepsOption,
  suppressHelp,
  taskHelp,
} from '../options.ts';
import { print, withProgramName } from '../output.ts';
import { warnOfLeftOutRecords } from '../progress.ts';
import { benchTable, benchText, drawnText, previewText, studyJson, studyText } from '../study-text.ts';
import { openStudyView } from '../study-view.ts';

interface EvalOptions extends StepsOption, ModelOptions, SelectionOptions {
  readonly task?: string[];
  readonly agent?: string[];
  readonly model?: string[];
  readonly attempts?: number;
  readonly parallel?: number;
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly budget?: string[];
  readonly seed?: number;
  readonly display?: { readonly width: number; readonly height: number };
  readonly out?: string;
  readonly retry?: Retryable[];
  readonly tries?: number;
  readonly cold?: boolean;
  readonly suppress?: Suppress;
  readonly checkpointEvery?: number;
  readonly video?: boolean;
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
    .option('-t, --task <task...>', taskHelp)
    .option(
      '-a, --agent <name...>',
      `agents to run: ${agentNames.join(', ')}, or a command, as in exec:./mine`,
    )
    .option('-k, --attempts <n>', 'attempts of each agent at each task; default: 1', parseCount)
    .option('-n, --parallel <n>', 'attempts at a time; default: the number of cores', parseCount)
    .option('--max-tokens <n>', 'maximum tokens of the model per attempt, input plus output', parseCount)
    .option('--max-cost <usd>', 'maximum cost of the model per attempt, if its price is known', parseDollars)
    .option('--budget <most...>', 'limits of the study, e.g. 25usd, 2000000tokens, 8h')
    .option('--seed <n>', 'variant of the tasks that have several; default: 0', parseWholeNumber)
    .option(
      '--display <size>',
      "screen size in pixels; default: the task's own, else 1920x1080",
      parseDisplay,
    )
    .option('--out <folder>', "the study's folder; default: study")
    .addOption(
      new Option('--retry <ends...>', 'retry attempts with this outcome, also those of earlier runs').choices(
        retryableEnds,
      ),
    )
    .option('--tries <n>', 'maximum tries of one attempt in one run; default: 2', parseCount)
    .option('--cold', 'boot the IDE for each attempt instead of restoring a golden checkpoint')
    .option('--suppress <n|random>', suppressHelp, parseSuppress)
    .option('--checkpoint-every <n>', checkpointEveryHelp, parseCount)
    .option('--video', 'record a video of each attempt; needs ffmpeg')
    .option('--dry-run', 'print the expected attempts, tokens and cost, and do nothing; needs no key')
    .option('--json', 'print as JSON')
    .addHelpText('after', withProgramName(examples));
  addStepsOption(command, 'an attempt', '20; solutions are played whole');
  addSelectionOptions(addModelOptions(command, { several: true })).action(evaluateStudy);
}

async function evaluateStudy(file: string | undefined, options: EvalOptions): Promise<void> {
  const study = await composeStudy(file, options);
  // All of it is checked before the first sandbox starts, so that a typo costs nothing.
  const budget = parseBudget(study.budget);
  const chosen = await chooseTasks({
    names: study.tasks,
    ...study,
    sampleSeed: study.sample_seed,
  });
  const { tasks, benches } = chosen;
  warnOfLeftOutRecords(chosen);
  const unasked = new Set<string>();
  const onUnasked = (model: string) => void unasked.add(model);
  await using opened = await openAgents(study.agents, options.dryRun ? { onUnasked } : {});
  const { agents } = opened;
  assertPriced(budget.usd ?? study.max_cost, agents);
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
      checkpointEvery: config.checkpoint_every,
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
  const set = {
    ...{ tasks: options.task, agents: composeAgents(options), attempts: options.attempts },
    ...{ data: options.data, ids: options.ids, sample: options.sample, sample_seed: options.sampleSeed },
    ...{ max_steps: options.maxSteps, max_tokens: options.maxTokens, max_cost: options.maxCost },
    ...{ seed: options.seed, display: options.display, cold: options.cold, video: options.video },
    ...{ suppress: options.suppress },
    ...{ out: options.out, parallel: options.parallel, budget: options.budget },
    ...{ retry: options.retry, tries: options.tries, checkpoint_every: options.checkpointEvery },
  };
  const replacing = omitUnset(set);
  if (file === undefined && (!('tasks' in replacing) || !('agents' in replacing)))
    throw new PwpError('usage', 'a study needs tasks and agents', {
      help: 'For example: pwp eval -t tasks/vscode -a oracle null --out studies/baselines',
    });
  return checkStudy({ ...written, ...replacing }, file ?? 'the command line');
}

/** Each agent with each model. */
function composeAgents(options: EvalOptions): unknown[] | undefined {
  const { agent: names = [], model: models = [] } = options;
  if (names.length === 0 && models.length === 0) return undefined;
  assertModelsUsed(names, models);
  const ofCommands = { tools: options.tools, view: options.view, answer_timeout: options.answerTimeout };
  const ofModels = {
    ...{ tools: options.tools, observe: options.observe, view: options.view, text_only: options.textOnly },
    ...{ temperature: options.temperature, model_seed: options.modelSeed, thinking: options.thinking },
    ...{ max_output: options.maxOutput, computer_tool: options.computerTool, base_url: options.baseUrl },
    ...{ max_pictures: options.maxPictures, max_context: options.maxContext },
    ...{ stream: options.stream === false ? false : undefined, answer_timeout: options.answerTimeout },
  };
  return crossAgents(names, models, asksModel).map((one) => ({
    ...one,
    ...(one.model !== undefined && omitUnset(ofModels)),
    ...(isCommandAgent(one.agent) && omitUnset(ofCommands)),
  }));
}

/** The options that are set. */
function omitUnset(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
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
