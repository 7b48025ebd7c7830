import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { execa } from 'execa';
import * as z from 'zod';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { clipEnd, parseJson } from '../../../../bridge/text/index.ts';
import { pwpHome, readFreeBytes } from '../../../lib/index.ts';
import { leastStartBytes, type Node } from '../../../node/index.ts';
import {
  type AskPace,
  type MachineRoom,
  makeQueuedTry,
  type MakeTry,
  openQueuePace,
  paceQuestion,
  queuedAttempt,
  work,
  type WorkedTry,
  type WorkEvent,
} from '../../../run/index.ts';
import { writeReport } from '../../report/index.ts';
import { interruptSignal, openNode, prepareChosenNode, withNode } from '../context.ts';
import { parseCount } from '../options.ts';
import { chooseExitCode, escapeControls, explainError } from '../output.ts';
import { addQueueOptions, openChosenQueue, openChosenStore, type QueueOptions } from '../queue-options.ts';

interface WorkerOptions extends QueueOptions {
  readonly parallel: number;
  readonly json?: true;
}

const description =
  'make attempts of studies that wait in a queue, until Ctrl-C or SIGTERM: then those under way are given back';

export function addWorkerCommand(program: Command): void {
  const command = program
    .command('worker')
    .description(description)
    .option('-n, --parallel <n>', 'attempts at a time', parseCount, availableParallelism())
    .option('--json', 'print the beginning and the end of each attempt as a line of JSON');
  addQueueOptions(command, 'where attempts wait').action(runWorker);
}

async function runWorker(options: WorkerOptions): Promise<void> {
  const signal = interruptSignal();
  await using queue = await openChosenQueue(options);
  const store = openChosenStore(options);
  await store.check({ signal });
  // Before the first attempt, so that no two of them build the same image.
  await prepareChosenNode(signal);
  // Removes what attempts of a killed worker left here, and knows how much memory is left.
  await using node = await openNode(signal);
  process.stderr.write(`takes ${options.parallel} attempts at a time\n`);
  const { store: address = null } = options;
  await using pace = await openQueuePace(options.queue ?? '');
  const makeTry: MakeTry = (attempt, folder, stopped) =>
    makeTryInProcess({ attempt, folder, store: address }, pace.ask, stopped);
  await work({
    ...{ queue, store, parallel: options.parallel, makeTry, signal },
    measureRoom: (underWay) => measureRoom(node, underWay),
    onEvent: (event) =>
      options.json
        ? process.stdout.write(`${JSON.stringify(event)}\n`)
        : process.stderr.write(`${escapeControls(eventText(event))}\n`),
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    process.stderr.write(`${explainError(error)}\n`);
    // Its clients would try for ever to reach the server.
    process.exit(chooseExitCode(error));
  });
}

/** An attempt needs memory for an IDE, and disk for what an IDE writes: those under way may still write theirs. */
async function measureRoom(node: Node, underWay: number): Promise<MachineRoom> {
  const { room } = await node.load();
  const free = await readFreeBytes(pwpHome());
  const disk = Math.floor(free / leastStartBytes) - underWay;
  const lacking = disk < 1 ? `${(free / 1e9).toFixed(1)} GB of disk left` : 'no memory for one more IDE';
  const fits = Math.max(0, Math.min(room, disk));
  return { fits, waits: fits < 1 ? lacking : null };
}

function eventText(event: WorkEvent): string {
  if (event.kind === 'wait') return event.why === null ? 'takes attempts again' : `waits, ${event.why}`;
  const { kind, title, folder, failure } = event;
  if (kind === 'begin') return `${title}: ${folder} begins`;
  return `${title}: ${folder} ended${failure === null ? '' : `: ${failure}`}`;
}

/** The first line that the process of a try reads. It ends when its input does: with the worker, in whichever way. */
const tryOrder = z.strictObject({ attempt: queuedAttempt, folder: z.string(), store: z.string().nullable() });
/** The last line that it prints. */
const workedTry = z.strictObject({ failure: z.string().nullable(), shared: z.string().nullable() });

/** The process of a try asks its worker when models may be asked, and is answered by the id. */
const askedPace = z.strictObject({ id: z.int(), question: paceQuestion });
const paceAnswer = z.strictObject({ id: z.int(), ms: z.number() });

/** The most milliseconds for a try to end its sandbox after its signal. */
const endMs = 20_000;

/** In a process of its own: one that blocks its event loop would lose the locks of all. */
export async function makeTryInProcess(
  order: z.output<typeof tryOrder>,
  askPace: AskPace,
  signal: AbortSignal,
): Promise<WorkedTry> {
  const [, program = ''] = process.argv;
  const running = execa(process.execPath, [...process.execArgv, program, 'attempt'], {
    ...{ stdin: 'pipe', reject: false, stripFinalNewline: true, maxBuffer: 1024 * 1024 },
    ...{ cancelSignal: signal, forceKillAfterDelay: endMs, ipc: true, buffer: { ipc: false } },
    // Else execa ends this process at SIGTERM, before it has given its attempts back. They end with their input.
    cleanup: false,
  });
  const answer = (message: unknown) => {
    const { data } = askedPace.safeParse(message);
    // Without an answer it goes on after a while.
    if (data)
      askPace(data.question)
        .then((ms) => running.sendMessage({ id: data.id, ms }))
        .catch(() => undefined);
  };
  running.on('message', answer);
  // It may end before it has read its order.
  running.stdin.on('error', () => undefined);
  running.stdin.write(`${JSON.stringify(order)}\n`);
  const { stdout, stderr, exitCode, signal: killedBy } = await running;
  const said = workedTry.safeParse(readLastLine(stdout));
  if (exitCode === 0 && said.success) return said.data;
  const how = killedBy ?? `exit code ${exitCode}`;
  return { failure: `its process ended by ${how}: ${clipEnd(stderr, 2000)}`, shared: null };
}

function readLastLine(text: string): unknown {
  try {
    return parseJson(text.slice(text.trimEnd().lastIndexOf('\n') + 1));
  } catch {
    return undefined;
  }
}

/** The process of one try: workers start it. */
export function addAttemptCommand(program: Command): void {
  program.command('attempt', { hidden: true }).action(makeOneTry);
}

/** Asks the worker. A question without an answer is given up by who asked it. */
function askWorker(): AskPace {
  const asked: ((ms: number) => void)[] = [];
  const take = (message: unknown) => {
    const { data } = paceAnswer.safeParse(message);
    if (data) asked[data.id]?.(data.ms);
  };
  process.on('message', take);
  // A listener alone would keep this process alive.
  process.channel?.unref();
  return (question) =>
    new Promise((resolve) => {
      const id = asked.push(resolve) - 1;
      process.send?.({ id, question });
    });
}

async function makeOneTry(): Promise<void> {
  const ended = new AbortController();
  const lines = createInterface({ input: process.stdin });
  lines.once('close', () => ended.abort(new PwpError('cancelled', 'the worker has ended')));
  const [line] = (await once(lines, 'line')) as [string];
  const { attempt, folder, store } = tryOrder.parse(JSON.parse(line));
  const worked = await withNode(({ node, signal }) =>
    makeQueuedTry(attempt, folder, {
      ...{ node, writeReport, askPace: askWorker(), cache: join(pwpHome(), 'queue') },
      store: openChosenStore(store === null ? {} : { store }),
      signal: AbortSignal.any([signal, ended.signal]),
    }),
  );
  process.stdout.write(`${JSON.stringify(worked)}\n`);
  process.stdin.destroy();
}
