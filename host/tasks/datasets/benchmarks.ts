import { join } from 'node:path';
import * as z from 'zod';
import { describeError } from '../../../bridge/lib/index.ts';
import { badData, readData } from './records/index.ts';

/** A benchmark of the families of several datasets. */
export interface Benchmark {
  /** By which commands name it. */
  readonly name: string;
  readonly title: string;
  /** Instances of each family, drawn by the seed; null for all. */
  readonly sample: number | null;
  readonly sampleSeed: number;
  readonly families: readonly BenchmarkFamily[];
}

export interface BenchmarkFamily {
  /** Name of the dataset, or of the folder of tasks that comes with this program: first part of its tasks' ids. */
  readonly name: string;
  readonly title: string;
  readonly category: string;
  /** Whether its tasks come with this program. */
  readonly isOwn: boolean;
}

/** The fifteen families of PwP-Bench, in the paper's order. */
const pwpBenchFamilies: readonly BenchmarkFamily[] = [
  ...listFamilies('Code generation and editing', {
    humaneval: 'HumanEval',
    'swe-bench': 'SWE-bench',
    'swe-bench-java': 'SWE-bench Multilingual',
    'res-q': 'RES-Q',
    canitedit: 'CanItEdit',
    'swt-bench': 'SWT-Bench',
  }),
  ...listFamilies('Multimodal code synthesis', {
    design2code: 'Design2Code',
    chartmimic: 'ChartMimic',
    dsbench: 'DSBench',
    'swe-bench-multimodal': 'SWE-bench Multimodal',
  }),
  ...listFamilies('Domain-specific programming', {
    'intercode-ctf': 'InterCode-CTF',
    bird: 'BIRD',
    minictx: 'miniCTX',
  }),
  ...listFamilies(
    'General software engineering',
    { vscode: 'IDE configuration', 'general-swe': 'General-SWE' },
    true,
  ),
];

/** `pwp-bench-lite` draws 20 instances of each family by the seed 0. */
export const allBenchmarks: readonly Benchmark[] = [
  { name: 'pwp-bench', title: 'PwP-Bench', sample: null, sampleSeed: 0, families: pwpBenchFamilies },
  { name: 'pwp-bench-lite', title: 'PwP-Bench-Lite', sample: 20, sampleSeed: 0, families: pwpBenchFamilies },
];

function listFamilies(
  category: string,
  named: Readonly<Record<string, string>>,
  isOwn = false,
): BenchmarkFamily[] {
  return Object.entries(named).map(([name, title]) => ({ name, title, category, isOwn }));
}

/** By which the owners' file names the families, where it is not our name. */
const ownersFamilyNames: Readonly<Record<string, string>> = {
  'swe-bench': 'swebench',
  'swe-bench-java': 'swebench-java',
  'swe-bench-multimodal': 'swebench_mm',
  'swt-bench': 'swtbench',
  'res-q': 'resq',
  'intercode-ctf': 'intercode',
};
/** Fields that have a record's id, in some family or other. */
const idFields = ['instance_id', 'task_id', 'full_name', 'question_id', 'ExampleID', 'id', 'name'];

const liteFileName = 'pwp_lite.json';
const liteFamilies = z.record(z.string(), z.array(z.looseObject({})));

/** Which records PwP-Bench-Lite has, as its owners publish them. */
export interface LiteRecords {
  /**
   * Of these ids of a dataset, those that the owners' file has, and how many it has that are not among them; undefined for
   * a family that the file doesn't have.
   */
  of: (dataset: string, ids: readonly string[]) => { ids: string[]; absent: number } | undefined;
}

/** The owners' `pwp_lite.json` beside the data; undefined if it does not exist. Errors: `bad-data`. */
export async function readLiteRecords(data: string): Promise<LiteRecords | undefined> {
  const file = join(data, liteFileName);
  const text = await readData(file).then(String, () => undefined);
  if (text === undefined) return undefined;
  const raw = parseLite(file, text);
  return {
    of: (dataset, ids) => {
      const records = raw[ownersFamilyNames[dataset] ?? dataset];
      if (!records) return undefined;
      const found = new Set(records.flatMap((record) => findRecordId(record, ids) ?? []));
      return { ids: ids.filter((id) => found.has(id)), absent: records.length - found.size };
    },
  };
}

function findRecordId(record: Readonly<Record<string, unknown>>, ids: readonly string[]): string | undefined {
  const named = idFields.flatMap((field) => {
    const value = record[field];
    return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
  });
  return ids.find((id) => named.includes(id) || named.includes(id.split('/').at(-1) ?? ''));
}

function parseLite(file: string, text: string): z.output<typeof liteFamilies> {
  try {
    return liteFamilies.parse(JSON.parse(text));
  } catch (cause) {
    throw badData(file, `expected lists of records by family: ${describeError(cause)}`, cause);
  }
}
