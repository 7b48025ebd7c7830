import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { neverAborted, PwpError } from '../../../bridge/lib/index.ts';
import { forEachParallel, packagedTasksFolder, pathExists } from '../../lib/index.ts';
import { findTasks, type Task } from '../format/index.ts';
import {
  allBenchmarks,
  type Benchmark,
  type BenchmarkFamily,
  type LiteRecords,
  readLiteRecords,
} from './benchmarks.ts';
import type { Dataset, DatasetAbout, OpenDataset } from './records/index.ts';
import { datasets } from './registry.ts';

/** Errors of a single record. */
const recordErrorCodes: ReadonlySet<string> = new Set([
  'bad-data',
  'bad-task',
  'no-data',
  'unsupported',
  'no-secrets',
]);
/** Records that are read at a time. */
const loadsAtOnce = 8;

interface TaskChoice extends RecordSelection {
  /** Each is a dataset, a benchmark, a task's folder or a folder that contains such. */
  readonly names: readonly string[];
  /** Where the files of datasets are: a file, a folder of one, or a folder that has one of each dataset's name. */
  readonly data?: string | undefined;
  /** Variant of the tasks that have several. */
  readonly seed?: number | undefined;
}

export interface ChosenTasks {
  /** Tasks with unique ids, in the order of the names. */
  readonly tasks: readonly Task[];
  /** Records in the data that can't be played because a file is missing; never one that was chosen by its id. */
  readonly lacking: readonly LackingRecord[];
  /** Notes on the data of a dataset, one line each. */
  readonly notes: readonly string[];
  /** The benchmarks among the names. */
  readonly benches: readonly ChosenBenchmark[];
}

/** A record that was left out. */
interface LackingRecord {
  /** Name of the dataset. */
  readonly dataset: string;
  readonly id: string;
  /** The missing part. */
  readonly why: string;
}

export interface ChosenBenchmark extends Benchmark {
  /** Names of its families for which there is no data. */
  readonly missing: readonly string[];
}

type FoundTasks = Pick<ChosenTasks, 'tasks' | 'lacking' | 'notes'>;

/**
 * The tasks that names mean. Errors: those of {@link findTasks} and {@link Dataset.open}; `usage` if a dataset is named and no
 * data; `no-data` if none of a dataset's records can be played.
 */
export async function chooseTasks(choice: TaskChoice): Promise<ChosenTasks> {
  const folders: string[] = [];
  const tasks: Task[] = [];
  const lacking: LackingRecord[] = [];
  const notes: string[] = [];
  const chosen: ChosenBenchmark[] = [];
  const add = (found: FoundTasks) => {
    tasks.push(...found.tasks);
    lacking.push(...found.lacking);
    notes.push(...found.notes);
  };
  for (const name of choice.names) {
    const bench = allBenchmarks.find((one) => one.name === name);
    const dataset = datasets.find(({ about }) => about.name === name);
    if (dataset) add(await loadSomeTasks(dataset, choice));
    else if (bench) chosen.push(await addBenchmark(bench, choice, add));
    else folders.push(name);
  }
  if (folders.length > 0) tasks.push(...(await findTasks(folders, { seed: choice.seed })));
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return { tasks: [...byId.values()], lacking, notes, benches: chosen };
}

/** Whether a name means a dataset or a benchmark of several, and not a folder. */
export function isDataset(name: string): boolean {
  return [...allBenchmarks, ...datasets.map(({ about }) => about)].some((one) => one.name === name);
}

/** The chosen records of a dataset as tasks. */
async function loadChosenTasks(dataset: Dataset, choice: TaskChoice & BenchmarkPart): Promise<FoundTasks> {
  const { about } = dataset;
  if (choice.data === undefined)
    throw new PwpError('usage', `${about.title} needs its data`, {
      help: `Give --data <path>; pwp datasets fetch-help ${about.name} says where its owner publishes it.`,
    });
  const open = await openDataset(dataset, choice.data);
  const { part } = choice;
  const reasons = choice.ids ? new Map<string, string>() : (open.lacking ?? new Map<string, string>());
  const whole = open.ids.filter((id) => !reasons.has(id));
  const own = part?.lite?.of(about.name, open.ids);
  const ids = own
    ? whole.filter((id) => own.ids.includes(id))
    : sampleRecords(about, whole, choice, open.groups);
  const loaded = await forEachParallel(ids, loadsAtOnce, neverAborted, (id) =>
    loadOrExplain(open, id, choice.ids === undefined),
  );
  const unusable = loaded.filter((one): one is UnusableRecord => 'why' in one);
  const lacking = [...reasons].map(([id, why]) => ({ id, why })).concat(unusable);
  return {
    tasks: loaded.filter((one): one is Task => !('why' in one)),
    lacking: lacking.map((one) => ({ dataset: about.name, ...one })),
    notes: [
      ...(open.notes ?? []),
      ...(own && own.absent > 0 ? [`${own.absent} records of pwp_lite.json are not in this data`] : []),
    ].map((note) => `${about.title}: ${note}`),
  };
}

/** The choice of records as a part of a benchmark. */
interface BenchmarkPart {
  /** `lite`: which records the owners say it has. */
  readonly part?: { readonly lite: LiteRecords | undefined };
}

/** A benchmark's sample has as many records of each of a dataset's groups, e.g. ten and ten of DSBench's parts. */
function sampleRecords(
  about: DatasetAbout,
  whole: readonly string[],
  choice: TaskChoice & BenchmarkPart,
  groups: OpenDataset['groups'] = [whole],
): string[] {
  const { sample, part } = choice;
  if (part === undefined || sample === undefined || groups.length < 2)
    return selectRecords(about, whole, choice);
  return groups.flatMap((group, index) => {
    const share = Math.floor(sample / groups.length) + (index < sample % groups.length ? 1 : 0);
    const own = whole.filter((id) => group.includes(id));
    return selectRecords(about, own, { ...choice, sample: share });
  });
}

