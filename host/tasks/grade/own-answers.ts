import * as z from 'zod';
import {
  type Cancellable,
  describeError,
  imagePrograms,
  neverAborted,
  PwpError,
} from '../../../bridge/lib/index.ts';
import { clipEnd } from '../../../bridge/text/index.ts';
import { defaultDisplay, type Node, type Sandbox, type Seed, type StreamedSeed } from '../../node/index.ts';
import {
  type ArchiveEntry,
  isOfImage,
  makeTextEntry,
  packArchive,
  streamArchive,
  type StreamedTaskSeed,
} from '../format/index.ts';
import { packChecks } from './grading-seeds.ts';
import { gradeImageAnswers } from './image-answers.ts';
import type { OwnAnswers, OwnGrade } from './own-grade.ts';
import { readVerdict, unavailableExitCode } from './verdict.ts';
import { withVariant } from './with-variant.ts';

interface GradeOwnAnswersOptions extends Cancellable {
  readonly node: Node;
  readonly tasks: readonly OwnAnswers[];
}

const answerResult = z.union([
  z.object({ problem: z.string(), seconds: z.number() }),
  z.object({
    exitCode: z.int(),
    timedOut: z.boolean(),
    log: z.string(),
    files: z.record(z.string(), z.string()),
    seconds: z.number(),
    running: z.array(z.string()),
  }),
]);
type AnswerResult = z.output<typeof answerResult>;

const ownFolder = '/own';
const ownProgram = 'own_answers.py';
const maxResultBytes = 32 * 1024 * 1024;
const ownLimits = { cpus: 2, memoryMb: 2048, pids: 1024, diskMb: 10_240 };

/**
 * Grades answers that a task's owners wrote, in one sandbox for all: without an IDE, and without the walls that an
 * agent is graded behind. An agent's files are never graded this way. Errors: `grading-failed` if the sandbox fails as
 * a whole.
 * @returns for each task, a grade for each answer
 */
export async function gradeOwnAnswers({
  node,
  tasks: given,
  signal = neverAborted,
}: GradeOwnAnswersOptions): Promise<OwnGrade[][]> {
  const tasks: OwnAnswers[] = [];
  for (const one of given) tasks.push({ ...one, task: await withVariant(one.task, { node, signal }) });
  const inImages = tasks.filter(({ task }) => isOfImage(task));
  const grades = new Map<OwnAnswers, OwnGrade[]>();
  for (const one of inImages) grades.set(one, await gradeImageAnswers(one, { node, signal }));
  const others = tasks.filter((one) => !grades.has(one));
  const own = await gradeInOneSandbox(others, node, signal);
  others.forEach((one, index) => grades.set(one, own[index] ?? []));
  return tasks.map((one) => grades.get(one) ?? []);
}

async function gradeInOneSandbox(
  tasks: readonly OwnAnswers[],
  node: Node,
  signal: AbortSignal,
): Promise<OwnGrade[][]> {
  const [first] = tasks;
  if (!first) return [];
  const seeds = [await packChecks(first.task, [ownProgram]), ...(await packTasks(tasks))];
  await using sandbox = await node.start(
    { name: 'own-answers', role: 'bare', seeds, keep: false, display: defaultDisplay, limits: ownLimits },
    { signal },
  );
  await runAllAnswers(sandbox, tasks, signal);
  return await Promise.all(tasks.map((one, index) => readGrades(sandbox, one, index)));
}

async function packTasks(tasks: readonly OwnAnswers[]): Promise<(Seed | StreamedSeed)[]> {
  const laid = await Promise.all(tasks.map(layOutTask));
  const list = makeTextEntry('tasks.json', JSON.stringify(laid.map(({ described }) => described)));
  const whole = { path: ownFolder, tar: packArchive([list, ...laid.flatMap(({ entries }) => entries)]) };
  // Several tasks have the same ones.
  const streamed = new Map(laid.flatMap((one) => one.streamed.map((seed) => [seed.digest, seed])));
  const files = [...streamed.values()].map((seed) => ({
    path: nameArchive(seed),
    bytes: seed.bytes,
    content: () => seed.tar,
  }));
  return files.length > 0 ? [whole, { path: ownFolder, tar: streamArchive(files).tar }] : [whole];
}

