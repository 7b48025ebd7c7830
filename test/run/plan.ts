/** `unit`: without processes. `usual`: what `npm test` runs. `all`: everything there is. */
export const scopes = ['unit', 'usual', 'all'] as const;
export type Scope = (typeof scopes)[number];

/** Files that run in one mocha. */
export interface Pass {
  readonly title: string;
  /** Number of files at a time; with 1, in one process. */
  readonly jobs: number;
  /** They need the sandbox image and Debian's packages. */
  readonly needsSetUp: boolean;
  readonly files: readonly string[];
}

/** They wait more than they compute. */
const unitJobs = 4;
/** One for each core: with more, IDEs starve and waits end at their cap. */
const processJobs = 2;

/**
 * Which test files run, and how: first those without processes, which need no set-up. The end of a file's name says it:
 * `*.slow.test.ts` is run by `npm run test:all` alone, `*.alone.test.ts` and `*.alone.slow.test.ts` beside no other.
 * @param paths of all test files
 */
export function planOf(scope: Scope, paths: readonly string[]): Pass[] {
  const wanted = paths.filter((path) => isWanted(scope, path)).toSorted();
  const processes = wanted.filter((path) => !isUnit(path));
  const passes: Pass[] = [
    { title: 'without processes', jobs: unitJobs, needsSetUp: false, files: wanted.filter(isUnit) },
    {
      title: 'side by side',
      jobs: processJobs,
      needsSetUp: true,
      files: processes.filter((path) => !isAlone(path)),
    },
    { title: 'one after the other', jobs: 1, needsSetUp: true, files: processes.filter(isAlone) },
  ];
  return passes.filter(({ files }) => files.length > 0);
}

function isWanted(scope: Scope, path: string): boolean {
  if (scope === 'unit') return isUnit(path);
  return scope === 'all' || !path.endsWith('.slow.test.ts');
}

function isUnit(path: string): boolean {
  return path.startsWith('test/unit/');
}

function isAlone(path: string): boolean {
  return /\.alone(\.slow)?\.test\.ts$/.test(path);
}
