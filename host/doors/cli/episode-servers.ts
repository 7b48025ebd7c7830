import { EpisodeWorkers, makeWorkerId } from '../../run/index.ts';
import {
  describeServedTools,
  EpisodeTable,
  type EpisodeTableOptions,
  Fleet,
  frontRoutes,
  hashServed,
  loopbackAddress,
  offerEpisodes,
  openServer,
  type Routes,
  type Server,
  type ServerOptions,
  trainerRoutes,
} from '../serve/index.ts';
import { interruptSignal, untilInterrupted, withReadyNode } from './context.ts';
import { listOwnLabels } from './server-role.ts';
import type { AllowHostOption } from './options.ts';
import { print } from './output.ts';
import { type PageAddressOptions, readPageAddress } from './served-ide.ts';

export interface EpisodeServerOptions extends AllowHostOption, PageAddressOptions {
  readonly port: number;
  /** In milliseconds. */
  readonly idle: number;
  readonly warm: number;
  readonly endWithInput?: true;
  readonly json?: true;
}

/** What episodes are made of. */
export interface ServedChoice extends Pick<EpisodeTableOptions, 'tasks' | 'maxSteps' | 'display' | 'image'> {
  /** Names of tools. */
  readonly tools: readonly string[];
}

/** Episodes of this machine, at an address of their own. */
export async function serveEpisodes(
  served: ServedChoice & Pick<EpisodeTableOptions, 'capacity'>,
  options: EpisodeServerOptions,
): Promise<void> {
  await withReadyNode(async ({ node, signal }) => {
    await using table = new EpisodeTable({ node, ...served, ...tableOptions(options) });
    const mostSockets = countSockets(table);
    await using server = await open(trainerRoutes(table), options, { mostSockets });
    printAddress(server, served, options);
    await untilEnded(signal, options);
  });
}

/** Episodes of this machine, for the fronts of a queue. */
export async function serveWorker(
  {
    capacity: most,
    labels,
    ...served
  }: ServedChoice & { readonly capacity: number | undefined; readonly labels: readonly string[] },
  queue: string,
  options: EpisodeServerOptions,
): Promise<void> {
  await using workers = await EpisodeWorkers.open(queue);
  await withReadyNode(async ({ node, signal }) => {
    const capacity = most ?? Math.max(1, (await node.load()).room);
    const worker = makeWorkerId();
    await using table = new EpisodeTable({ node, ...served, ...tableOptions(options), capacity, worker });
    const place = (await readPageAddress(options, workerDays)) ?? loopbackAddress;
    // Its token is its own: that of the environment is for clients of a front.
    const mostSockets = countSockets(table);
    await using server = await openServer(trainerRoutes(table), options.port, { place, mostSockets });
    const all = [...new Set([...(await listOwnLabels(signal)), ...labels])];
    const said = { worker, url: server.origin, capacity, labels: all };
    print(
      said,
      options.json ?? false,
      () => `${worker} at ${server.origin}: ${capacity} episodes, ${all.join(' ')}`,
    );
    const until = untilEnded(signal, options);
    await offerEpisodes({
      ...{ workers, table, server, place, labels: all, until },
      serves: await hashChoice(served),
    });
  });
}

/** One address for the episodes of all workers of a queue. */
export async function serveFront(
  served: ServedChoice,
  queue: string,
  options: EpisodeServerOptions,
): Promise<void> {
  const { tasks, tools } = served;
  await using workers = await EpisodeWorkers.open(queue);
  await using fleet = await Fleet.open({
    ...{ workers, serves: await hashChoice(served) },
    onProblem: (problem) => process.stderr.write(`${problem}\n`),
  });
  const routes = frontRoutes({ tasks, tools: describeServedTools(tools) }, fleet);
  await using server = await open(routes, options, { mostSockets: mostFrontSockets });
  printAddress(server, served, options);
  await untilEnded(interruptSignal(), options);
}

/** Days for which the certificate that a worker makes is valid: fronts trust it by itself. */
const workerDays = 3650;
const mostFrontSockets = 10_000;

/** One for each episode, and some for clients that connect again. */
function countSockets({ capacity }: EpisodeTable): number {
  return 2 * capacity + 8;
}

function tableOptions({ idle, warm }: EpisodeServerOptions) {
  return { idleMs: idle, warm, onProblem: (problem: string) => process.stderr.write(`${problem}\n`) };
}

function hashChoice({ tasks, tools, maxSteps, display, image }: ServedChoice): Promise<string> {
  return hashServed({ tasks, tools, settings: { maxSteps, display, image } });
}

async function open(
  routes: Routes,
  options: EpisodeServerOptions,
  more: Pick<ServerOptions, 'mostSockets'>,
): Promise<Server> {
  const { port, allowHost } = options;
  const place = await readPageAddress(options);
  return openServer(routes, port, { ...more, place, token: process.env.PWP_TOKEN, allowHosts: allowHost });
}

function printAddress(
  { origin, token }: Server,
  { tasks }: ServedChoice,
  { json }: EpisodeServerOptions,
): void {
  const text = `${tasks.length} tasks at ${origin}\nexport PWP_SERVER=${origin} PWP_TOKEN=${token}`;
  print({ url: origin, token, tasks: tasks.length }, json ?? false, () => text);
}

/** Waits until the server is interrupted, or the program that started it has ended, in whichever way. */
export async function untilEnded(
  signal: AbortSignal,
  { endWithInput }: Pick<EpisodeServerOptions, 'endWithInput'>,
): Promise<void> {
  if (!endWithInput) return untilInterrupted(signal);
  const { stdin } = process;
  const ended = new AbortController();
  for (const event of ['end', 'error', 'close']) stdin.once(event, () => ended.abort());
  stdin.resume();
  await untilInterrupted(AbortSignal.any([signal, ended.signal]));
  stdin.destroy();
}
