import assert from 'node:assert/strict';
import {
  conditionalBreakpoint,
  readIdeFacts,
  type ReportedBreakpoint,
} from '../../../host/tasks/grade/checks/ide-facts.ts';
import { tempFolder } from '../tasks/folder.ts';

const wanted = {
  path: 'a.py',
  line: 45,
  condition: 'n > 3',
  over: [0, 1, 2, 3, 4, 5, 6].map((n) => ({ n })),
};
const right: ReportedBreakpoint = {
  path: 'a.py',
  line: 45,
  enabled: true,
  condition: 'n > 3',
  hit_condition: null,
  log_message: null,
};
const check = (...breakpoints: Partial<ReportedBreakpoint>[]) =>
  conditionalBreakpoint({ breakpoints: breakpoints.map((one) => ({ ...right, ...one })) }, wanted);

describe('a conditional breakpoint', () => {
  for (const condition of ['n > 3', 'n>3', ' ( n > 3 ) ', '3 < n', 'n >= 4', 'not n <= 3']) {
    it(`stops when ${condition}`, () => assert.deepEqual(check({ condition }).passed, true));
  }

  it('may exist beside those of other files', () =>
    assert.equal(check({ path: 'b.py', line: 1 }, {}).passed, true));

  const wrong: Record<string, [Partial<ReportedBreakpoint>[], RegExp]> = {
    'does not exist': [[], /there is no breakpoint/],
    'exists twice': [[{}, { line: 46 }], /expected one, found 2/],
    'is on another line': [[{ line: 44 }], /is on line 44, expected 45/],
    'is disabled': [[{ enabled: false }], /is disabled/],
    'counts its hits': [[{ condition: null, hit_condition: '>3' }], /has a hit count/],
    'logs a message': [[{ log_message: '{n}' }], /logs .* instead of stopping/],
    'has no condition': [[{ condition: null }], /has no condition/],
    'has another condition': [[{ condition: 'n >= 3' }], /differs from n > 3 for \{"n":3\}/],
    'has a condition that is not understood': [[{ condition: 'n > len("abc")' }], /differs from n > 3/],
  };
  for (const [what, [breakpoints, why]] of Object.entries(wrong)) {
    it(`fails when it ${what}`, () => {
      const found = check(...breakpoints);
      assert.equal(found.passed, false);
      assert.match(found.why, why);
    });
  }

  it("fails with the reason when the IDE could not start on the agent's files", () => {
    const found = conditionalBreakpoint({ problem: 'no window' }, wanted);
    assert.deepEqual([found.passed, found.why], [false, 'no window']);
  });

  it('needs no facts that were not requested', async () => {
    assert.throws(() => conditionalBreakpoint({}, wanted), /was not asked/);
    await using folder = await tempFolder({ 'ide.json': '{"breakpoints": []}' });
    assert.deepEqual(await readIdeFacts(`${folder.path}/ide.json`), { breakpoints: [] });
    await assert.rejects(readIdeFacts(`${folder.path}/none.json`));
  });
});
