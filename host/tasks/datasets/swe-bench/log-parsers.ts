import { lineLogs, type LogReader, phpUnitLog } from './log-lines.ts';
import {
  readAntLog,
  readDjangoLog,
  readGradleLog,
  readKarmaLog,
  readMavenLog,
  readPytestSummary,
  readSympyLog,
} from './log-runners.ts';

/** How the log of a record's tests is read. */
export interface LogParser {
  readonly read: LogReader;
  /** The test runner, where it is one that runs here, too. */
  readonly runner?: 'pytest';
  /** The log has only tests that failed: any other has passed. */
  readonly failuresOnly?: true;
}

const matplotlibSummary = readPytestSummary({
  replaced: { 'MouseButton.LEFT': '1', 'MouseButton.RIGHT': '3' },
});

/** All that are known here, by a name of our own. */
const logParsers = {
  pytest: { read: readPytestSummary(), runner: 'pytest' },
  pytestOptions: { read: readPytestSummary({ shortOptions: true }), runner: 'pytest' },
  pytestWhole: { read: readPytestSummary({ whole: true }), runner: 'pytest' },
  /** Sphinx runs pytest by tox, in an environment of tox's own. */
  sphinx: { read: readPytestSummary({ whole: true }) },
  matplotlib: { read: matplotlibSummary, runner: 'pytest' },
  seaborn: { read: lineLogs.seaborn, runner: 'pytest' },
  django: { read: readDjangoLog },
  sympy: { read: readSympyLog },
  maven: { read: readMavenLog },
  ant: { read: readAntLog },
  gradle: { read: readGradleLog },
  go: { read: lineLogs.goTest },
  cargo: { read: lineLogs.cargo },
  phpUnit: { read: phpUnitLog },
  redis: { read: lineLogs.redis },
  jq: { read: lineLogs.jq },
  microPython: { read: lineLogs.microPython },
  googleTest: { read: lineLogs.googleTest },
  rubyUnit: { read: lineLogs.rubyUnit },
  rspec: { read: lineLogs.rspec },
  minitest: { read: lineLogs.minitest },
  cucumber: { read: lineLogs.cucumber },
  jest: { read: lineLogs.jest },
  vitest: { read: lineLogs.vitest },
  jestJson: { read: lineLogs.jestJson },
  tap: { read: lineLogs.tap },
  karma: { read: readKarmaLog },
  jestFiles: { read: lineLogs.jestFiles },
  karmaFailures: { read: lineLogs.karmaFailures, failuresOnly: true },
  markedFailures: { read: lineLogs.numberedFailures, failuresOnly: true },
  eslintFailures: { read: lineLogs.eslintFailures, failuresOnly: true },
} as const satisfies Readonly<Record<string, LogParser>>;

/** A parser, or several of one repository, by the number of the pull request at the end of a record's id. */
type ParserChoice = LogParser | Readonly<Record<string, LogParser>>;

const jekyllChoice: ParserChoice = {
  ...forNames(logParsers.minitest, '9141 8047 8167'),
  ...forNames(logParsers.cucumber, '8761 8771'),
};
const immutableChoice: ParserChoice = {
  ...forNames(logParsers.jest, '2006'),
  ...forNames(logParsers.jestJson, '2005'),
};

/** By the name that newer records have for it, without `parse_log_`. */
const parsersByName: Readonly<Record<string, ParserChoice>> = {
  ...forNames(logParsers.pytest, 'pytest astroid flask marshmallow pvlib pyvista sqlfluff xarray'),
  ...forNames(logParsers.pytestOptions, 'pytest_options pydicom requests pylint'),
  ...forNames(logParsers.pytestWhole, 'pytest_v2 astropy scikit'),
  ...{ sphinx: logParsers.sphinx, matplotlib: logParsers.matplotlib, seaborn: logParsers.seaborn },
  ...{ django: logParsers.django, sympy: logParsers.sympy, maven: logParsers.maven, ant: logParsers.ant },
  ...{
    gradle_custom: logParsers.gradle,
    gotest: logParsers.go,
    cargo: logParsers.cargo,
    phpunit: logParsers.phpUnit,
  },
  ...{ redis: logParsers.redis, jq: logParsers.jq, micropython_test: logParsers.microPython },
  ...{ googletest: logParsers.googleTest, ruby_unit: logParsers.rubyUnit, minitest: logParsers.minitest },
  ...{ rspec_transformed_json: logParsers.rspec, cucumber: logParsers.cucumber, jekyll: jekyllChoice },
  ...{
    jest: logParsers.jest,
    jest_json: logParsers.jestJson,
    immutable_js: immutableChoice,
    vitest: logParsers.vitest,
  },
  ...{ tap: logParsers.tap, karma: logParsers.karma, chart_js: logParsers.karmaFailures },
  ...{ marked: logParsers.markedFailures, eslint: logParsers.eslintFailures },
  ...forNames(logParsers.jestFiles, 'react_pdf carbon grommet'),
};