function nameArchive({ digest }: StreamedTaskSeed): string {
  return `${digest}.tar`;
}

async function layOutTask({ task, answers }: OwnAnswers, index: number) {
  // No IDE runs that would read its profile.
  const initial = (await task.seeds()).filter(({ path }) => path !== '/ide');
  const tests = await task.testSeeds();
  const all = [...initial, ...tests];
  const streamed = all.filter((seed) => 'digest' in seed);
  const places = all.map((seed, at) => ({
    path: seed.path,
    file: 'digest' in seed ? nameArchive(seed) : `${index}/${at}.tar`,
  }));
  const entries = all.flatMap(({ tar }, at): ArchiveEntry[] =>
    tar instanceof Uint8Array
      ? [{ kind: 'file', path: `${index}/${at}.tar`, content: tar, executable: false }]
      : [],
  );
  const seconds = task.config.verifier.timeout_sec;
  const { setup = null, graded_folders: folders } = task.config.pwp;
  const described = {
    ...{ seconds, answers, setup, folders },
    ...{ seeds: places.slice(0, initial.length), tests: places.slice(initial.length) },
  };
  return { entries, streamed, described };
}

async function runAllAnswers(
  sandbox: Sandbox,
  tasks: readonly OwnAnswers[],
  signal: AbortSignal,
): Promise<void> {
  const seconds = tasks.reduce(
    (sum, { task, answers }) => sum + answers.length * (task.config.verifier.timeout_sec + 600),
    60,
  );
  const ran = await sandbox.exec(
    {
      argv: [imagePrograms.python, '-I', '-S', `/opt/pwp/grade/${ownProgram}`],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
      timeoutMs: Math.min(seconds * 1000, 86_400_000),
      maxOutputBytes: 100_000,
    },
    { signal },
  );
  if (ran.exitCode !== 0)
    throw new PwpError('grading-failed', `own answers could not be graded: ${clipEnd(ran.stderr, 2000)}`);
}

async function readGrades(
  sandbox: Sandbox,
  { task, answers }: OwnAnswers,
  index: number,
): Promise<OwnGrade[]> {
  const bytes = await sandbox.readFile(`${ownFolder}/${index}/results.json`, maxResultBytes);
  const results = z.array(answerResult).parse(JSON.parse(Buffer.from(bytes ?? []).toString('utf8')));
  if (results.length !== answers.length)
    throw new PwpError('grading-failed', `task ${task.id}: not all of its answers were graded`);
  return Promise.all(results.map((one, at) => toOwnGrade(answers[at]?.name ?? '', one)));
}

async function toOwnGrade(name: string, found: AnswerResult): Promise<OwnGrade> {
  const ms = found.seconds * 1000;
  const running = 'running' in found ? found.running : [];
  try {
    const { reward, checks } = await readOwnVerdict(found);
    return { name, reward, checks, problem: null, running, ms };
  } catch (error) {
    return { name, reward: null, checks: [], problem: describeError(error), running, ms };
  }
}

/** By the rules that an agent is graded by. */
async function readOwnVerdict(found: AnswerResult) {
  if ('problem' in found) throw new PwpError('grading-failed', found.problem);
  const { exitCode, timedOut, log, files } = found;
  if (timedOut) throw new PwpError('grading-failed', `the tests took too long\n${log}`);
  if (exitCode === unavailableExitCode) throw new PwpError('grading-failed', log.trim());
  const readFile = (path: string) => {
    const text = files[path.slice(path.lastIndexOf('/') + 1)];
    return Promise.resolve(text === undefined ? null : Buffer.from(text));
  };
  const verdict = await readVerdict({ readFile }, log);
  if (verdict.reward > 0 && exitCode !== 0)
    throw new PwpError(
      'grading-failed',
      `the tests report ${verdict.reward} and end with ${exitCode}\n${log}`,
    );
  return verdict;
}
