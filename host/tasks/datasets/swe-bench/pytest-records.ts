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
