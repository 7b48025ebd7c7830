import type { Command } from 'commander';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { limitSettings, taskSettings } from '../../../run/index.ts';
import { chooseTasks, folderTask, type Task } from '../../../tasks/index.ts';
import {
  chooseServedTools,
  inspectRoutes,
  McpSessions,
  openServer,
  type ServedToolOptions,
  type Server,
} from '../../serve/index.ts';
import {
  type EpisodeServerOptions,
  serveEpisodes,
  serveFront,
  serveWorker,
  untilEnded,
} from '../episode-servers.ts';
import { addServerRoleOptions, type ServerRoleOptions, readServerRole } from '../server-role.ts';
import {
  allowHostOption,
  parseCount,
  parseDuration,
  parsePort,
  parseWholeNumber,
  readDisplay,
} from '../options.ts';
import { print } from '../output.ts';
import { warnOfLeftOutRecords } from '../progress.ts';
import {
  addPageAddressOptions,
  addSharedIdeOptions,
  addToolChoiceOptions,
  clientConfig,
  readPageAddress,
  type SharedIdeOptions,
  withSharedIde,
} from '../served-ide.ts';
import { addSettings, givenSettings, type GivenSettings } from '../setting-options.ts';

interface ServeOptions extends SharedIdeOptions, ServedToolOptions, EpisodeServerOptions, ServerRoleOptions {
  readonly mcp?: true;
  readonly maxEpisodes: number;
}

const episodeSettings = { ...taskSettings.shape, maxSteps: limitSettings.shape.maxSteps };
type EpisodeSettings = GivenSettings<typeof episodeSettings>;

export function addServeCommand(program: Command): void {
  const command = program
    .command('serve')
    .description(
      'serve an IDE over the Model Context Protocol (--mcp), or episodes of tasks over HTTP (--task), to programs on this machine, or on others (--host, --queue); set PWP_TOKEN to choose the token',
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
    .option('--port <n>', 'port; 0 for a free one', parsePort, 0)
    .addOption(allowHostOption())
    .option('--end-with-input', 'end when standard input ends: with the program that holds its other end')
    .option('--json', 'print the addresses and the token as JSON');
  addSettings(command, episodeSettings, { except: ['tasks'] });
  addSettings(command, { tasks: taskSettings.shape.tasks });
  addServerRoleOptions(command);
  addPageAddressOptions(command, 'the server');
  addToolChoiceOptions(addSharedIdeOptions(command)).action(serve);
}

async function serve(folder: string | undefined, options: ServeOptions, command: Command): Promise<void> {
  const given = givenSettings(options, episodeSettings);
  const hasEpisodes = given.tasks !== undefined || (folder !== undefined && !options.mcp);
  if ((options.mcp ?? false) === hasEpisodes)
    throw new PwpError('usage', 'serve: expected either --mcp, or --task or a folder');
  const role = readServerRole(command);
  if (options.mcp && role !== 'alone') throw new PwpError('usage', 'serve: --queue goes with --task');
  if (options.mcp) return serveMcp(folder, options);
  if (options.sandbox !== undefined) throw new PwpError('usage', 'serve: --sandbox goes with --mcp');
  if (options.set !== undefined || options.structured)
    throw new PwpError('usage', 'serve: --set and --structured go with --mcp');
  const isChosen = (name: string) => command.getOptionValueSource(name) !== 'default';
  const served = {
    tasks: await chooseEpisodeTasks(folder, given),
    tools: chooseServedTools(options).listed.map(({ definition }) => definition.name),
    ...{ image: options.image, maxSteps: given.maxSteps },
    display: isChosen('display') ? readDisplay(options) : undefined,
  };
  const { queue = '', maxEpisodes, label } = options;
  if (role === 'front') return serveFront(served, queue, options);
  if (role === 'alone') return serveEpisodes({ ...served, capacity: maxEpisodes }, options);
  const capacity = isChosen('maxEpisodes') ? maxEpisodes : undefined;
  await serveWorker({ ...served, capacity, labels: label ?? [] }, queue, options);
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
    const { port, allowHost } = options;
    const token = process.env.PWP_TOKEN;
    await using server = await openServer({ ...watched, ...sessions.routes }, port, {
      token,
      place: await readPageAddress(options),
      allowHosts: allowHost,
    });
    const { origin, url } = server;
    print({ url, mcp: `${origin}/mcp`, token: server.token }, options.json ?? false, () =>
      servedText(server),
    );
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

/** The configuration for clients, and the address for people. */
function servedText(server: Server): string {
  return `${clientConfig(server)}\nto watch: ${server.url}`;
}
