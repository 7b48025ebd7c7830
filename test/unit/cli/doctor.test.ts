import assert from 'node:assert/strict';
import { problemFindings } from '../../../host/doors/cli/commands/doctor.ts';

describe("the doctor's report on the checkpoint store", () => {
  const now = Date.parse('2026-05-10T12:00:00Z');
  const problem = (at: string) => ({ at, what: 'packing ck-00000001', why: 'no space' });

  it('is empty if all went well for a week', () => {
    assert.deepEqual(problemFindings([problem('2026-05-01T12:00:00Z')], now), []);
  });

  it("is the week's last problems: what was being done and why it failed", () => {
    const days = ['01', '05', '06', '07', '08', '09', '10'].map((day) => `2026-05-${day}T11:00:00Z`);
    const found = problemFindings(days.map(problem), now);
    assert.deepEqual(
      found.map(({ detail }) => detail),
      days.slice(2).map((at) => `${at}: packing ck-00000001: no space`),
    );
    assert.match(found[0]?.help ?? '', /^6 in the last week/);
  });
});
