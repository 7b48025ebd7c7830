import { type PatchEffect } from '../repository/index.ts';
import type { SweRecord } from '../swe-bench/index.ts';

/** The fields of a record that say which test runner it has. */
interface RunnerFields {
  readonly repo: string;
  readonly FAIL_TO_PASS: readonly string[];
  readonly log_parser?: string | null | undefined;
}

/** Parsers of pytest's logs in the owners' harness, as newer records name them, without `parse_log_`. */
const pytestParsers = words(
  'pytest astroid flask marshmallow pvlib pyvista sqlfluff xarray pytest_options pydicom requests pylint',
  'pytest_v2 astropy scikit matplotlib seaborn',
);

/** Repositories whose tests pytest runs, for records without such a name; in lower case. */
const pytestRepositories = words(
  'marshmallow-code/marshmallow pallets/flask pvlib/pvlib-python pydata/xarray pylint-dev/astroid',
  'pytest-dev/pytest pyvista/pyvista sqlfluff/sqlfluff psf/requests pydicom/pydicom pylint-dev/pylint',
  'astropy/astropy scikit-learn/scikit-learn matplotlib/matplotlib mwaskom/seaborn',
);

/** Runs pytest by tox, in an environment of tox's own, so the names of its tests say nothing. */
const toxRepository = 'sphinx-doc/sphinx';

/**
 * Whether pytest runs the tests of a record: by the parser that the record names, else by its repository, else by the names
 * of its tests.
 */
export function runsByPytest({ repo, FAIL_TO_PASS: names, log_parser: parser }: RunnerFields): boolean {
  if (parser) return pytestParsers.has(parser.replace(/^parse_log_/, ''));
  const repository = repo.toLowerCase();
  if (repository === toxRepository) return false;
  return (
    pytestRepositories.has(repository) || (names.length > 0 && names.every((name) => /\.py::\w/.test(name)))
  );
}

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

/** Files that the owners' harness doesn't pass to a test runner. */
const dataFilePattern = /\.(?:json|png|csv|txt|md|jpg|jpeg|pkl|yml|yaml|toml|cfg|ini)$/;

/** The files that the owners' harness runs: those that the test patch leaves behind, except data. */
export function listTestFiles({ written }: PatchEffect): string[] {
  return written
    .filter(({ kind, path }) => kind === 'file' && !dataFilePattern.test(path))
    .map(({ path }) => path);
}

/** Why the tests of a record can't run here; undefined where pytest runs them. */
export function explainUnavailableTests(record: SweRecord, testFiles: readonly string[]): string | undefined {
  if (record.FAIL_TO_PASS.length === 0) return 'the record has no FAIL_TO_PASS tests';
  if (record.patch.trim() === '') return "the record does not have its owners' patch";
  if (!runsByPytest(record))
    return `the tests of ${record.repo} need their own runner and image; grade with the owners' harness instead`;
  if (testFiles.length === 0) return 'the test patch has no file that can be run';
  return undefined;
}