interface UnusableRecord {
  readonly id: string;
  readonly why: string;
}

/** One bad record is no reason to refuse the others, but one that was requested by its id is an error. */
async function loadOrExplain(
  open: OpenDataset,
  id: string,
  leaveOut: boolean,
): Promise<Task | UnusableRecord> {
  try {
    return await open.load(id);
  } catch (error) {
    const isOfRecord = error instanceof PwpError && recordErrorCodes.has(error.code);
    if (leaveOut && isOfRecord) return { id, why: error.message };
    throw error;
  }
}

/** Opens a dataset in what `--data` names. Errors: those of {@link Dataset.open}. */
export async function openDataset(dataset: Dataset, data: string): Promise<OpenDataset> {
  return await dataset.open(await findDataPlace(dataset.about.name, data));
}

/** As {@link loadChosenTasks}; an empty result is an error. */
async function loadSomeTasks(dataset: Dataset, choice: TaskChoice): Promise<FoundTasks> {
  const { about } = dataset;
  const found = await loadChosenTasks(dataset, choice);
  const [first, ...others] = found.lacking;
  if (found.tasks.length > 0 || !first) return found;
  const more = others.length > 0 ? `; ${others.length} more` : '';
  throw new PwpError(
    'no-data',
    `${about.title}: none of the records can be played: ${first.id}: ${first.why}${more}`,
    {
      help: `pwp datasets show ${about.name} says what it needs, and pwp datasets fetch-help ${about.name} where its files are.`,
    },
  );
}

/** The folder of this name, if the data of several datasets are side by side. */
async function findDataPlace(name: string, data: string): Promise<string> {
  const own = join(data, name);
  return (await pathExists(own)) ? own : data;
}

const ownersLiteNote =
  "PwP-Bench-Lite: the records are those of the owners' pwp_lite.json; families that it does not have are drawn by the seed";
const drawnLiteNote =
  "PwP-Bench-Lite: the records are drawn by the seed and differ from the paper's; to use the paper's, put the owners' pwp_lite.json into the folder of --data";

async function addBenchmark(
  bench: Benchmark,
  choice: TaskChoice,
  add: (found: FoundTasks) => void,
): Promise<ChosenBenchmark> {
  const missing: string[] = [];
  const sample = choice.sample ?? bench.sample ?? undefined;
  const selection = { sample, sampleSeed: choice.sampleSeed ?? bench.sampleSeed };
  const isOwnersLite =
    bench.sample !== null && choice.sample === undefined && choice.sampleSeed === undefined;
  const lite = isOwnersLite && choice.data !== undefined ? await readLiteRecords(choice.data) : undefined;
  if (isOwnersLite) add({ tasks: [], lacking: [], notes: [lite ? ownersLiteNote : drawnLiteNote] });
  for (const family of bench.families) {
    const found = await loadFamilyTasks(family, { ...choice, ...selection, part: { lite } });
    if (found) add(found);
    if (!found || found.tasks.length === 0) missing.push(family.name);
  }
  return { ...bench, sample: sample ?? null, sampleSeed: selection.sampleSeed, missing };
}

/** Undefined where there is no data. */
async function loadFamilyTasks(
  { name, isOwn }: BenchmarkFamily,
  choice: TaskChoice & BenchmarkPart,
): Promise<FoundTasks | undefined> {
  if (isOwn) {
    const all = await findTasks(
      [join(packagedTasksFolder(), name)],
      choice.seed === undefined ? {} : { seed: choice.seed },
    );
    const ids = new Set(
      selectRecords(
        { name },
        all.map(({ id }) => id),
        choice,
      ),
    );
    return { tasks: all.filter(({ id }) => ids.has(id)), lacking: [], notes: [] };
  }
  const dataset = datasets.find(({ about }) => about.name === name);
  if (!dataset || choice.data === undefined || !(await pathExists(join(choice.data, name)))) return undefined;
  return await loadChosenTasks(dataset, choice);
}

/** Which records of a dataset; all if nothing is said. */
interface RecordSelection {
  /** These alone. */
  readonly ids?: readonly string[] | undefined;
  /** So many of them, or all if there are fewer. */
  readonly sample?: number | undefined;
  /** Another seed draws others. Default 0. */
  readonly sampleSeed?: number | undefined;
}

/**
 * The chosen ids, in their order in the data. A sample of a seed is the same on every machine, regardless of the files'
 * order: the records with the smallest SHA-256 of `<seed> <dataset> <id>`. A larger one contains every smaller one.
 * Errors: `no-such-record`.
 */
export function selectRecords(
  { name }: Pick<DatasetAbout, 'name'>,
  all: readonly string[],
  selection: RecordSelection,
): string[] {
  const { ids, sample, sampleSeed = 0 } = selection;
  const unknown = ids?.find((id) => !all.includes(id));
  if (unknown !== undefined)
    throw new PwpError('no-such-record', `${name} has no record ${unknown}`, {
      help: `pwp datasets list ${name} --data <path> lists all.`,
    });
  const wanted = ids ? all.filter((id) => ids.includes(id)) : [...all];
  if (sample === undefined || sample >= wanted.length) return wanted;
  const rank = (id: string) => createHash('sha256').update(`${sampleSeed} ${name} ${id}`).digest('hex');
  const ranked = wanted.map((id) => ({ id, rank: rank(id) })).sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const drawn = new Set(ranked.slice(0, sample).map(({ id }) => id));
  return wanted.filter((id) => drawn.has(id));
}
