import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pause } from '../bridge/lib/index.ts';
import { forEachParallel, packagedTasksFolder } from '../host/lib/index.ts';
import { createLocalNode } from '../host/node/index.ts';
import { writeReport } from '../host/doors/report/index.ts';
import { type AttemptResult, chooseAgent, runEpisode, studyFiles } from '../host/run/index.ts';
import { readResult } from '../host/run/record/episode-record.ts';
import { attemptResult } from '../host/run/study/attempt-result.ts';
import { findTasks, type Task, withVariants } from '../host/tasks/index.ts';
import { summarise } from './lib/stats.ts';
import { renderComparison } from './lib/table.ts';

const cli = fileURLToPath(new URL('../dist/pwp.js', import.meta.url));
const attempts = 3;
const width = 2;
const kills = 2;
/** The task that the scripted model solves; at all others it does the same, and fails. */
const solved = 'vscode/autosave-500';
const command = `python3 - <<'END'
import json
path = "/ide/data/User/settings.json"
settings = json.load(open(path))
settings.update({"files.autoSave": "afterDelay", "files.autoSaveDelay": 500})
json.dump(settings, open(path, "w"))
END`;

/**
 * A study of all tasks, an oracle and a scripted model, three attempts each, whose process is killed twice with SIGKILL
 * at a random time and started again: whether each attempt is counted once, with the reward that it must have; how many
 * there are a minute, and where the time goes. Then the same episodes without a study, one run after the other.
 * @param count of tasks; default: all
 */
export async function study(signal: AbortSignal, count = 1000): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pwp-study-'));
  const tasks = (await findTasks([packagedTasksFolder()])).slice(0, count);
  console.log(
    `${tasks.length} tasks, load before: ${loadavg()
      .map((n) => n.toFixed(1))
      .join(' ')}`,
  );
  const minutes = await killedStudy(folder, tasks, signal);
  const results = await readResults(join(folder, 'study'));
  const problems = await problemsOf(join(folder, 'study'), results, tasks);
  const tries = results.flatMap((one) => one.tries);
  const interrupted = tries.filter(({ end }) => end === 'interrupted').length;
  console.log(
    `${results.length} attempts, ${tries.length} tries, ${interrupted} of them interrupted by ${kills} kills; ${problems.length} problems`,
  );
  console.log(`${(results.length / minutes).toFixed(1)} attempts a minute, ${width} at a time`);
  console.log(phases(results));
  console.log(await besideBare(folder, tasks, results, signal));
  if (problems.length > 0) throw new Error(`${problems.join('; ')}; the study is in ${folder}`);
  await rm(folder, { recursive: true });
}

/** Minutes that all runs took together. */
async function killedStudy(folder: string, tasks: readonly Task[], signal: AbortSignal): Promise<number> {
  const script = join(folder, 'turns.jsonl');
  const turns = [
    { blocks: [{ kind: 'call', name: 'shell', arguments: { command } }] },
    { blocks: [{ kind: 'text', text: 'Done.' }] },
  ];
  await writeFile(script, turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
  const args = [
    ...['eval', '-t', ...tasks.map(({ path }) => path), '-a', 'oracle', 'bash', '-m', `scripted:${script}`],
    ...['-k', String(attempts), '-n', String(width), '--out', join(folder, 'study')],
  ];
  const planned = tasks.length * 2 * attempts;
  const start = performance.now();
  for (let kill = 1; kill <= kills; kill++) {
    await killed(args, folder, Math.round((planned * (kill - 0.5)) / kills), signal);
  }
  const { code, log } = await run(args, signal, () => Promise.resolve());
  if (code !== 0) throw new Error(`pwp eval ended with ${code}:\n${log}`);
  return (performance.now() - start) / 60_000;
}

/** Kills the study at a random time after about this many attempts are over. */
async function killed(
  args: readonly string[],
  folder: string,
  after: number,
  signal: AbortSignal,
): Promise<void> {
  await run(args, signal, async (kill, ended) => {
    while (!ended.aborted && (await countOver(join(folder, 'study'))) < after) await pause(500, ended);
    const ms = randomInt(5000);
    await pause(ms, ended);
    console.log(`killed after ${await countOver(join(folder, 'study'))} attempts and ${ms} ms`);
    kill();
  });
}

async function run(
  args: readonly string[],
  signal: AbortSignal,
  meanwhile: (kill: () => void, ended: AbortSignal) => Promise<void>,
): Promise<{ readonly code: number | null; readonly log: string }> {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new AbortController();
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (log = `${log}${text}`.slice(-20_000)));
  const closed = once(child, 'close').finally(() => ended.abort());
  await meanwhile(() => child.kill('SIGKILL'), ended.signal).catch((error: unknown) => {
    if (!ended.signal.aborted) throw error;
  });
  await closed;
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  return { code: child.exitCode, log };
}

