import assert from 'node:assert/strict';
import { pause } from '../../../bridge/lib/index.ts';
import { StageReporter } from '../../../host/doors/cli/progress.ts';

describe('a command that is silent for long', () => {
  it('says what it is waiting for, not what has ended', async () => {
    const reported = Promise.withResolvers<string>();
    using underWay = new StageReporter((text) => reported.resolve(text), 20);
    underWay.is('a', 'starting the IDE');
    underWay.is('b', 'playing');
    underWay.is('b', null);
    assert.match(await reported.promise, /^under way:\n {2}a {2}starting the IDE for \d+ s\n$/);
  });

  it('prints nothing after its end', async () => {
    const reported: string[] = [];
    const underWay = new StageReporter((text) => reported.push(text), 10);
    underWay.is('a', 'starting the IDE');
    underWay[Symbol.dispose]();
    await pause(50);
    assert.deepEqual(reported, []);
  });
});
