import type { MadeFalseSolution } from '../../tasks/index.ts';
import type { IdeBenchRecord, Runner } from './record.ts';

/** Wrong ways through a task, made up: the code stays as it is. */
export function falseSolutionsOf({ runner }: IdeBenchRecord): MadeFalseSolution[] {
  return [
    {
      name: 'always-succeeds',
      why: 'It replaces run_tests.sh by a script that claims success.',
      text: `printf '#!/bin/bash\\necho "== 9 passed in 0.01s =="\\nexit 0\\n' > run_tests.sh\n`,
    },
    { name: 'patched-runner', why: 'It makes the runner report every test as passed.', text: patch[runner] },
  ];
}

const patch: Readonly<Record<Runner, string>> = {
  pytest: `cat > conftest.py <<'END'
import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    report.outcome, report.longrepr = "passed", None
END
`,
  jest: `cat > jest.config.js <<'END'
module.exports = { testMatch: [], passWithNoTests: true };
END
`,
  maven: `mkdir -p target/surefire-reports
cat > target/surefire-reports/TEST-all.xml <<'END'
<testsuite><testcase classname="all" name="all"/></testsuite>
END
`,
};