/** Repositories of records without such a name, in lower case, by the parser that the owners' harness has for them. */
const parsersByRepository: Readonly<Record<string, ParserChoice>> = {
  ...forNames(
    logParsers.pytest,
    'marshmallow-code/marshmallow pallets/flask pvlib/pvlib-python pydata/xarray',
  ),
  ...forNames(logParsers.pytest, 'pylint-dev/astroid pytest-dev/pytest pyvista/pyvista sqlfluff/sqlfluff'),
  ...forNames(logParsers.pytestOptions, 'psf/requests pydicom/pydicom pylint-dev/pylint'),
  ...forNames(logParsers.pytestWhole, 'astropy/astropy scikit-learn/scikit-learn'),
  ...forNames(logParsers.sphinx, 'sphinx-doc/sphinx'),
  ...forNames(logParsers.matplotlib, 'matplotlib/matplotlib'),
  ...forNames(logParsers.seaborn, 'mwaskom/seaborn'),
  ...forNames(logParsers.django, 'django/django'),
  ...forNames(logParsers.sympy, 'sympy/sympy'),
  ...forNames(logParsers.maven, 'google/gson apache/druid javaparser/javaparser apache/dubbo'),
  ...forNames(logParsers.maven, 'fasterxml/jackson-core fasterxml/jackson-databind'),
  ...forNames(logParsers.maven, 'fasterxml/jackson-dataformat-xml googlecontainertools/jib'),
  ...forNames(logParsers.ant, 'projectlombok/lombok'),
  ...forNames(logParsers.gradle, 'apache/lucene reactivex/rxjava mockito/mockito elastic/logstash'),
  ...forNames(logParsers.go, 'caddyserver/caddy hashicorp/terraform prometheus/prometheus gohugoio/hugo'),
  ...forNames(logParsers.go, 'gin-gonic/gin'),
  ...forNames(logParsers.cargo, 'burntsushi/ripgrep sharkdp/bat astral-sh/ruff tokio-rs/tokio'),
  ...forNames(logParsers.cargo, 'uutils/coreutils nushell/nushell tokio-rs/axum'),
  ...forNames(logParsers.phpUnit, 'phpoffice/phpspreadsheet laravel/framework php-cs-fixer/php-cs-fixer'),
  ...forNames(logParsers.phpUnit, 'briannesbitt/carbon'),
  ...forNames(logParsers.redis, 'redis/redis valkey-io/valkey'),
  ...forNames(logParsers.jq, 'jqlang/jq'),
  ...forNames(logParsers.microPython, 'micropython/micropython'),
  ...forNames(logParsers.googleTest, 'fmtlib/fmt'),
  ...forNames(logParsers.rubyUnit, 'fluent/fluentd faker-ruby/faker'),
  ...forNames(logParsers.rspec, 'fastlane/fastlane jordansissel/fpm rubocop/rubocop'),
  ...{ 'jekyll/jekyll': jekyllChoice, 'immutable-js/immutable-js': immutableChoice },
  ...forNames(logParsers.jest, 'babel/babel facebook/docusaurus'),
  ...forNames(logParsers.vitest, 'vuejs/core'),
  ...forNames(logParsers.tap, 'mrdoob/three.js axios/axios'),
  ...forNames(logParsers.karma, 'preactjs/preact'),
  ...forNames(logParsers.jestFiles, 'diegomura/react-pdf carbon-design-system/carbon prettier/prettier'),
  ...forNames(logParsers.jestFiles, 'scratchfoundation/scratch-gui emotion-js/emotion grommet/grommet'),
  ...forNames(logParsers.karmaFailures, 'chartjs/chart.js'),
  ...forNames(logParsers.markedFailures, 'markedjs/marked'),
  ...forNames(logParsers.eslintFailures, 'eslint/eslint'),
};

/** The fields of a record that decide how its log is read. */
interface LogParserFields {
  readonly repo: string;
  readonly instance_id: string;
  readonly FAIL_TO_PASS: readonly string[];
  readonly log_parser?: string | null | undefined;
  readonly eval_type?: string | null | undefined;
}

/**
 * The parser of a record's log: the one that the record names, else its repository's, or pytest's where its tests are named
 * as pytest names them; undefined where none is known here.
 */
export function chooseLogParser(record: LogParserFields): LogParser | undefined {
  const { log_parser: name, eval_type: type } = record;
  const found = pickParser(
    name ? parsersByName[name.replace(/^parse_log_/, '')] : findRepositoryParser(record),
    record,
  );
  if (!found || !type) return found;
  const { read, runner } = found;
  return { read, ...(runner && { runner }), ...(type === 'fail_only' && { failuresOnly: true }) };
}

function pickParser(
  choice: ParserChoice | undefined,
  { instance_id: id }: LogParserFields,
): LogParser | undefined {
  if (choice === undefined || isParser(choice)) return choice;
  return choice[/(\d+)$/.exec(id)?.[1] ?? ''];
}

function isParser(choice: ParserChoice): choice is LogParser {
  return typeof choice.read === 'function';
}

function findRepositoryParser({ repo, FAIL_TO_PASS: names }: LogParserFields): ParserChoice | undefined {
  const isPytest = names.length > 0 && names.every((name) => /\.py::\w/.test(name));
  return parsersByRepository[repo.toLowerCase()] ?? (isPytest ? logParsers.pytest : undefined);
}

function forNames(parser: LogParser, names: string): Record<string, LogParser> {
  return Object.fromEntries(names.split(' ').map((name) => [name, parser]));
}
