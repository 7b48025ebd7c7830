import assert from 'node:assert/strict';
import { runsByPytest } from '../../../host/tasks/datasets/swt-bench/pytest-records.ts';

describe('records of the SWE-bench family', () => {
  const named = ['tests/test_a.py::test_b', 'lib/x/tests/test_c.py::TestD::test_e[1 2]'];
  for (const [what, repo, names, parser, expected] of [
    ['of a repository that uses pytest', 'pallets/Flask', ['test_a'], undefined, true],
    ['of Sphinx, which runs pytest by tox', 'sphinx-doc/sphinx', named, undefined, false],
    ['of Django, with a runner of its own', 'django/django', ['test_a (m.C)'], undefined, false],
    ['of another repository, with names of pytest', 'x/y', named, undefined, true],
    ['of another repository, with other names', 'x/y', [...named, 'TestA > testB'], null, false],
    ['of another repository, without tests', 'x/y', [], null, false],
    ["that names pytest's parser", 'x/y', ['a'], 'parse_log_pytest_v2', true],
    ["that names Matplotlib's parser", 'x/y', ['a'], 'matplotlib', true],
    ['that names the parser of another runner', 'pallets/flask', named, 'parse_log_cargo', false],
    ['that names an unknown parser', 'pallets/flask', named, 'parse_log_unheard_of', false],
  ] as const)
    it(`${expected ? 'run' : 'do not run'} here if they are one ${what}`, () => {
      assert.equal(runsByPytest({ repo, FAIL_TO_PASS: names, log_parser: parser }), expected);
    });
});
