import { mean, share } from '../numbers/index.ts';
import { byAgent, byTask, isPassed, isScored, testRateOf, type AttemptRow } from '../rows/index.ts';

/** How often each agent passes one test of a task. */
export interface TestRow {
  readonly task: string;
  readonly test: string;
  /** In the order in which agents appear; null for one without a score, or if the test was never measured. */
  readonly agents: readonly (number | null)[];
  /** Attempts with a score in which the test could not be measured: they are in no share. */
  readonly unmeasured: number;
}

export function testRows(rows: readonly AttemptRow[]): TestRow[] {
  const agents = byAgent(rows).map(([agent]) => agent);
  return byTask(rows).flatMap(([task, own]) => {
    const results = own.filter(isScored).flatMap(({ agent, figures }) => {
      return (figures?.tests ?? []).map(({ name, passed }) => ({ agent, name, passed }));
    });
    return [...Map.groupBy(results, ({ name }) => name)].map(([test, ofTest]) => ({
      ...{ task, test },
      unmeasured: ofTest.filter(({ passed }) => passed === null).length,
      agents: agents.map((agent) => {
        const ofAgent = ofTest.filter((result) => result.agent === agent && result.passed !== null);
        return share(ofAgent.filter(({ passed }) => passed).length, ofAgent.length);
      }),
    }));
  });
}

/** A task that an agent never passes, though most of its tests pass. */
export interface NearMissRow {
  readonly agent: string;
  readonly task: string;
  readonly attempts: number;
  readonly testRate: number;
}

/** A mean share of tests from which a task that never passes is a near miss. */
export const nearMissRate = 0.8;
/** Tolerance, since a mean of such rates may be rounded down. */
const tolerance = 1e-9;

export function nearMissRows(rows: readonly AttemptRow[]): NearMissRow[] {
  const all = byAgent(rows).flatMap(([agent, own]) =>
    byTask(own).flatMap(([task, ofTask]) => {
      const scored = ofTask.filter(isScored);
      const testRate = mean(scored.flatMap((row) => testRateOf(row) ?? []));
      if (testRate === null || testRate < nearMissRate - tolerance || scored.some(isPassed)) return [];
      return [{ agent, task, attempts: scored.length, testRate }];
    }),
  );
  return all.toSorted((one, other) => other.testRate - one.testRate);
}
