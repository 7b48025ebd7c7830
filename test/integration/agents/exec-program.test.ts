import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { ExecAgent, requireCommand } from '../../../host/run/agents/exec-agent.ts';
import type { Decision, Turn } from '../../../host/run/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { observationOf, plainPng } from '../../support/record-fixture.ts';

// Only programs, without an IDE.
describe('a program as an agent', () => {
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

  interface Asking {
    readonly turns?: number;
    readonly signal?: AbortSignal;
    readonly answerTimeout?: number;
  }

  /** Runs a bash program that has said it is ready. Returns its decisions and its standard error. */
  async function ask(
    script: string,
    { turns = 1, signal = AbortSignal.timeout(20_000), answerTimeout }: Asking = {},
  ): Promise<{ readonly decisions: readonly Decision[]; readonly log: string }> {
    const path = folder.file(`agent-${(count += 1)}`);
    await writeFile(
      path,
      `#!/bin/bash\nread -r start; echo '{"protocol": 1, "picture": "none"}'\n${script}\n`,
    );
    await chmod(path, 0o755);
    const tools = { name: 'none', tools: [], action: () => undefined };
    await using agent = new ExecAgent({ command: path, task: 'a/b', tools, answerTimeout });
    const made: Decision[] = [];
    for (let i = 0; i < turns; i += 1) made.push(await agent.decide(turn, { signal }));
    await agent[Symbol.asyncDispose]();
    return { decisions: made, log: agent.log };
  }

  it('gets its limits and the size of the screen before anything else', async () => {
    const { log } = await ask('echo "$start" >&2; read -r one; echo "{}"');
    assert.partialDeepStrictEqual(JSON.parse(log), {
      ...{ id: 1, type: 'start', protocol: 1, task: 'a/b', instruction: 'Do it.', tools: [] },
      limits: { steps: 9, seconds: 60, answer_seconds: 600, tokens: 5000, cost_usd: null },
      screen: { width: 1920, height: 1080 },
    });
  });

  it('may write any amount to its standard error, of which both ends are kept', async () => {
    const flood = 'head -c 5000000 /dev/zero | tr "\\0" x >&2';
    const { log } = await ask(`echo first >&2; read -r one; ${flood}; echo last >&2; echo '{}'`);
    assert.match(log, /^first\nx+\n… \d+ bytes are left out …\nx+last\n$/);
    assert.ok(log.length < 600_000, `${log.length} characters were kept`);
  });

  it('has its last words recorded', async () => {
    const { log } = await ask(`read -r one; echo '{"done": true}'; cat > /dev/null; echo 'good bye' >&2`);
    assert.equal(log, 'good bye\n');
  });

  it('fails if its answer takes longer than allowed', async () => {
    await assert.rejects(ask('read -r one; sleep 300', { answerTimeout: 0.5 }), {
      code: 'agent-answer',
      message: 'the agent gave no answer within 0.5 s',
    });
  });

  it('does not stay one answer behind after an extra line if its answers name their requests', async () => {
    const script = `read -r one; echo hello; echo '{"id": 2, "message": "first"}'
      read -r error; echo '{"id": 3, "message": "mended"}'
      read -r two; echo '{"id": 4, "message": "second"}'`;
    const said = (await ask(script, { turns: 2 })).decisions.map(({ message }) => message);
    assert.deepEqual(said, ['mended', 'second']);
  });

  it('has its answers taken in order if they do not name their requests', async () => {
    const script = `read -r one; echo '{"message": "first"}'; read -r two; echo '{"message": "second"}'`;
    const said = (await ask(script, { turns: 2 })).decisions.map(({ message }) => message);
    assert.deepEqual(said, ['first', 'second']);
  });

  const failures: readonly (readonly [string, string, RegExp])[] = [
    ['ends without reading', 'exit 4', /ended with exit code 4/],
    ['ends in the middle of an answer', `read -r one; printf '{"actions": ['`, /ended with exit code 0/],
    ['is killed', 'kill -9 $$', /ended with SIGKILL/],
    ['closes its output and keeps running', 'exec >&-; sleep 300', /ended with SIG/],
  ];
  for (const [what, script, why] of failures)
    it(`fails if it ${what}`, async () => {
      await assert.rejects(ask(script), { code: 'agent-ended', message: why });
    });

  it('is abandoned when the signal fires', async () => {
    const controller = new AbortController();
    const waiting = ask('read -r one; sleep 300', { signal: controller.signal });
    controller.abort(new Error('the time is up'));
    await assert.rejects(waiting, /the time is up/);
  });

  it('is looked up first, unless only a shell can parse its command line', async () => {
    const plain = folder.file('no-program');
    await writeFile(plain, 'text');
    await mkdir(folder.file('a-folder'));
    for (const wrong of ['/no/such/agent --fast', plain, folder.file('a-folder'), 'no-such-agent'])
      await assert.rejects(requireCommand(wrong), { code: 'command-missing' }, wrong);
    for (const right of ['/bin/cat -u', 'cat', `'${folder.file('my agent')}' --fast`, '"$HOME/agent"'])
      await requireCommand(right);
  });
});
