import { ant, gradle, mavenRuns } from './java.ts';
import { karma } from './karma.ts';
import { lineLogs, phpUnit } from './lines.ts';
import { pytestSummary } from './pytest.ts';
import { djangoRunner, sympyRunner } from './python.ts';
import type { ReadLog } from './status.ts';

/** How the log of a record's tests is read. */
export interface LogParser {
  readonly read: ReadLog;
  /** The test runner, where it is one that runs here, too. */
  readonly runner?: 'pytest';
  /** The log has only tests that failed: any other has passed. */
  readonly failuresOnly?: true;
}

const matplotlib = pytestSummary({ replaced: { 'MouseButton.LEFT': '1', 'MouseButton.RIGHT': '3' } });

/** All that are known here, by a name of our own. */
export const parsers = {
  pytest: { read: pytestSummary(), runner: 'pytest' },
  pytestOptions: { read: pytestSummary({ shortOptions: true }), runner: 'pytest' },
  pytestWhole: { read: pytestSummary({ whole: true }), runner: 'pytest' },
  /** Sphinx runs pytest by tox, in an environment of tox's own. */
  sphinx: { read: pytestSummary({ whole: true }) },
  matplotlib: { read: matplotlib, runner: 'pytest' },
  seaborn: { read: lineLogs.seaborn, runner: 'pytest' },
  django: { read: djangoRunner },
  sympy: { read: sympyRunner },
  maven: { read: mavenRuns },
  ant: { read: ant },
  gradle: { read: gradle },
  go: { read: lineLogs.goTest },
  cargo: { read: lineLogs.cargo },
  phpUnit: { read: phpUnit },
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
  karma: { read: karma },
  jestFiles: { read: lineLogs.jestFiles },
  karmaFailures: { read: lineLogs.karmaFailures, failuresOnly: true },
  markedFailures: { read: lineLogs.numberedFailures, failuresOnly: true },
  eslintFailures: { read: lineLogs.eslintFailures, failuresOnly: true },
} as const satisfies Readonly<Record<string, LogParser>>;
