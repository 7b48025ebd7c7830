import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openTemporaryFolder } from '../../host/lib/index.ts';
import { type AttemptResult, describeQueue, openAttemptQueue, readStudy } from '../../host/run/index.ts';
import { openPostgres, type OpenQueueServer, openRedis } from '../lib/queue-server.ts';
import { queueTimes } from '../lib/queued-tries.ts';
import { renderCells } from '../lib/table.ts';
import { checkMurdered, countEnds } from './murder-checks.ts';
import { type MurderKind, openRandom, planMurders } from './murder-plan.ts';
import { namePlaces, playMurderedStudy } from './murdered-study.ts';
import { buildProgram, listMarked } from './processes.ts';
import { playSimulated, runInProcess } from './roles.ts';

const murderCount = 20;

/**
 * One study by this process, then by three workers over each server, without and with twenty murders. Fails unless the
 * results are the same, each attempt counts once, each try that began is recorded, and nothing is left.
 */
export async function murders(
  signal: AbortSignal,
  { attempts, seed }: { readonly attempts: number; readonly seed: number },
): Promise<void> {
  const program = await buildProgram();
  const alone = await playAlone(attempts, signal);
  const head = ['', 'attempts', 'tries', 'interrupted', 'failed', 'murders', 'seconds', 'problems'];
  const rows = [head, ['one process', ...countEnds(alone), '0', '-', '0']];
  const problems: string[] = [];
  const servers = [
    ['Redis', openRedis],
    ['PostgreSQL', openPostgres],
  ] as const;
  for (const [name, open] of servers)
    for (const count of [0, murderCount]) {
      const what = `three workers, ${name}${count > 0 ? ', murders' : ''}`;
      console.log(what);
      const random = openRandom(seed);
      const made = await playOver(open, {
        ...{ alone, program, attempts, random, signal },
        murders: planMurders(count, random),
      });
      for (const problem of made.problems) console.log(`  WRONG: ${problem}`);
      problems.push(...made.problems.map((problem) => `${what}: ${problem}`));
      rows.push([what, ...made.cells, String(made.problems.length)]);
    }
  console.log(`seed ${seed}\n${renderCells(rows)}`);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

async function playAlone(attempts: number, signal: AbortSignal): Promise<readonly AttemptResult[]> {
  await using folder = await openTemporaryFolder('alone');
  const { results } = await playSimulated({
    ...{ folder: join(folder.path, 'study'), attempts, parallel: 12, signal },
    openRunner: () => runInProcess({ ms: 10, spread: 0, failing: 0 }),
  });
  return results;
}

interface MurdersOptions {
  readonly alone: readonly AttemptResult[];
  readonly program: string;
  readonly attempts: number;
  readonly murders: readonly MurderKind[];
  readonly random: () => number;
  readonly signal: AbortSignal;
}

async function playOver(
  open: OpenQueueServer,
  { alone, ...options }: MurdersOptions,
): Promise<{ readonly cells: readonly string[]; readonly problems: readonly string[] }> {
  await using server = await open();
  await using scratch = await openTemporaryFolder('murders');
  const folder = join(scratch.path, 'run');
  await mkdir(folder);
  const mark = `${process.pid}.${performance.now()}`;
  const played = await playMurderedStudy({ ...options, server, folder, mark });
  const { study, store, temporary } = namePlaces(folder);
  const results: AttemptResult[] = [];
  const left: string[] = [];
  for await (const one of (await readStudy(study)).attempts())
    if ('result' in one) results.push(one.result);
    else left.push(`${one.folder}: ${one.problem}`);
  left.push(...(await listMarked(mark)).map((pid) => `process ${pid} is left`));
  left.push(...(await listQueued(server.url)));
  for (const path of [join(store, 'records'), ...temporary]) left.push(...(await listLeft(path)));
  const checked = checkMurdered(results, alone, played);
  const missing = options.murders.length - played.murdered;
  return {
    cells: [...countEnds(results), String(played.murdered), played.seconds.toFixed(0)],
    problems: [
      ...played.problems,
      ...checked,
      ...left,
      ...(missing > 0 ? [`${missing} murders came too late`] : []),
    ],
  };
}

async function listQueued(url: string): Promise<string[]> {
  await using queue = await openAttemptQueue(url, queueTimes);
  const { studies, underWay } = await describeQueue(queue);
  return [
    ...studies.map(({ title }) => `${title} is in the queue`),
    ...underWay.map((one) => `${one.folder} is under way`),
  ];
}

/** Names of temporary files, apart from the folders of killed processes, which the next attempt there removes. */
async function listLeft(path: string): Promise<string[]> {
  const usual = process.env['TMPDIR'];
  process.env['TMPDIR'] = path;
  try {
    await using sweep = await openTemporaryFolder('sweep');
    const names = await readdir(path);
    return names
      .filter((name) => name !== 'home' && join(path, name) !== sweep.path)
      .map((name) => `${path}/${name} is left`);
  } finally {
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
  }
}
