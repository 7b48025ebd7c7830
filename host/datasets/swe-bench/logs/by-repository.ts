import { ant, gradle, mavenRuns } from './java.ts';
import { lineLogs, phpUnit } from './lines.ts';
import { pytestSummary } from './pytest.ts';
import { djangoRunner, sympyRunner } from './python.ts';
import type { ReadLog } from './status.ts';

/** How the log of a repository's tests is read. */
export interface LogParser {
  readonly read: ReadLog;
  /** What runs the tests, where it is one that runs here, too. */
  readonly runner?: 'pytest';
  /** The log has only tests that failed: any other has passed. */
  readonly failuresOnly?: true;
}

const pytest: LogParser = { read: pytestSummary(), runner: 'pytest' };
const pytestOptions: LogParser = { read: pytestSummary({ shortOptions: true }), runner: 'pytest' };
const pytestWhole: LogParser = { read: pytestSummary({ whole: true }), runner: 'pytest' };
const matplotlib: LogParser = {
  read: pytestSummary({ replaced: { 'MouseButton.LEFT': '1', 'MouseButton.RIGHT': '3' } }),
  runner: 'pytest',
};
const seaborn: LogParser = { read: lineLogs.seaborn, runner: 'pytest' };

/** Repositories by the parser that the owners' harness has for them, in lower case. */
const repositories: readonly (readonly [LogParser, string])[] = [
  [pytest, 'marshmallow-code/marshmallow pallets/flask pvlib/pvlib-python pydata/xarray pylint-dev/astroid'],
  [pytest, 'pytest-dev/pytest pyvista/pyvista sqlfluff/sqlfluff'],
  [pytestOptions, 'psf/requests pydicom/pydicom pylint-dev/pylint'],
  [pytestWhole, 'astropy/astropy scikit-learn/scikit-learn'],
  // Sphinx runs pytest by tox, in an environment of tox's own.
  [{ read: pytestWhole.read }, 'sphinx-doc/sphinx'],
  [matplotlib, 'matplotlib/matplotlib'],
  [seaborn, 'mwaskom/seaborn'],
  [{ read: djangoRunner }, 'django/django'],
  [{ read: sympyRunner }, 'sympy/sympy'],
  [{ read: mavenRuns }, 'google/gson apache/druid javaparser/javaparser'],
  [{ read: mavenRuns }, 'apache/dubbo fasterxml/jackson-core fasterxml/jackson-databind'],
  [{ read: mavenRuns }, 'fasterxml/jackson-dataformat-xml googlecontainertools/jib'],
  [{ read: ant }, 'projectlombok/lombok'],
  [{ read: gradle }, 'apache/lucene reactivex/rxjava mockito/mockito elastic/logstash'],
  [
    { read: lineLogs.goTest },
    'caddyserver/caddy hashicorp/terraform prometheus/prometheus gohugoio/hugo gin-gonic/gin',
  ],
  [{ read: lineLogs.cargo }, 'burntsushi/ripgrep sharkdp/bat astral-sh/ruff tokio-rs/tokio uutils/coreutils'],
  [{ read: lineLogs.cargo }, 'nushell/nushell tokio-rs/axum'],
  [
    { read: phpUnit },
    'phpoffice/phpspreadsheet laravel/framework php-cs-fixer/php-cs-fixer briannesbitt/carbon',
  ],
  [{ read: lineLogs.redis }, 'redis/redis valkey-io/valkey'],
  [{ read: lineLogs.jq }, 'jqlang/jq'],
  [{ read: lineLogs.microPython }, 'micropython/micropython'],
  [{ read: lineLogs.googleTest }, 'fmtlib/fmt'],
  [{ read: lineLogs.rubyUnit }, 'fluent/fluentd faker-ruby/faker'],
  [{ read: lineLogs.rspec }, 'fastlane/fastlane jordansissel/fpm rubocop/rubocop'],
  [{ read: lineLogs.minitest }, 'jekyll/jekyll'],
  [{ read: lineLogs.jest }, 'babel/babel facebook/docusaurus'],
  [{ read: lineLogs.vitest }, 'vuejs/core'],
  [{ read: lineLogs.jestJson }, 'immutable-js/immutable-js'],
  [{ read: lineLogs.tap }, 'mrdoob/three.js axios/axios'],
  [{ read: lineLogs.jestFiles }, 'diegomura/react-pdf carbon-design-system/carbon prettier/prettier'],
  [{ read: lineLogs.jestFiles }, 'scratchfoundation/scratch-gui emotion-js/emotion grommet/grommet'],
  [{ read: lineLogs.karmaFailures, failuresOnly: true }, 'chartjs/chart.js'],
  [{ read: lineLogs.numberedFailures, failuresOnly: true }, 'markedjs/marked'],
  [{ read: lineLogs.eslintFailures, failuresOnly: true }, 'eslint/eslint'],
];

const byRepository = new Map(
  repositories.flatMap(([parser, names]) => names.split(' ').map((name) => [name, parser] as const)),
);

/**
 * The parser of a record's log: its repository's, or pytest's where its tests are named as pytest names them; undefined
 * where none is known here.
 */
export function parserOf({
  repo,
  FAIL_TO_PASS: names,
}: {
  readonly repo: string;
  readonly FAIL_TO_PASS: readonly string[];
}): LogParser | undefined {
  const known = byRepository.get(repo.toLowerCase());
  if (known) return known;
  const isPytest = names.length > 0 && names.every((name) => /\.py::\w/.test(name));
  return isPytest ? pytest : undefined;
}
