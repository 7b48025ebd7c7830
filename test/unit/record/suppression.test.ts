import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ActionOutcome } from '../../../host/ide/index.ts';
import { openRecord, type RecordedResult } from '../../../host/run/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { grade, meta, observationOf, plainPng, resetInfo, stepOf } from '../../support/record-fixture.ts';

describe('a silently dropped action', () => {
  let folder: TemporaryFolder;
  let count = 0;
  before(async () => {
    folder = await temporaryFolder();
  });
  after(() => folder[Symbol.asyncDispose]());

  /** Outcome of an episode with these lines, one per step; the one marked with `!` is not played. */
  async function suppressedIn(...lines: readonly string[]): Promise<RecordedResult['suppressed']> {
    const record = await openRecord(join(folder.path, String((count += 1))), meta);
    const png = await plainPng('red');
    await record.reset(observationOf(1, png), resetInfo);
    for (const [i, written] of lines.entries()) {
      const outcome: ActionOutcome = {
        action: { kind: 'xdotool', line: `xdotool key ${written.replace('!', '')}` },
        ...{ effect: 'no-effect', evidence: 'nothing changed', output: undefined },
        ...(written.endsWith('!') && { suppressed: true as const }),
      };
      await record.step(observationOf(i + 2, png), stepOf(i + 1, [outcome]));
    }
    await record.grade({ ...grade, reward: 0 });
    return (await record.end('finished')).suppressed;
  }

  const cases: readonly (readonly [string, readonly string[], RecordedResult['suppressed']])[] = [
    ['is in no result without one', ['F1', 'F1'], null],
    ['is repeated if it comes again at once', ['a', 'F1!', 'F1'], { step: 2, then: 'repeated' }],
    ['is repeated if the agent looks first', ['F1!', 'a', 'b', 'F1'], { step: 1, then: 'repeated' }],
    ['is not repeated four steps later', ['F1!', 'a', 'b', 'c', 'F1'], { step: 1, then: 'other' }],
    ['is not repeated by an earlier one', ['F1', 'F1!', 'a'], { step: 2, then: 'other' }],
    ['is the last one if nothing follows', ['a', 'F1!'], { step: 2, then: 'nothing' }],
  ];
  for (const [what, lines, expected] of cases)
    it(what, async () => {
      assert.deepEqual(await suppressedIn(...lines), expected);
    });
});
