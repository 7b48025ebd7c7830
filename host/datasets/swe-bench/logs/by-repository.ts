import { parsers, type LogParser } from './parsers.ts';

/** A parser, or several of one repository, by the number of the pull request at the end of a record's id. */
type Choice = LogParser | Readonly<Record<string, LogParser>>;

const jekyll: Choice = {
  ...named(parsers.minitest, '9141 8047 8167'),
  ...named(parsers.cucumber, '8761 8771'),
};
const immutable: Choice = { ...named(parsers.jest, '2006'), ...named(parsers.jestJson, '2005') };

/** By the name that newer records have for it, without `parse_log_`. */
const byName: Readonly<Record<string, Choice>> = {
  ...named(parsers.pytest, 'pytest astroid flask marshmallow pvlib pyvista sqlfluff xarray'),
  ...named(parsers.pytestOptions, 'pytest_options pydicom requests pylint'),
  ...named(parsers.pytestWhole, 'pytest_v2 astropy scikit'),
  ...{ sphinx: parsers.sphinx, matplotlib: parsers.matplotlib, seaborn: parsers.seaborn },
  ...{ django: parsers.django, sympy: parsers.sympy, maven: parsers.maven, ant: parsers.ant },
  ...{ gradle_custom: parsers.gradle, gotest: parsers.go, cargo: parsers.cargo, phpunit: parsers.phpUnit },
  ...{ redis: parsers.redis, jq: parsers.jq, micropython_test: parsers.microPython },
  ...{ googletest: parsers.googleTest, ruby_unit: parsers.rubyUnit, minitest: parsers.minitest },
  ...{ rspec_transformed_json: parsers.rspec, cucumber: parsers.cucumber, jekyll },
  ...{ jest: parsers.jest, jest_json: parsers.jestJson, immutable_js: immutable, vitest: parsers.vitest },
  ...{ tap: parsers.tap, karma: parsers.karma, chart_js: parsers.karmaFailures },
  ...{ marked: parsers.markedFailures, eslint: parsers.eslintFailures },
  ...named(parsers.jestFiles, 'react_pdf carbon grommet'),
};

/** Repositories of records without such a name, in lower case, by the parser that the owners' harness has for them. */
const byRepository: Readonly<Record<string, Choice>> = {
  ...named(parsers.pytest, 'marshmallow-code/marshmallow pallets/flask pvlib/pvlib-python pydata/xarray'),
  ...named(parsers.pytest, 'pylint-dev/astroid pytest-dev/pytest pyvista/pyvista sqlfluff/sqlfluff'),
  ...named(parsers.pytestOptions, 'psf/requests pydicom/pydicom pylint-dev/pylint'),
  ...named(parsers.pytestWhole, 'astropy/astropy scikit-learn/scikit-learn'),
  ...named(parsers.sphinx, 'sphinx-doc/sphinx'),
  ...named(parsers.matplotlib, 'matplotlib/matplotlib'),
  ...named(parsers.seaborn, 'mwaskom/seaborn'),
  ...named(parsers.django, 'django/django'),
  ...named(parsers.sympy, 'sympy/sympy'),
  ...named(parsers.maven, 'google/gson apache/druid javaparser/javaparser apache/dubbo'),
  ...named(parsers.maven, 'fasterxml/jackson-core fasterxml/jackson-databind'),
  ...named(parsers.maven, 'fasterxml/jackson-dataformat-xml googlecontainertools/jib'),
  ...named(parsers.ant, 'projectlombok/lombok'),
  ...named(parsers.gradle, 'apache/lucene reactivex/rxjava mockito/mockito elastic/logstash'),
  ...named(parsers.go, 'caddyserver/caddy hashicorp/terraform prometheus/prometheus gohugoio/hugo'),
  ...named(parsers.go, 'gin-gonic/gin'),
  ...named(parsers.cargo, 'burntsushi/ripgrep sharkdp/bat astral-sh/ruff tokio-rs/tokio'),
  ...named(parsers.cargo, 'uutils/coreutils nushell/nushell tokio-rs/axum'),
  ...named(parsers.phpUnit, 'phpoffice/phpspreadsheet laravel/framework php-cs-fixer/php-cs-fixer'),
  ...named(parsers.phpUnit, 'briannesbitt/carbon'),
  ...named(parsers.redis, 'redis/redis valkey-io/valkey'),
  ...named(parsers.jq, 'jqlang/jq'),
  ...named(parsers.microPython, 'micropython/micropython'),
  ...named(parsers.googleTest, 'fmtlib/fmt'),
  ...named(parsers.rubyUnit, 'fluent/fluentd faker-ruby/faker'),
  ...named(parsers.rspec, 'fastlane/fastlane jordansissel/fpm rubocop/rubocop'),
  ...{ 'jekyll/jekyll': jekyll, 'immutable-js/immutable-js': immutable },
  ...named(parsers.jest, 'babel/babel facebook/docusaurus'),
  ...named(parsers.vitest, 'vuejs/core'),
  ...named(parsers.tap, 'mrdoob/three.js axios/axios'),
  ...named(parsers.karma, 'preactjs/preact'),
  ...named(parsers.jestFiles, 'diegomura/react-pdf carbon-design-system/carbon prettier/prettier'),
  ...named(parsers.jestFiles, 'scratchfoundation/scratch-gui emotion-js/emotion grommet/grommet'),
  ...named(parsers.karmaFailures, 'chartjs/chart.js'),
  ...named(parsers.markedFailures, 'markedjs/marked'),
  ...named(parsers.eslintFailures, 'eslint/eslint'),
};

/** The fields of a record that decide how its log is read. */
export interface ReadBy {
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
export function parserOf(record: ReadBy): LogParser | undefined {
  const { log_parser: name, eval_type: type } = record;
  const found = chosen(name ? byName[name.replace(/^parse_log_/, '')] : ofRepository(record), record);
  if (!found || !type) return found;
  const { read, runner } = found;
  return { read, ...(runner && { runner }), ...(type === 'fail_only' && { failuresOnly: true }) };
}

function chosen(choice: Choice | undefined, { instance_id: id }: ReadBy): LogParser | undefined {
  if (choice === undefined || isParser(choice)) return choice;
  return choice[/(\d+)$/.exec(id)?.[1] ?? ''];
}

function isParser(choice: Choice): choice is LogParser {
  return typeof choice.read === 'function';
}

function ofRepository({ repo, FAIL_TO_PASS: names }: ReadBy): Choice | undefined {
  const isPytest = names.length > 0 && names.every((name) => /\.py::\w/.test(name));
  return byRepository[repo.toLowerCase()] ?? (isPytest ? parsers.pytest : undefined);
}

function named(parser: LogParser, names: string): Record<string, LogParser> {
  return Object.fromEntries(names.split(' ').map((name) => [name, parser]));
}
