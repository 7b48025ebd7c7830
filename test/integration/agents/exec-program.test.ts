import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { ExecAgent, requireCommand } from '../../../host/agents/exec/index.ts';
import type { Decision, Turn } from '../../../host/agents/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { observationOf, plainPng } from '../../support/record-fixture.ts';

// Programs alone, without an IDE.
describe('a program that is an agent', () => {
  let folder: TemporaryFolder;
  let turn: Turn;
  let count = 0;
  before(async () => {
    folder = await temporaryFolder();
    const never = () => Promise.reject(new Error('there is no IDE'));
    turn = {
      ...{ instruction: 'Do it.', limits: { steps: 9, ms: 60_000, tokens: 5000, costUsd: null } },
      ...{ observation: observationOf(1, await plainPng('red')), last: undefined },
      ide: { ask: never, picture: never, render: never },
    };
  });
  after(() => folder[Symbol.asyncDispose]());

  /** What a program in bash decides in that many turns, having said that it is ready. */
  async function decisions(script: string, turns = 1, signal?: AbortSignal): Promise<Decision[]> {
    const path = folder.file(`agent-${(count += 1)}`);
    await writeFile(
      path,
      `#!/bin/bash\nread -r start; echo '{"protocol": 1, "picture": "none"}'\n${script}\n`,
    );
    await chmod(path, 0o755);
    const tools = { name: 'none', tools: [], action: () => undefined };
    await using agent = new ExecAgent({ command: path, task: 'a/b', tools });
    const made: Decision[] = [];
    for (let i = 0; i < turns; i += 1)
      made.push(await agent.decide(turn, { signal: signal ?? AbortSignal.timeout(20_000) }));
    return made;
  }

  it('is not one behind for ever after a line too many, if its answers say to what they are', async () => {
    const script = `read -r one; echo hello; echo '{"id": 2, "message": "first"}'
      read -r error; echo '{"id": 3, "message": "mended"}'
      read -r two; echo '{"id": 4, "message": "second"}'`;
    const said = (await decisions(script, 2)).map(({ message }) => message);
    assert.deepEqual(said, ['mended', 'second']);
  });

  it('is taken at its word, in order, if its answers do not say to what they are', async () => {
    const script = `read -r one; echo '{"message": "first"}'; read -r two; echo '{"message": "second"}'`;
    const said = (await decisions(script, 2)).map(({ message }) => message);
    assert.deepEqual(said, ['first', 'second']);
  });

  const failures: readonly (readonly [string, string, RegExp])[] = [
    ['ends without reading', 'exit 4', /ended with exit code 4/],
    ['ends in the middle of an answer', `read -r one; printf '{"actions": ['`, /ended with exit code 0/],
    ['is killed', 'kill -9 $$', /ended with SIGKILL/],
    ['closes its output and lives on', 'exec >&-; sleep 300', /ended with SIG/],
  ];
  for (const [what, script, why] of failures)
    it(`has failed if it ${what}`, async () => {
      await assert.rejects(decisions(script), { code: 'agent-ended', message: why });
    });

  it('is waited for no longer than its signal allows', async () => {
    const controller = new AbortController();
    const waiting = decisions('read -r one; sleep 300', 1, controller.signal);
    controller.abort(new Error('the time is up'));
    await assert.rejects(waiting, /the time is up/);
  });

  it('is looked for, but not where only a shell can read what is meant', async () => {
    const plain = folder.file('no-program');
    await writeFile(plain, 'text');
    await mkdir(folder.file('a-folder'));
    for (const wrong of ['/no/such/agent --fast', plain, folder.file('a-folder'), 'no-such-agent'])
      await assert.rejects(requireCommand(wrong), { code: 'command-missing' }, wrong);
    for (const right of ['/bin/cat -u', 'cat', `'${folder.file('my agent')}' --fast`, '"$HOME/agent"'])
      await requireCommand(right);
  });
});