async function countOver(path: string): Promise<number> {
  const names = await readdir(join(path, 'attempts'), { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith(studyFiles.attempt)).length;
}

async function readResults(path: string): Promise<AttemptResult[]> {
  const text = await readFile(join(path, studyFiles.attempts), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => attemptResult.parse(JSON.parse(line)));
}

/** Faults: missing or duplicate attempts, wrong rewards, left-over temporary files or sandboxes. */
async function problemsOf(
  path: string,
  results: readonly AttemptResult[],
  tasks: readonly Task[],
): Promise<string[]> {
  const names = results.map(({ task, agent, number }) => `${task} ${agent} ${number}`);
  const wrong = results.filter(
    ({ task, agent, reward, rewardTrustworthy }) =>
      rewardTrustworthy !== true || reward !== (agent === 'oracle' || task === solved ? 1 : 0),
  );
  const files = await readdir(path, { recursive: true });
  await using node = await createLocalNode();
  const left = await node.list();
  return [
    ...(new Set(names).size === names.length ? [] : ['an attempt is counted twice']),
    ...(names.length === tasks.length * 2 * attempts ? [] : [`${names.length} attempts`]),
    ...wrong.map(
      ({ task, agent, number, reward, why }) => `${task} ${agent} ${number}: ${reward} ${why ?? ''}`,
    ),
    ...files.filter((name) => name.endsWith('.tmp')).map((name) => `${name} is left`),
    ...left.map(({ id }) => `sandbox ${id} is left`),
  ];
}

function phases(results: readonly AttemptResult[]): string {
  const rows = (['oracle', 'scripted'] as const).flatMap((kind) => {
    const own = results.filter(({ model }) => (model !== null) === (kind === 'scripted'));
    const of = (what: string, ms: (one: AttemptResult) => number) => ({
      what: `${kind}: ${what}`,
      first: summarise(own.map(ms)),
    });
    return [
      of('start', ({ times }) => times.startMs ?? 0),
      of('steps', ({ times }) => times.stepsMs),
      of('grading', ({ times }) => times.gradeMs ?? 0),
      of(
        'the rest',
        ({ times: { totalMs, startMs, stepsMs, gradeMs } }) =>
          totalMs - (startMs ?? 0) - stepsMs - (gradeMs ?? 0),
      ),
      of('all', ({ times }) => times.totalMs),
    ];
  });
  return renderComparison(['an attempt', '-', '-'], rows, () => Number.NaN);
}

/** The oracle's episodes again, as many at a time, without a study, to see what the study adds to each. */
async function besideBare(
  folder: string,
  tasks: readonly Task[],
  results: readonly AttemptResult[],
  signal: AbortSignal,
): Promise<string> {
  await using node = await createLocalNode({ signal });
  const start = performance.now();
  const whole = await withVariants(tasks, { node, signal });
  const bare = await forEachParallel(whole, width, signal, async (task) => {
    const path = join(folder, 'bare', task.id);
    await runEpisode({
      node,
      task,
      agent: await chooseAgent({ agent: 'oracle' }, task),
      folder: path,
      maxSteps: 20,
      writeReport,
      signal,
    });
    return (await readResult(path))?.durations.totalMs ?? Number.NaN;
  });
  const bareMs = (performance.now() - start) / tasks.length;
  const warm = results.filter(({ agent, number }) => agent === 'oracle' && number === attempts);
  const row = {
    what: 'an episode of the oracle',
    first: summarise(warm.map(({ times }) => times.totalMs)),
    second: summarise(bare),
  };
  const text = renderComparison(['in a study', 'alone', 'study / alone'], [row], (a, b) => a / b);
  return `${text}\nwithout a study: ${(60_000 / bareMs).toFixed(1)} episodes of the oracle a minute`;
}
