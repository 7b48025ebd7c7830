import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { poll } from '../../../bridge/lib/index.ts';
import { chooseAgent, type EpisodeResult, readRecord, runEpisode } from '../../../host/run/index.ts';
import { loadTask, type Task } from '../../../host/tasks/index.ts';
import { projectFolder } from '../../support/cli.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { slowIt } from '../../support/slow.ts';

onOneNode('a command as an agent', (open) => {
  let test: OpenedNode;
  let task: Task;
  let folder: TemporaryFolder;
  let count = 0;
  before(async () => {
    folder = await temporaryFolder();
    test = await open();
    task = await loadTask('tasks/vscode/autosave-500');
  });
  after(async () => {
    await test[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  async function play(command: string): Promise<EpisodeResult & { readonly path: string }> {
    const path = folder.file(String((count += 1)));
    const agent = await chooseAgent({ agent: `exec:${command}` }, task);
    return { ...(await runEpisode({ node: test.node, task, agent, folder: path, maxSteps: 5 })), path };
  }

  /** A bash program that has said it is ready, and does this with each further line. */
  async function program(each: string): Promise<string> {
    const path = folder.file(`agent-${(count += 1)}.sh`);
    const ready = `read -r start; echo '{"protocol": 1, "picture": "none"}'`;
    await writeFile(path, `#!/bin/bash\n${ready}\nwhile read -r line; do\n${each}\ndone\n`);
    await chmod(path, 0o755);
    return path;
  }

  it('solves a task, as the Python example does', async () => {
    const { reward, end, steps, path } = await play(`${projectFolder}/examples/agent.py`);
    assert.deepEqual([reward, end, steps], [1, 'finished', 2]);
    const { steps: recorded, lastTurn, start } = await readRecord(path);
    assert.match(recorded[0]?.turn.message ?? '', /^I see \d+ marks, and set files\.autoSave\.$/);
    assert.equal(lastTurn?.turn.message, 'Both settings are written.');
    assert.match(start.agent.name, /^exec:.*agent\.py$/);
    assert.match(await readFile(join(path, 'agent.log'), 'utf8'), /^confirmed: .+\nconfirmed: .+\n$/);
  });

  const failures: readonly (readonly [string, string, RegExp])[] = [
    ['ends early', 'echo "out of credit" >&2; exit 3', /ended with exit code 3 .*it wrote: out of credit/],
    ['answers twice without JSON', 'echo "I click now"', /can't be read: it is not JSON/],
    ['answers twice with wrong JSON', `echo '{"action": ["xdotool key a"]}'`, /can't be read: .*action/],
    ['never ends a line', 'head -c 3000000 /dev/zero | tr "\\0" x', /longer than 1048576 characters/],
  ];
  for (const [what, each, why] of failures)
    slowIt(`fails alone, and is graded, if it ${what}`, async () => {
      const { end, reward, error } = await play(await program(each));
      assert.deepEqual([end, reward], ['agent-failed', 0], error ?? '');
      assert.match(error ?? '', why);
    });

  it('gets one error that says what is wrong with an answer', async () => {
    const reported = folder.file('reported');
    const each = [
      `if grep -q '"type":"error"' <<< "$line"; then echo "$line" > ${reported}; echo '{"done": true}'`,
      `else echo '{"actions": "xdotool key a"}'; fi`,
    ];
    const { end } = await play(await program(each.join('\n')));
    assert.equal(end, 'finished');
    assert.match(await readFile(reported, 'utf8'), /actions/);
  });

  it('ends with its episode, with all it started, even if it ignores signals', async () => {
    const name = `pwp-agent-left-${process.pid}`;
    const each = `trap '' TERM; (trap '' TERM; exec -a ${name} sleep 300) & echo '{"done": true}'; wait`;
    const { end } = await play(await program(each));
    assert.equal(end, 'finished');
    const running = () =>
      promisify(execFile)('pgrep', ['-f', name]).then(
        ({ stdout }) => stdout,
        () => '',
      );
    await poll(
      'the end of the agent',
      async () => {
        const left = await running();
        return left === '' ? { done: true, value: undefined } : { done: false, saw: left };
      },
      { intervalMs: 50, signal: AbortSignal.timeout(10_000) },
    );
  });

  it('is looked up before anything starts', async () => {
    await assert.rejects(chooseAgent({ agent: 'exec:/no/such/agent --fast' }, task), {
      code: 'command-missing',
      message: /"\/no\/such\/agent"/,
    });
  });
});
