import assert from 'node:assert/strict';
import { toolCases } from '../../../bench/tools/cases.ts';
import { renderJudged, sumsOf } from '../../../bench/tools/table.ts';
import { tools } from '../../../bridge/protocol/index.ts';

describe('the tools bench', () => {
  it('tries each tool of the registry once', () => {
    assert.deepEqual(toolCases.map(({ tool }) => tool.name).sort(), tools.map(({ name }) => name).sort());
  });

  it('tries each with a right and a wrong call', () => {
    for (const { tool, right, wrong, failing = [] } of toolCases) {
      assert.ok(right.length > 0, `${tool.name} has no right call`);
      assert.ok(wrong.length + failing.length > 0, `${tool.name} has no wrong call`);
    }
  });

  it('tries each tool that writes with a call that fits its schema and must be refused', () => {
    for (const { tool, wrong, failing = [] } of toolCases) {
      // It has no argument that could be missing.
      if (tool.readOnly || tool.name === 'show_problems') continue;
      const inTheWorld = wrong.some(({ reason }) => reason !== 'schema') || failing.length > 0;
      assert.ok(inTheWorld, `${tool.name} is only tried with what its schema refuses`);
    }
  });

  it('lists disagreements below their tool', () => {
    const verdicts = [
      { what: 'a file', kind: 'right', faults: [] },
      { what: 'no such file', kind: 'wrong', reason: 'not-found', faults: ['changed: + a.txt'] },
    ] as const;
    const all = [{ tool: 'read_file', verdicts, ms: 12.4 }];
    assert.match(
      renderJudged(all),
      /read_file +agrees, 1 of 1 +WRONG not-found +12\n +! read_file, no such file: changed: \+ a\.txt/,
    );
    assert.match(sumsOf(all), /agree with the truth: 1 of 1.*\n.*as they should: 0 of 1\n.*0 of 1/);
  });
});
