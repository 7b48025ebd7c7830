import { type Command, Option } from 'commander';
import { PwpError } from '../../../../bridge/lib/index.ts';
import {
  type AttemptQueue,
  cancelStudy,
  cleanStore,
  type ConnectedWorker,
  describeQueue,
  type QueueState,
} from '../../../run/index.ts';
import { interruptSignal } from '../context.ts';
import { parseDays } from '../options.ts';
import { print } from '../output.ts';
import { addQueueOptions, openChosenQueue, openChosenStore, type QueueOptions } from '../queue-options.ts';
import { ageText, formatTable } from '../tables.ts';

interface QueueCommandOptions extends QueueOptions {
  readonly json?: true;
}

export function addQueueCommand(program: Command): void {
  const queue = program.command('queue').description('look at a queue of attempts, and steer it');
  add(queue, 'status', 'list its studies and workers', describeQueue, queueText);
  add(queue, 'pause', 'let workers finish what is under way, and begin nothing', async ({ jobs }) => {
    await jobs.pause();
    return { paused: true };
  });
  add(queue, 'resume', 'end a pause', async ({ jobs }) => {
    await jobs.resume();
    return { paused: false };
  });
  add(queue, 'drain', 'remove all attempts that no worker has begun', async ({ jobs }) => {
    await jobs.drain();
    return { drained: true };
  });
  addCleanCommand(queue);
  const cancel = queue
    .command('cancel')
    .description('remove the attempts of a study, and end those under way')
    .argument('<study>', 'its name, or the beginning of its hash, as status prints them')
    .option('--json', 'print as JSON');
  addQueueOptions(cancel, 'where attempts wait').action(
    async (study: string, options: QueueCommandOptions) => {
      await using opened = await openChosenQueue(options);
      const cancelled = await cancelStudy(opened, study);
      if (cancelled.removed + cancelled.ending === 0)
        throw new PwpError('usage', `no attempt of ${JSON.stringify(study)} is in the queue`, {
          help: 'pwp queue status lists the studies.',
        });
      print(
        cancelled,
        options.json ?? false,
        () => `removed ${cancelled.removed}, ending ${cancelled.ending}`,
      );
    },
  );
}

function addCleanCommand(queue: Command): void {
  const clean = queue
    .command('clean')
    .description('remove from the store what is old and no attempt in the queue needs')
    .addOption(
      new Option('--older <age>', 'the age from which on it is removed, in days')
        .argParser(parseDays)
        .default(parseDays('30d'), '30d'),
    )
    .option('--json', 'print as JSON');
  addQueueOptions(clean, 'where attempts wait').action(
    async ({ older, json, ...options }: QueueCommandOptions & { readonly older: number }) => {
      await using opened = await openChosenQueue(options);
      const store = openChosenStore(options);
      const removed = await cleanStore(opened, store, { olderMs: older, signal: interruptSignal() });
      const { studies, records, files } = removed;
      print(
        removed,
        json ?? false,
        () => `removed studies: ${studies}, records: ${records}, files: ${files}`,
      );
    },
  );
}

function add<T extends object>(
  queue: Command,
  name: string,
  description: string,
  run: (queue: AttemptQueue) => Promise<T>,
  text: (result: T) => string = () => '',
): void {
  const command = queue.command(name).description(description).option('--json', 'print as JSON');
  addQueueOptions(command, 'where attempts wait').action(async (options: QueueCommandOptions) => {
    await using opened = await openChosenQueue(options);
    const result = await run(opened);
    print(result, options.json ?? false, () => text(result));
  });
}

function queueText({ paused, studies, workers, underWay, errors }: QueueState): string {
  const now = Date.now();
  const rows = studies.map((one) => [
    ...[one.title, one.study.slice(0, 12), one.priority, one.waiting, one.underWay],
    ...[one.made, one.failed, one.perMinute.toFixed(1), one.leftMs === null ? '' : ageText(one.leftMs)],
  ]);
  const active = underWay.map((one) => [
    ...[one.worker, `${one.title}: ${one.folder}`, ageText(now - Date.parse(one.startedAt)), one.lost],
  ]);
  return [
    ...(paused ? ['paused: workers begin nothing'] : []),
    rows.length === 0 ? 'no attempts' : formatTable([studyHead, ...rows]),
    ...(active.length === 0 ? [] : [formatTable([['WORKER', 'ATTEMPT', 'SINCE', 'LOST'], ...active])]),
    workers.length === 0
      ? 'no workers'
      : workers.map((worker) => workerText(worker, underWay, now)).join('\n'),
    ...errors.map(({ at, title, folder, failure }) => `${at} ${title}: ${folder}: ${failure}`),
  ].join('\n\n');
}

const studyHead = [
  ...['STUDY', 'HASH', 'PRIORITY', 'WAITING', 'UNDER WAY', 'MADE', 'FAILED', 'PER MINUTE', 'LEFT'],
];

function workerText({ name, state }: ConnectedWorker, underWay: QueueState['underWay'], now: number): string {
  if (!state) return `${name}: begins`;
  const { parallel, since, fits, waits } = state;
  const busy = underWay.filter(({ worker }) => worker === name).length;
  const how = waits === null ? `room for ${fits} more` : `waits, ${waits}`;
  return `${name}: ${busy} of ${parallel} under way, ${how}; for ${ageText(now - Date.parse(since))}`;
}
