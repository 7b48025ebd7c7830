import assert from 'node:assert/strict';
import Mocha from 'mocha';
import { buildDist } from '../../host/node/setup/build-dist.ts';
import { everything } from '../support/slow.ts';
import { isPass, type TestOutcome } from '../support/vscode/result.ts';
import { lowestLayer } from './rootfs.ts';
import { runInVscode, type VscodeRun } from './vscodeRun.ts';

// The tests themselves are in suite/ and run inside VS Code's extension host. Here each of them is
// reported under its own title, with its outcome there.
describe('extension in VS Code', function () {
  this.timeout(240_000);
  before(() => buildDist(AbortSignal.timeout(60_000), ['extension']));
  tellSuite('a window of two folders', { suite: 'state', target: 'both.code-workspace' });
  if (everything) tellSuite('a window that reloads', { suite: 'reload', target: 'app' });
});

function tellSuite(title: string, wanted: Pick<VscodeRun, 'suite' | 'target'>): void {
  describe(title, () => {
    let outcomes: readonly TestOutcome[] = [];
    before(async function () {
      outcomes = await runInVscode({ ...wanted, rootfs: await rootfs() });
      // Mocha reads a suite's tests after its hooks.
      for (const outcome of outcomes) this.test?.parent?.addTest(retold(outcome));
    });
    it('ran to its end and passed', () => assert.ok(isPass(outcomes)));
  });
}

function retold({ path, state, ms, error }: TestOutcome): Mocha.Test {
  const title = path.join(' ');
  if (state === 'pending') return new Mocha.Test(title);
  return new Mocha.Test(title, () => {
    if (state === 'failed')
      throw Object.assign(new Error(`failed in VS Code after ${ms} ms`), { stack: error });
  });
}

async function rootfs(): Promise<string | undefined> {
  return process.env.PWP_VSCODE ? undefined : lowestLayer();
}
