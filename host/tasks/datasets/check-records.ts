import { type Cancellable, neverAborted, PwpError } from '../../../bridge/lib/index.ts';
import { forEachParallel } from '../../lib/index.ts';
import type { Node } from '../../node/index.ts';
import { chooseImage, isOfImage, type Task } from '../format/index.ts';
import {
  enterImage,
  gradeOwnAnswers,
  isImageTask,
  makeTasks,
  type OwnAnswers,
  type OwnGrade,
} from '../grade/index.ts';
import { gradeInOwnImage } from './check-in-image.ts';

interface CheckRecordsOptions extends Cancellable {
  readonly node: Node;
  readonly tasks: readonly Task[];
  /** As in `chooseImage`. */
  readonly image?: string | undefined;
  /** Sandboxes at a time. */
  readonly parallel: number;
  /** Called for each record as it is known. */
  readonly onRecord?: (record: CheckedRecord) => void;
}

/** The result of the proof of one record. */
export interface CheckedRecord {
  readonly task: string;
  /** `null`, `gold`, `wrong`: in the order in which they were graded. */
  readonly grades: readonly OwnGrade[];
  /** One line for each thing that is not as it must be; none for a sound record. */
  readonly problems: readonly string[];
}

/** Records of one sandbox: enough that its start doesn't count, few enough that progress shows. */
const recordsAtOnce = 30;
/** Bytes of their files in memory together; a larger record is alone. */
const bytesAtOnce = 256 * 1024 * 1024;

/**
 * Proves records: nothing done scores 0, each solution 1, each false one 0, and the agent can read nothing of tests and
 * solutions. No IDE is booted. Errors: `grading-failed`; the signal's reason.
 */
