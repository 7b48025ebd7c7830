import assert from 'node:assert/strict';
import { parseJunitReport } from '../../../extension/src/tools/run/junit-report.ts';

const report = (cases: string) =>
  `<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest">${cases}</testsuite></testsuites>`;
const outcomes = (xml: string) =>
  parseJunitReport(xml).map(({ name, status, message }) => [name, status, message]);

describe('a test report', () => {
  it('has each test with its outcome and message', () => {
    const cases =
      '<testcase classname="tests.test_a" name="test_one" time="0.5" />' +
      '<testcase classname="tests.test_a" name="test_two"><failure message="assert 1 == 2">line 1\nline &lt;2&gt;</failure></testcase>' +
      '<testcase name="test_three"><skipped type="pytest.xfail" message="later"/></testcase>' +
      '<testcase name="test_four"><skipped message="not here"/><system-out>words</system-out></testcase>' +
      '<testcase name="test_five" file="/w/five.js"><error><![CDATA[a <b> c]]></error></testcase>';
    assert.deepEqual(outcomes(report(cases)), [
      ['test_one', 'passed', ''],
      ['test_two', 'failed', 'assert 1 == 2\nline 1\nline <2>'],
      ['test_three', 'xfailed', 'later'],
      ['test_four', 'skipped', 'not here'],
      ['test_five', 'error', 'a <b> c'],
    ]);
    const [first, , , , last] = parseJunitReport(report(cases));
    assert.deepEqual([first?.group, first?.seconds, last?.file], ['tests.test_a', 0.5, '/w/five.js']);
  });

  it('may have characters that XML forbids, in names and in messages', () => {
    const cases =
      '<testcase name="a &amp; b"><failure>\u001b[31mred\u001b[39m ]]> &nosuch;</failure></testcase><testcase name="c"/>';
    assert.deepEqual(outcomes(report(cases)), [
      ['a & b', 'failed', '\u001b[31mred\u001b[39m ]]> &nosuch;'],
      ['c', 'passed', ''],
    ]);
  });

  it('is read up to where it was cut off', () => {
    const whole = report('<testcase name="a"/><testcase name="b"/>');
    assert.deepEqual(outcomes(whole.slice(0, whole.indexOf('<testcase name="b"') + 10)), [
      ['a', 'passed', ''],
    ]);
    assert.deepEqual(outcomes(''), []);
    assert.deepEqual(outcomes('no report'), []);
  });

  it('may not declare entities', () => {
    const bomb = Array.from({ length: 30 }, (_, at) => `<!ENTITY e${at + 1} "&e${at};&e${at};">`).join('');
    const xml = `<!DOCTYPE a [<!ENTITY e0 "x">${bomb}]><testsuites><testcase name="&e30;"/></testsuites>`;
    assert.deepEqual(outcomes(xml), [['&e30;', 'passed', '']]);
  });
});
