import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { PwpError, raceSignal } from '../../../../bridge/lib/index.ts';
import type { Sandbox } from '../../../node/index.ts';
import { agentSettings, limitSettings, type PageVisit, taskSettings } from '../../../run/index.ts';
import { loadTask, openTask, resolveTaskPath, withVariant } from '../../../tasks/index.ts';
import {
  type LinkRights,
  openServer,
  pairRoutes,
  type Server,
  type ServerAddress,
  type ServerOptions,
  type SharedLink,
} from '../../serve/index.ts';
import { findNodeKindHolding, openNode, untilInterrupted, withReadyNode } from '../context.ts';
import { openPairedAgent, type PairedAgent, type PairedOptions, pairInstruction } from '../open-agents.ts';
import { allowHostOption, type AllowHostOption, parseDuration, parsePort } from '../options.ts';
import { print, withProgramName } from '../output.ts';
import { summarizeEpisodes } from '../progress.ts';
import {
  addPageAddressOptions,
  addPairIdeOptions,
  certificateText,
  hasSandboxEnded,
  type PageAddressOptions,
  personName,
  readPageAddress,
  type SharedIdeOptions,
  withSharedIde,
} from '../served-ide.ts';
import { addSettings } from '../setting-options.ts';

interface PairOptions
  extends Omit<SharedIdeOptions, 'sandbox'>, PairedOptions, PageAddressOptions, AllowHostOption {
  readonly seed?: number;
  readonly port: number;
  readonly share?: LinkRights;
  /** Milliseconds. */
  readonly ttl: number;
  readonly json?: true;
}

const examples = `
Examples:
  pwp pair path/to/project
    agents join by pwp mcp --sandbox <id>
  pwp pair path/to/project -a assisted -m claude-opus-5
    say in the page what the agent is to do
  pwp pair vscode/autosave-500 -a assisted -m claude-opus-5`;

export function addPairCommand(program: Command): void {
  const command = program
    .command('pair')
    .description('work in an IDE together with agents: watch, talk, take control, give it back')
    .argument(
      '<folder|task|sandbox>',
      'folder to copy into the workspace of a new IDE, task (with --agent), or id of a running sandbox',
    )
    .option('--out <folder>', 'folder for the record of the agent', 'runs')
    .option('--video', 'record a video as well; needs ffmpeg')
    .option('--port <n>', 'port; 0 for a free one', parsePort, 0)
    .addOption(allowHostOption())
    .addOption(
      new Option(
        '--share <rights>',
        'also print a link for another person, to watch or to take control',
      ).choices(['view', 'control']),
    )
    .addOption(
      new Option('--ttl <time>', 'how long that link is valid, e.g. 90s, 30m or 8h')
        .default(30 * 60_000, '30m')
        .argParser(parseDuration),
    )
    .option('--json', 'print addresses and sandbox as JSON, once the IDE is ready')
    .addHelpText('after', withProgramName(examples));
  addSettings(command, taskSettings.shape, { only: ['seed'] });
  addSettings(command, agentSettings.shape);
  addSettings(command, limitSettings.shape, {
    help: { maxSteps: 'maximum steps of the agent; default: 1000, since people end the session' },
  });
  addPairIdeOptions(addPageAddressOptions(command)).action(runPair);
}

/** With the options that are resolved before anything is started. */
interface PreparedPairOptions extends PairOptions {
  readonly place: ServerAddress | undefined;
}

async function runPair(named: string, given: PairOptions): Promise<void> {
  const { agent: name, model } = given;
  if (name === undefined && model !== undefined)
    throw new PwpError('usage', '--model is for an agent', { help: 'Add for example -a assisted.' });
  const options = { ...given, place: await readPageAddress(given) };
  const task = await resolveTaskPath(named);
  const isTask = await isFile(join(task, 'task.toml'));
  if (name === undefined) return pairOnIde(isTask ? task : named, options, undefined);
  await using agent = await openPairedAgent(name, basename(resolve(named)), options);
  await (isTask ? pairOnTask(task, options, agent) : pairOnIde(named, options, agent));
}

