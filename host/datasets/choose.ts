import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError, neverAborted } from '../../bridge/lib/index.ts';
import { forEachParallel, packagedTasks } from '../lib/index.ts';
import { findTasks, type Task } from '../tasks/index.ts';
import { benches, type Bench, type BenchFamily } from './benches.ts';
import type { Dataset, DatasetAbout, OpenDataset } from './contract.ts';
import { readLite, type Lite } from './lite.ts';
import { datasets } from './registry.ts';
import { selected, type Selection } from './select.ts';

/** Errors of a single record. */
const ofRecord: ReadonlySet<string> = new Set([
  'bad-data',
  'bad-task',
  'no-data',
  'unsupported',
  'no-secrets',
]);
/** Records that are read at a time. */
const loadsAtOnce = 8;

export interface TaskChoice extends Selection {
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
  readonly benches: readonly ChosenBench[];
}

/** A record that was left out. */
export interface LackingRecord {
  /** Name of the dataset. */
  readonly dataset: string;
  readonly id: string;
  /** The missing part. */
  readonly why: string;
}

export interface ChosenBench extends Bench {
  /** Names of its families for which there is no data. */
  readonly missing: readonly string[];
}

type Found = Pick<ChosenTasks, 'tasks' | 'lacking' | 'notes'>;

/**
 * The tasks that names mean. Errors: those of {@link findTasks} and {@link Dataset.open}; `usage` if a dataset is named and no
 * data; `no-data` if none of a dataset's records can be played.
 */
export async function chooseTasks(choice: TaskChoice): Promise<ChosenTasks> {
  const folders: string[] = [];
  const tasks: Task[] = [];
  const lacking: LackingRecord[] = [];
  const notes: string[] = [];
  const chosen: ChosenBench[] = [];
  const add = (found: Found) => {
    tasks.push(...found.tasks);
    lacking.push(...found.lacking);
    notes.push(...found.notes);
  };
  for (const name of choice.names) {
    const bench = benches.find((one) => one.name === name);
    const dataset = datasets.find(({ about }) => about.name === name);
    if (dataset) add(await someOf(dataset, choice));
    else if (bench) chosen.push(await addBench(bench, choice, add));
    else folders.push(name);
  }
  const seed = choice.seed === undefined ? {} : { seed: choice.seed };
  if (folders.length > 0) tasks.push(...(await findTasks(folders, seed)));
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return { tasks: [...byId.values()], lacking, notes, benches: chosen };
}

/** Whether a name means a dataset or a benchmark of several, and not a folder. */
export function isDataset(name: string): boolean {
  return [...benches, ...datasets.map(({ about }) => about)].some((one) => one.name === name);
}

/** The chosen records of a dataset as tasks. */
async function tasksOf(dataset: Dataset, choice: TaskChoice & OfBench): Promise<Found> {
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
  const ids = own ? whole.filter((id) => own.ids.includes(id)) : sampled(about, whole, choice, open.groups);
  const loaded = await forEachParallel(ids, loadsAtOnce, neverAborted, (id) =>
    loadedOr(open, id, choice.ids === undefined),
  );
  const unusable = loaded.filter((one): one is Unusable => 'why' in one);
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
interface OfBench {
  /** `lite`: which records the owners say it has. */
  readonly part?: { readonly lite: Lite | undefined };
}

/** A benchmark's sample has as many records of each of a dataset's groups, e.g. ten and ten of DSBench's parts. */
function sampled(
  about: DatasetAbout,
  whole: readonly string[],
  choice: TaskChoice & OfBench,
  groups: OpenDataset['groups'] = [whole],
): string[] {
  const { sample, part } = choice;
  if (part === undefined || sample === undefined || groups.length < 2) return selected(about, whole, choice);
  return groups.flatMap((group, index) => {
    const share = Math.floor(sample / groups.length) + (index < sample % groups.length ? 1 : 0);
    const own = whole.filter((id) => group.includes(id));
    return selected(about, own, { ...choice, sample: share });
  });
}

interface Unusable {
  readonly id: string;
  readonly why: string;
}

/** One bad record is no reason to refuse the others, but one that was requested by its id is an error. */
async function loadedOr(open: OpenDataset, id: string, leaveOut: boolean): Promise<Task | Unusable> {
  try {
    return await open.load(id);
  } catch (error) {
    const isOfRecord = error instanceof PwpError && ofRecord.has(error.code);
    if (leaveOut && isOfRecord) return { id, why: error.message };
    throw error;
  }
}

/** Opens a dataset in what `--data` names. Errors: those of {@link Dataset.open}. */
export async function openDataset(dataset: Dataset, data: string): Promise<OpenDataset> {
  return await dataset.open(await placeOf(dataset.about.name, data));
}

/** As {@link tasksOf}; an empty result is an error. */
async function someOf(dataset: Dataset, choice: TaskChoice): Promise<Found> {
  const { about } = dataset;
  const found = await tasksOf(dataset, choice);
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
async function placeOf(name: string, data: string): Promise<string> {
  const own = join(data, name);
  return (await isThere(own)) ? own : data;
}

const ownersLite =
  "PwP-Bench-Lite: the records are those of the owners' pwp_lite.json; families that it does not have are drawn by the seed";
const drawnLite =
  "PwP-Bench-Lite: the records are drawn by the seed and differ from the paper's; to use the paper's, put the owners' pwp_lite.json into the folder of --data";

async function addBench(bench: Bench, choice: TaskChoice, add: (found: Found) => void): Promise<ChosenBench> {
  const missing: string[] = [];
  const sample = choice.sample ?? bench.sample ?? undefined;
  const selection = { sample, sampleSeed: choice.sampleSeed ?? bench.sampleSeed };
  const isOwnersLite =
    bench.sample !== null && choice.sample === undefined && choice.sampleSeed === undefined;
  const lite = isOwnersLite && choice.data !== undefined ? await readLite(choice.data) : undefined;
  if (isOwnersLite) add({ tasks: [], lacking: [], notes: [lite ? ownersLite : drawnLite] });
  for (const family of bench.families) {
    const found = await familyTasks(family, { ...choice, ...selection, part: { lite } });
    if (found) add(found);
    if (!found || found.tasks.length === 0) missing.push(family.name);
  }
  return { ...bench, sample: sample ?? null, sampleSeed: selection.sampleSeed, missing };
}

/** Undefined where there is no data. */
async function familyTasks(
  { name, isOwn }: BenchFamily,
  choice: TaskChoice & OfBench,
): Promise<Found | undefined> {
  if (isOwn) {
    const all = await findTasks(
      [join(packagedTasks(), name)],
      choice.seed === undefined ? {} : { seed: choice.seed },
    );
    const ids = new Set(
      selected(
        { name },
        all.map(({ id }) => id),
        choice,
      ),
    );
    return { tasks: all.filter(({ id }) => ids.has(id)), lacking: [], notes: [] };
  }
  const dataset = datasets.find(({ about }) => about.name === name);
  if (!dataset || choice.data === undefined || !(await isThere(join(choice.data, name)))) return undefined;
  return await tasksOf(dataset, choice);
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