export async function checkRecords(options: CheckRecordsOptions): Promise<CheckedRecord[]> {
  const { parallel, node, onRecord, signal = neverAborted } = options;
  const { tasks, unmade } = await makeTasks(options.tasks, { node, image: options.image, signal });
  const imageOf = (task: Task) => (task.inImage ? chooseImage(task, options.image) : undefined);
  const groups = groupTasks(
    tasks.filter((task) => imageOf(task) === undefined),
    parallel,
  );
  const checked = new Map<string, CheckedRecord>();
  const keep = (record: CheckedRecord) => {
    checked.set(record.task, record);
    onRecord?.(record);
  };
  for (const { task, why } of unmade) keep(describeUnplayed(task, why));
  await forEachParallel(tasks, parallel, signal, async (task) => {
    const image = imageOf(task);
    if (image !== undefined) keep(await checkInImage(task, image, { node, signal }));
  });
  const worker = async () => {
    for await (const group of groups) {
      signal.throwIfAborted();
      for (const record of await checkGroup(group, { node, signal })) keep(record);
    }
  };
  // What fails in one ends the others before it is thrown, so that no sandbox outlives the call.
  const ends = await Promise.allSettled(Array.from({ length: parallel }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return options.tasks.flatMap(({ id }) => checked.get(id) ?? []);
}

interface CheckOptions {
  readonly node: Node;
  readonly signal: AbortSignal;
}

function describeUnplayed({ id }: Task, why: string): CheckedRecord {
  return { task: id, grades: [], problems: [`can't be played: ${why}`] };
}

function joinHelp({ message, help }: PwpError): string {
  return help === undefined ? message : `${message}; ${help}`;
}

async function checkInImage(task: Task, root: string, options: CheckOptions): Promise<CheckedRecord> {
  try {
    const inside = await enterImage(task, { ...options, root });
    if (!isImageTask(inside)) return describeUnplayed(task, `the image ${root} does not have its workspace`);
    const { answers } = await listOwnAnswers(inside);
    return await judgeRecord(inside, await gradeInOwnImage(inside, answers, { ...options, root }));
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof PwpError) return describeUnplayed(task, joinHelp(error));
    throw error;
  }
}

async function checkGroup(group: readonly Task[], options: CheckOptions): Promise<CheckedRecord[]> {
  const own = await Promise.all(group.map(listOwnAnswers));
  const grades = await gradeOwnAnswers({ ...options, tasks: own });
  return await Promise.all(group.map((task, index) => judgeRecord(task, grades[index] ?? [])));
}

/** In their order: as many as one sandbox and this process's memory take, and enough groups that none idles. */
async function* groupTasks(tasks: readonly Task[], parallel: number): AsyncGenerator<Task[], void, void> {
  const most = Math.min(recordsAtOnce, Math.ceil(tasks.length / parallel));
  let group: Task[] = [];
  let bytes = 0;
  for (const task of tasks) {
    const own = await bytesInMemory(task);
    // One in an image of its own has sandboxes of its own.
    const isAlone = isOfImage(task);
    if (group.length > 0 && (isAlone || group.length === most || bytes + own > bytesAtOnce)) {
      yield group;
      [group, bytes] = [[], 0];
    }
    group.push(task);
    bytes += own;
  }
  if (group.length > 0) yield group;
}

async function bytesInMemory(task: Task): Promise<number> {
  const seeds = [...(await task.seeds()), ...(await task.testSeeds())];
  return seeds.reduce((sum, { tar }) => sum + (tar instanceof Uint8Array ? tar.byteLength : 0), 0);
}

async function listOwnAnswers(task: Task): Promise<OwnAnswers> {
  const written = [...(await task.solutions()), ...(await task.falseSolutions())];
  const answers = written.map(({ name, text }) => ({ name, script: text }));
  return { task, answers: [{ name: 'null', script: null }, ...answers] };
}

async function judgeRecord(task: Task, grades: readonly OwnGrade[]): Promise<CheckedRecord> {
  const right = new Set((await task.solutions()).map(({ name }) => name));
  const leaks = await task.leaks();
  const problems = [
    ...leaks.map(({ secret, inside, share }) => `${Math.round(share * 100)} % of ${secret} is in ${inside}`),
    ...(right.size === 0 ? ['has no solution'] : []),
    ...(grades.length <= right.size + 1 ? ['has no wrong answer'] : []),
    ...describeWithoutScore(grades),
    ...grades
      .filter(({ reward }) => reward !== null)
      .flatMap((grade) => findGradeProblems(grade, right.has(grade.name) ? 1 : 0)),
  ];
  return { task: task.id, grades, problems };
}

/**
 * For tests whose reward is a mean of metrics: the check that decides whether an answer is right. A right answer need
 * not pass all metrics, nor a wrong one fail all of them.
 */
const decidingCheck = 'success';

function isRight({ reward, checks }: OwnGrade): boolean | undefined {
  const check = checks.find(({ name }) => name === decidingCheck);
  if (check && reward !== null) return check.passed === true;
  return reward === 1 ? true : reward === 0 ? false : undefined;
}

function findGradeProblems(grade: OwnGrade, expected: 0 | 1): string[] {
  const { name, reward, checks, running } = grade;
  if (isRight(grade) === (expected === 1)) return [];
  const why = checks
    .filter(({ passed }) => passed === (expected === 0))
    .map((check) => `${check.name}: ${check.why}`);
  const ended =
    running.length > 0
      ? `; it left processes running, which are not there when tests run: ${running.join(', ')}`
      : '';
  const found = why.join('; ') || 'the tests give no reason';
  return [`${name}: scores ${reward ?? 'nothing'}, expected ${expected}: ${found}${ended}`];
}

/** One line for each reason, with the answers that have no score for it. */
function describeWithoutScore(grades: readonly OwnGrade[]): string[] {
  const names = new Map<string, string[]>();
  for (const { name, reward, problem } of grades) {
    const why = problem ?? 'the tests give no reason';
    if (reward === null) names.set(why, [...(names.get(why) ?? []), name]);
  }
  return [...names].map(([why, own]) => `${own.join(', ')}: no score: ${why}`);
}