/** On a copy of a folder, or in a sandbox that runs already. */
async function pairOnIde(
  what: string,
  options: PreparedPairOptions,
  agent: PairedAgent | undefined,
): Promise<void> {
  const isFolder = await isDirectory(what);
  const { folder, shared } = isFolder
    ? { folder: what, shared: options }
    : { folder: undefined, shared: { ...options, sandbox: what } };
  await withSharedIde(folder, shared, async (ide, signal, ended) => {
    const title = isFolder ? basename(resolve(what)) : what;
    const open = (within: AbortSignal) => ide.sandbox(within);
    const routes = pairRoutes({
      title,
      person: personName(),
      open,
      hasEnded: ended,
      ...connectChat(agent, options),
    });
    await using server = await openServer(routes, options.port, serverOptions(options));
    const announce = prepareAnnouncement(server, options, agent);
    const sandbox = await open(signal);
    announce(sandbox);
    if (!agent) return await untilInterrupted(signal);
    await using node = await openNode(signal, await findNodeKindHolding(sandbox.id));
    const task = openTask(`${isFolder ? 'folder' : 'sandbox'}/${title}`, pairInstruction);
    const result = await agent.work(node, task, signal, sandbox.id);
    if (!options.json) process.stdout.write(`${summarizeEpisodes([result])}\n`);
    // The sandbox ends with this command, and people may want to save its files first.
    if (result.end !== 'finished') await untilInterrupted(signal);
  }).catch((error: unknown) => {
    if (isFolder || !(error instanceof PwpError && error.code === 'no-such-sandbox')) throw error;
    throw new PwpError('usage', `${what} is neither a folder, nor a task, nor a running sandbox`, {
      help: 'See which ones there are: pwp sandboxes list, pwp tasks list',
      cause: error,
    });
  });
}

/** In the initial state of a task. It is graded when people end the session. */
async function pairOnTask(what: string, options: PreparedPairOptions, agent: PairedAgent): Promise<void> {
  const loaded = await loadTask(what, { seed: options.seed });
  await withReadyNode(async ({ node, signal }) => {
    const task = await withVariant(loaded, { node, signal });
    const opening = Promise.withResolvers<Sandbox>();
    const open = (within: AbortSignal) => raceSignal(opening.promise, within);
    const ended = async () => hasSandboxEnded(node, (await opening.promise).id);
    const routes = pairRoutes({
      title: task.id,
      person: personName(),
      open,
      hasEnded: ended,
      ...connectChat(agent, options),
      brief: task.instruction,
    });
    await using server = await openServer(routes, options.port, serverOptions(options));
    void opening.promise.then(prepareAnnouncement(server, options, agent), () => undefined);
    const result = await agent.work(node, task, signal, undefined, (event) => {
      if (event.kind === 'reset') opening.resolve(node.open(event.info.sandbox, { signal }));
    });
    if (!options.json) process.stdout.write(`${summarizeEpisodes([result])}\n`);
  });
}

/** The address of the page, and the host names it answers to. */
function serverOptions({ place, allowHost }: PreparedPairOptions): ServerOptions {
  return { place, allowHosts: allowHost };
}

/** Connects the page with the agent's chat; people who open it are noted in the record and on the terminal. */
function connectChat(agent: PairedAgent | undefined, { json }: PairOptions) {
  const say = (visit: PageVisit) => {
    if (!json) process.stderr.write(`${visitText(visit)}\n`);
  };
  if (!agent) return { onVisit: say };
  const { chat } = agent;
  const onVisit = (visit: PageVisit) => {
    chat.visited(visit);
    say(visit);
  };
  return { talk: chat, onEnd: () => chat.end(), onVisit };
}

function visitText({ name, rights, address }: PageVisit): string {
  return `${name} has opened the page${rights === 'view' ? ' to watch' : ''}${address && `, from ${address}`}`;
}

/** Prints the addresses at once, and the rest once there is a sandbox. */
function prepareAnnouncement(
  server: Server,
  options: PreparedPairOptions,
  agent: PairedAgent | undefined,
): (sandbox: Sandbox) => void {
  const link = options.share && server.share({ rights: options.share, ttlMs: options.ttl });
  if (!options.json) process.stdout.write(`${addressesText(server, options.place, link)}\n`);
  return (sandbox) => {
    const certificate = options.place?.tls?.fingerprint ?? null;
    const said = {
      ...{ id: sandbox.id, url: server.url, share: link ?? null, certificate },
      record: agent?.folder ?? null,
    };
    print(said, options.json ?? false, () => joinText(sandbox, agent));
  };
}

function joinText({ id }: Sandbox, agent: PairedAgent | undefined): string {
  if (agent)
    return [
      'Open the address in a browser, and say there what the agent is to do. Ctrl-C ends this, and the sandbox.',
      withProgramName(`  pwp pull ${id}`),
    ].join('\n');
  const commands = [`  pwp mcp --sandbox ${id}`, `  pwp step ${id} 'xdotool key F1'`, `  pwp diff ${id}`];
  return [
    'Open the address in a browser. Ctrl-C ends this. Agents join in the same sandbox:',
    ...commands.map((command) => withProgramName(command)),
  ].join('\n');
}

function addressesText(
  { url }: Server,
  place: ServerAddress | undefined,
  link: SharedLink | undefined,
): string {
  const lines = [url];
  if (link) {
    const minutes = Math.round(link.ttlMs / 60_000);
    const rights = link.rights === 'view' ? 'to watch' : 'to watch and take control';
    lines.push(`${link.url}  (${rights}, for ${minutes} min${place ? '' : ', on this machine'})`);
  }
  if (place) lines.push(certificateText(place));
  return lines.join('\n');
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ?? false;
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}
