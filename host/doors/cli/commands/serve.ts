import type { Command } from 'commander';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { limitSettings, taskSettings } from '../../../run/index.ts';
import { chooseTasks, folderTask, type Task } from '../../../tasks/index.ts';
import {
  chooseServedTools,
  episodeRoutes,
  EpisodeTable,
  inspectRoutes,
  McpSessions,
  nemoGymRoutes,
  openEnvRoutes,
  openServer,
  orsRoutes,
  osworldRoutes,
  type Routes,
  type ServedToolOptions,
  type Server,
} from '../../serve/index.ts';
import { untilInterrupted, withReadyNode } from '../context.ts';
import {
  allowHostOption,
  type AllowHostOption,
  parseCount,
  parseDuration,
  parsePort,
  parseWholeNumber,
  readDisplay,
} from '../options.ts';
import { print } from '../output.ts';
import { warnOfLeftOutRecords } from '../progress.ts';
import {
  addSharedIdeOptions,
  addToolChoiceOptions,
  clientConfig,
  type SharedIdeOptions,
  withSharedIde,
} from '../served-ide.ts';
import { addSettings, givenSettings, type GivenSettings } from '../setting-options.ts';

interface ServeOptions extends SharedIdeOptions, ServedToolOptions, AllowHostOption {
  readonly mcp?: true;
  readonly port: number;
  readonly maxEpisodes: number;
  /** In milliseconds. */
  readonly idle: number;
  readonly warm: number;
  readonly endWithInput?: true;
  readonly json?: true;
}

const episodeSettings = { ...taskSettings.shape, maxSteps: limitSettings.shape.maxSteps };
type EpisodeSettings = GivenSettings<typeof episodeSettings>;

export function addServeCommand(program: Command): void {
  const command = program
    .command('serve')
    .description(
      'serve an IDE over the Model Context Protocol (--mcp), or episodes of tasks over HTTP (--task), to programs on this machine; set PWP_TOKEN to choose the token',
    )
    .argument(
      '[folder]',
      'folder to copy into the workspace: of the IDE of --mcp, for which --sandbox names a running one, or else of each episode, which has no score',
    )
    .option('--mcp', 'serve the Model Context Protocol to any number of clients')
    .option('--max-episodes <n>', '--task: the most episodes at a time', parseCount, 8)
    .option(
      '--idle <time>',
      '--task: end an episode without a request for this long',
      parseDuration,
      30 * 60_000,
    )
    .option('--warm <n>', '--task: sandboxes of each episode to restore in advance', parseWholeNumber, 0)
    .option('--port <n>', 'port on 127.0.0.1; 0 for a free one', parsePort, 0)
    .addOption(allowHostOption())
    .option('--end-with-input', 'end when standard input ends: with the program that holds its other end')
    .option('--json', 'print the addresses and the token as JSON');
  addSettings(command, episodeSettings, { except: ['tasks'] });
  addSettings(command, { tasks: taskSettings.shape.tasks });
  addToolChoiceOptions(addSharedIdeOptions(command)).action(serve);
}

async function serve(folder: string | undefined, options: ServeOptions, command: Command): Promise<void> {
  const given = givenSettings(options, episodeSettings);
  const hasEpisodes = given.tasks !== undefined || (folder !== undefined && !options.mcp);
  if ((options.mcp ?? false) === hasEpisodes)
    throw new PwpError('usage', 'serve: expected either --mcp, or --task or a folder');
  if (options.mcp) return serveMcp(folder, options);
  if (options.sandbox !== undefined) throw new PwpError('usage', 'serve: --sandbox goes with --mcp');
  const isChosen = command.getOptionValueSource('display') !== 'default';
  await serveEpisodes(await chooseEpisodeTasks(folder, given), given, options, isChosen);
}

async function serveMcp(folder: string | undefined, options: ServeOptions): Promise<void> {
  const tools = chooseServedTools(options);
  await withSharedIde(folder, options, async (ide, signal, ended) => {
    await using sessions = new McpSessions(ide, tools);
    const watched = inspectRoutes({
      title: 'pwp serve',
      open: (within) => ide.sandbox(within),
      hasEnded: ended,
    });
    await using server = await open({ ...watched, ...sessions.routes }, options);
    const { origin, token, url } = server;
    print({ url, mcp: `${origin}/mcp`, token }, options.json ?? false, () => servedText(server));
    await untilEnded(signal, options);
  });
}

async function chooseEpisodeTasks(
  folder: string | undefined,
  { tasks: names = [], ...choice }: EpisodeSettings,
): Promise<readonly Task[]> {
  const onFolder = folder === undefined ? [] : [await folderTask(folder)];
  if (names.length === 0) return onFolder;
  const chosen = await chooseTasks({ names, ...choice });
  warnOfLeftOutRecords(chosen);
  return [...chosen.tasks, ...onFolder];
}

async function serveEpisodes(
  tasks: readonly Task[],
  { maxSteps }: EpisodeSettings,
  options: ServeOptions,
  hasDisplay: boolean,
): Promise<void> {
  const { maxEpisodes: capacity, idle: idleMs, warm, image, set, structured } = options;
  if (set !== undefined || structured)
    throw new PwpError('usage', 'serve: --set and --structured go with --mcp');
  const tools = chooseServedTools(options).listed.map(({ definition }) => definition.name);
  await withReadyNode(async ({ node, signal }) => {
    await using table = new EpisodeTable({
      ...{ node, tasks, tools, capacity, idleMs, warm, image, maxSteps },
      display: hasDisplay ? readDisplay(options) : undefined,
      onProblem: (problem) => process.stderr.write(`${problem}\n`),
    });
    const own = {
      ...nemoGymRoutes(table),
      ...osworldRoutes(table),
      ...openEnvRoutes(table),
      ...episodeRoutes(table),
    };
    const routes = orsRoutes(table, own);
    // One for each episode, and some for clients that connect again.
    await using server = await open(routes, options, 2 * capacity + 8);
    const { origin, token } = server;
    const text = `${tasks.length} tasks at ${origin}\nexport PWP_SERVER=${origin} PWP_TOKEN=${token}`;
    print({ url: origin, token, tasks: tasks.length }, options.json ?? false, () => text);
    await untilEnded(signal, options);
  });
}

/** Waits until the server is interrupted, or the program that started it has ended, in whichever way. */
async function untilEnded(signal: AbortSignal, { endWithInput }: ServeOptions): Promise<void> {
  if (!endWithInput) return untilInterrupted(signal);
  const { stdin } = process;
  const ended = new AbortController();
  for (const event of ['end', 'error', 'close']) stdin.once(event, () => ended.abort());
  stdin.resume();
  await untilInterrupted(AbortSignal.any([signal, ended.signal]));
  stdin.destroy();
}

function open(routes: Routes, { port, allowHost }: ServeOptions, mostSockets?: number): Promise<Server> {
  return openServer(routes, port, { token: process.env.PWP_TOKEN, allowHosts: allowHost, mostSockets });
}

/** The configuration for clients, and the address for people. */
function servedText(server: Server): string {
  return `${clientConfig(server)}\nto watch: ${server.url}`;
}
