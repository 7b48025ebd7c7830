import assert from 'node:assert/strict';
import { ide as ideMethods, runTools } from '../../../bridge/protocol/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { slowIt } from '../../support/slow.ts';
import { ToolIde } from '../../support/tool-ide.ts';

interface Ended {
  readonly status: string;
  readonly output: string;
  readonly exit_code: number;
  readonly terminal: string;
}

const { runTerminalCmd, listTerminals, readTerminal, sendToTerminal, stopTerminal } = runTools;

onOneNode('commands in terminals, in a real IDE', (open) => {
  let ide: ToolIde;
  before(async () => {
    ide = await ToolIde.start(open, { 'a.txt': 'one\n', 'sub/b.txt': 'two\n' });
  });
  after(() => ide[Symbol.asyncDispose]());

  const run = (command: string) => ide.call(runTerminalCmd, { command });

  it('return output and exit code, in a visible terminal', async () => {
    const first = await run('cat a.txt; ls nothing; exit_code() { return 3; }; exit_code');
    assert.deepEqual([first.status, first.exit_code, first.truncated], ['exited', 3, false]);
    assert.match(first.output, /^one\nls: cannot access 'nothing': No such file or directory\n$/);
    await ide.ide.find('terminal line', /^one$/);
  });

  it('get no pager, which would wait for keys', async () => {
    const log = await run(
      'git init -q /tmp/g && cd /tmp/g && for i in $(seq 150); do git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m "commit $i"; done; git log --oneline; cd /workspace',
    );
    assert.deepEqual([log.status, log.exit_code], ['exited', 0]);
    assert.match(log.output, /commit 150\n[^]*commit 1\n/);
  });

  it('may commit, and write the message in the IDE', async () => {
    const done = await run(
      'git init -q /tmp/mine && cd /tmp/mine && git commit -q --allow-empty -m one && git log --format=%an; git config core.editor; git -c user.name=Own log -1 --format=%s; cd /workspace',
    );
    assert.equal(done.exit_code, 0, done.output);
    assert.match(done.output, /^Developer\n.*remote-cli\/code-server --wait.*\none\n$/s);
  });

  it('keep the folder and variables for the next one', async () => {
    const first = await run('cd sub && name=value');
    const second = await run('cat b.txt && echo "$name"');
    assert.deepEqual([second.output, second.terminal], ['two\nvalue\n', first.terminal]);
    assert.equal(second.cwd, '/workspace/sub');
    await run('cd ..');
  });

  it('are passed literally: several lines, quotes, tabs, exclamation marks, incomplete input', async () => {
    const script = 'for word in "one!" \'t\two\'; do\n  echo "$word!"\ndone\ncat <<END\n$((1 + 1))\nEND';
    assert.equal((await run(script)).output, 'one!!\nt\two!\n2\n');
    const broken = await run('echo "not closed');
    assert.equal(broken.exit_code, 2, broken.output);
    assert.match(broken.output, /unexpected EOF/);
    assert.equal((await run('(cd sub && cat b.txt)')).output, 'two\n');
    assert.equal((await run('# nothing but a comment')).exit_code, 0);
    assert.equal((await run("echo $'\\e[31mred\\e[0m'; printf '10%%\\r100%%\\n'")).output, 'red\n100%\n');
  });

  it('return the final state of a display that is redrawn repeatedly', async () => {
    const draw = String.raw`printf 'a 0\nb 0\n'; for i in $(seq 200); do printf '\e[2A\e[2Ka %d\n\e[2Kb %d\n' $i $i; done`;
    assert.equal((await run(draw)).output, 'a 200\nb 200\n');
    const { text } = await ide.answer(runTools.shell, { command: draw });
    assert.equal(text, 'exit code 0\na 200\nb 200\n');
  });

  it('return what is new on a line that existed before', async () => {
    const { terminal } = await ide.call(runTerminalCmd, {
      command: 'echo begin; read -p "name? " name; echo "hi $name"; sleep 600',
      is_background: true,
    });
    await ide.call(readTerminal, { terminal, wait_for: 'name? ', wait_ms: 10_000 });
    const answered = await ide.call(sendToTerminal, { terminal, text: 'Ada', wait_ms: 1000 });
    assert.equal(answered.output, 'Ada\nhi Ada\n');
    await ide.call(stopTerminal, { terminal });
  });

  for (const shell of ['exec sh', 'exec dash -i', 'exec python3 -i'])
    slowIt(`run in bash if a start-up file ends in ${shell}`, async () => {
      await ide.bash(`cp /root/.bashrc /root/.bashrc.was; echo ${shell} > /root/.bashrc`);
      try {
        const given = { command: 'echo "$BASH_VERSION"; sleep 600', is_background: true };
        const { terminal } = await ide.call(runTerminalCmd, given);
        const seen = await ide.call(readTerminal, { terminal, wait_for: '.', wait_ms: 10_000 });
        assert.match(seen.output, /^5\./);
        const { terminals } = await ide.call(listTerminals, {});
        const entry = terminals.find((one) => one.terminal === terminal);
        assert.match(entry?.name ?? '', /^Agent: .*\(no start-up files\)$/);
        await ide.call(stopTerminal, { terminal, close: true });
      } finally {
        await ide.bash('mv /root/.bashrc.was /root/.bashrc');
      }
    });

  slowIt('have their output cut in the middle if it is too long', async () => {
    const long = await ide.call(runTerminalCmd, { command: 'seq 200000', max_output: 1000 });
    assert.ok(long.output.length <= 1000 && long.truncated);
    assert.match(long.output, /^1\n2\n[^]*characters left out[^]*\n200000\n$/);
  });

  slowIt('are interrupted at their time-out, and the terminal stays usable', async () => {
    const slow = await ide.answer(runTerminalCmd, { command: 'echo begin; sleep 1000', timeout_ms: 1500 });
    const { status, output, exit_code: code, terminal } = slow.result as Ended;
    assert.deepEqual([status, code, slow.effect], ['timed-out', 130, 'partial']);
    assert.match(output, /^begin\n/);
    const asksTwice = await ide.answer(runTerminalCmd, {
      command: `bash -c 'trap "echo again?; trap - INT" INT; while :; do sleep 0.2; done'`,
      timeout_ms: 1500,
    });
    const again = asksTwice.result as Ended;
    assert.deepEqual([again.status, again.terminal], ['timed-out', terminal]);
    assert.equal((await run('echo here')).terminal, terminal);
    const deaf = await ide.call(runTerminalCmd, {
      command: `bash -c 'trap "" INT; echo deaf; while :; do read -t 100 < /dev/zero; sleep 1; done'`,
      timeout_ms: 1500,
    });
    assert.equal(deaf.status, 'timed-out');
    assert.equal((await run('echo again')).output, 'again\n');
  });

  slowIt('end with their shell', async () => {
    // A shell that fails within its first half second is started again by VS Code.
    const ended = await ide.call(runTerminalCmd, {
      command: 'sleep 1; echo bye; exit 4',
      timeout_ms: 10_000,
    });
    assert.deepEqual([ended.status, ended.exit_code], ['exited', 4]);
    assert.equal((await run('echo next')).output, 'next\n');
  });

  it('continue in the background, are listed, read, answered and stopped', async () => {
    const server = await ide.call(runTerminalCmd, {
      command:
        'echo starting; sleep 0.3; echo listening on 8000; read answer; echo "got $answer"; sleep 1000',
      is_background: true,
    });
    assert.equal(server.status, 'running');
    const { terminal } = server;
    const up = await ide.call(readTerminal, { terminal, wait_ms: 10_000, wait_for: 'listening on' });
    assert.match(up.output, /^starting\nlistening on 8000\n/);
    assert.equal((await run('echo beside')).output, 'beside\n');
    await ide.refused('terminal-busy', runTerminalCmd, { command: 'true', terminal });
    await ide.call(sendToTerminal, { terminal, text: 'yes', wait_ms: 0 });
    const answered = await ide.call(readTerminal, { terminal, wait_ms: 10_000, wait_for: 'got yes' });
    assert.match(answered.output, /got yes/);
    const listed = await ide.call(listTerminals, {});
    const entry = listed.terminals.find((one) => one.terminal === terminal);
    assert.deepEqual([entry?.running, entry?.shell_integration, entry?.closed], [true, true, false]);
    const stopped = await ide.call(stopTerminal, { terminal });
    assert.equal(stopped.status, 'stopped');
    assert.match(stopped.output, /listening on 8000/);
    const after = await ide.call(readTerminal, { terminal });
    // VS Code does not always learn the exit code of an interrupted command.
    assert.ok([130, null].includes(after.exit_code), String(after.exit_code));
    await ide.refused('not-found', readTerminal, { terminal: 4000 });
  });

  it('are cancelled with the call', async () => {
    const controller = new AbortController();
    const call = ide.answer(
      runTerminalCmd,
      { command: 'echo $BASHPID > /tmp/mine; sleep 2000' },
      controller.signal,
    );
    const refused = assert.rejects(call);
    await ide.bash('until [ -s /tmp/mine ]; do sleep 0.05; done');
    controller.abort();
    await refused;
    await ide.bash('while pgrep -f "^sleep 2000" > /dev/null; do sleep 0.05; done');
  });

  it("are reported in the IDE's state", async () => {
    await run('echo state; false');
    const { terminals } = await ide.ide.sandbox.call(
      ideMethods.terminals,
      {},
      { signal: AbortSignal.timeout(10_000) },
    );
    const stated = terminals.find(({ lastCommand }) => lastCommand?.line === 'echo state; false');
    assert.deepEqual(
      [
        stated?.lastCommand?.output,
        stated?.lastCommand?.exitCode,
        stated?.lastCommand?.running,
        stated?.shellIntegration,
      ],
      ['state\n', 1, false, true],
    );
    assert.equal(stated?.cwd, '/workspace');
    assert.ok((stated?.processId ?? 0) > 0);
  });

  it('are reported with their result if they are typed to a waiting shell', async () => {
    const { terminal } = await run('true');
    const typed = await ide.call(sendToTerminal, {
      terminal,
      text: 'echo $((40 + 2)); (exit 5)',
      wait_ms: 20_000,
    });
    assert.deepEqual([typed.status, typed.exit_code, typed.output], ['exited', 5, '42\n']);
  });

  it('are read with the information whether the awaited text came', async () => {
    const { terminal } = await run('echo one');
    const read = (wait_for: string) => ide.answer(readTerminal, { terminal, wait_for, wait_ms: 100 });
    assert.equal((await read('one')).effect, 'confirmed');
    assert.equal((await read('two')).effect, 'partial');
  });

  it('are not typed to a closed terminal, and not stopped if none runs', async () => {
    const { terminal } = await ide.call(runTerminalCmd, { command: 'sleep 600', is_background: true });
    const stopped = await ide.answer(stopTerminal, { terminal, close: true });
    assert.equal(stopped.effect, 'confirmed');
    const message = await ide.refused('not-found', sendToTerminal, { terminal, text: 'x' });
    assert.match(message, /is closed/);
    assert.equal((await ide.answer(stopTerminal, { terminal })).effect, 'no-effect');
  });
});
