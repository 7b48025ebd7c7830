/** A benchmark of the families of several datasets. */
export interface Bench {
  /** By which commands name it. */
  readonly name: string;
  readonly title: string;
  /** Instances of each family, drawn by the seed; null for all. */
  readonly sample: number | null;
  readonly sampleSeed: number;
  readonly families: readonly BenchFamily[];
}

export interface BenchFamily {
  /** Name of the dataset, or of the folder of tasks that comes with this program: first part of its tasks' ids. */
  readonly name: string;
  readonly title: string;
  readonly category: string;
  /** Whether its tasks come with this program. */
  readonly isOwn: boolean;
}

/** The fifteen families of PwP-Bench, in the paper's order. */
const families: readonly BenchFamily[] = [
  ...of('Code generation and editing', {
    humaneval: 'HumanEval',
    'swe-bench': 'SWE-bench',
    'swe-bench-java': 'SWE-bench Multilingual',
    'res-q': 'RES-Q',
    canitedit: 'CanItEdit',
    'swt-bench': 'SWT-Bench',
  }),
  ...of('Multimodal code synthesis', {
    design2code: 'Design2Code',
    chartmimic: 'ChartMimic',
    dsbench: 'DSBench',
    'swe-bench-multimodal': 'SWE-bench Multimodal',
  }),
  ...of('Domain-specific programming', {
    'intercode-ctf': 'InterCode-CTF',
    bird: 'BIRD',
    minictx: 'miniCTX',
  }),
  ...of('General software engineering', { vscode: 'IDE configuration', 'general-swe': 'General-SWE' }, true),
];

/** `pwp-bench-lite` draws 20 instances of each family by the seed 0. */
export const benches: readonly Bench[] = [
  { name: 'pwp-bench', title: 'PwP-Bench', sample: null, sampleSeed: 0, families },
  { name: 'pwp-bench-lite', title: 'PwP-Bench-Lite', sample: 20, sampleSeed: 0, families },
];

function of(category: string, named: Readonly<Record<string, string>>, isOwn = false): BenchFamily[] {
  return Object.entries(named).map(([name, title]) => ({ name, title, category, isOwn }));
}
