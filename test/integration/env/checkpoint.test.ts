import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { deadline, poll } from '../../../bridge/lib/index.ts';
import type { Observation } from '../../../host/ide/index.ts';
import { Environment } from '../../../host/run/index.ts';
import { loadTask } from '../../../host/tasks/index.ts';
import { type OpenedNode, openLocal } from '../../support/each-node.ts';
import { slowIt } from '../../support/slow.ts';

const click = 'xdotool mousemove 900 700 click 1';

/** The active editor's text, saved or not. */
async function textOf(env: Environment): Promise<string> {
  const { editor } = await env.ask('ide.editor', { includeText: true });
  return editor?.text ?? '';
}

function idOf({ marks }: Observation, role: string): number {
  const found = marks.filter((mark) => mark.role === role).at(-1);
  assert.ok(found, `no ${role}`);
  return found.id;
}

describe('an environment that goes back and branches', function () {
  this.timeout(300_000);
  /** With its own store: other checkpoints may leave no room in the machine's. */
  let opened: OpenedNode;
  let env: Environment;
  const taken: string[] = [];

  before(async () => {
    opened = await openLocal();
    const { node } = opened;
    env = new Environment({ node, task: await loadTask('tasks/vscode/swap-text-test') });
    await env.reset();
    await env.step(click);
  });
  after(async () => {
    await env.close();
    await opened[Symbol.asyncDispose]();
  });

  async function keep(): Promise<string> {
    const { id } = await env.checkpoint();
    taken.push(id);
    return id;
  }

  it('restores unsaved text, refuses marks of the branch it left, and continues', async () => {
    await env.step("xdotool type 'kept '");
    const text = await textOf(env);
    assert.ok(text.includes('kept '));
    const id = await keep();
    await env.step("xdotool type 'lost '");
    const [left] = await env.step('xdotool key F1');
    const stale = idOf(left, 'option');
    const [again, info] = await env.restore(id);
    assert.deepEqual([info.checkpoint, info.step, info.branch], [id, 2, 1]);
    assert.equal(await textOf(env), text);
    assert.ok(again.number > left.number);
    assert.deepEqual(again.screen.changed, { x: 0, y: 0, width: 1920, height: 1080 });
    const [, , , , refused] = await env.step(`click [${stale}]`);
    assert.equal(refused.outcomes[0]?.effect, 'refused', JSON.stringify(refused.outcomes));
    assert.equal(refused.step, 5);
    const [, , , , typed] = await env.step("xdotool type 'more '");
    assert.equal(typed.outcomes[0]?.effect, 'confirmed', typed.outcomes[0]?.evidence);
    assert.ok((await textOf(env)).includes('kept more '));
    const [palette] = await env.step('xdotool key F1');
    assert.ok(palette.marks.every(({ role, id: mark }) => role !== 'option' || mark > stale));
    await env.step('xdotool key Escape');
  });

  it('lists the tree of its checkpoints with their steps', async () => {
    const [first] = taken;
    const second = await keep();
    const all = await env.checkpoints.list();
    const [one, two] = [first, second].map((id) => all.find((info) => info.id === id));
    assert.deepEqual([one?.step, one?.name, two?.parent], [2, 'vscode/swap-text-test step 2', first]);
    assert.equal((two?.step ?? 0) > 2, true);
  });

  slowIt('forks environments that are isolated from each other', async () => {
    const [from = ''] = taken;
    const forks = await env.fork({ from, count: 2 });
    try {
      const [one, two] = forks;
      assert.ok(one && two);
      assert.deepEqual(one.origin, { checkpoint: from, step: 2 });
      assert.equal(one.began[1].from, 'fork');
      const [, , , , info] = await one.step("xdotool type 'ONE '");
      assert.equal(info.step, 1);
      await two.step("xdotool type 'TWO '");
      const texts = await Promise.all([one, two, env].map(textOf));
      assert.deepEqual(
        texts.map((text) => ['ONE ', 'TWO ', 'more '].filter((word) => text.includes(`kept ${word}`))),
        [['ONE '], ['TWO '], ['more ']],
      );
    } finally {
      await Promise.all(forks.map((fork) => fork.close()));
    }
  });

  slowIt('lets programs continue a timed wait', async () => {
    const shell = async (command: string) =>
      JSON.stringify((await env.call({ name: 'shell', arguments: { command } })).result);
    // Unlike Python's own functions, the C library's report that a wait was interrupted.
    const program =
      'import ctypes; print("waits", flush=True); print("ended", ctypes.CDLL(None).poll(None, 0, 3000), flush=True)';
    await shell(
      `(setsid python3 -c '${program}' </dev/null >/tmp/waits 2>&1 &); until [ -s /tmp/waits ]; do sleep 0.1; done`,
    );
    const id = await keep();
    const end = 'until grep ended /tmp/waits; do sleep 0.1; done';
    assert.match(await shell(end), /ended 0/);
    await env.restore(id);
    assert.match(await shell(end), /ended 0/);
  });

  slowIt("sees files that programs write into folders, as VS Code's file watcher does", async () => {
    const shell = (command: string) => env.call({ name: 'shell', arguments: { command } });
    // The watcher may miss a folder made at the same time as its parent, in any VS Code.
    await shell('mkdir /workspace/folder');
    await shell('echo first > /workspace/folder/note.txt');
    await env.call({ name: 'open_file', arguments: { path: 'folder/note.txt' } });
    for (const word of ['second', 'third', 'fourth']) {
      // A thread that was stopped twice is restored differently from one stopped once.
      await keep();
      await env.restore(await keep());
      await shell(`echo ${word} > /workspace/folder/note.txt`);
      using limit = deadline('the new text in the editor', 60_000);
      const probe = async () => {
        const text = await textOf(env);
        return text === `${word}\n`
          ? ({ done: true, value: text } as const)
          : ({ done: false, saw: text } as const);
      };
      await poll('the new text in the editor', probe, { intervalMs: 100, signal: limit.signal });
    }
  });

  slowIt('is graded in its state after a restore', async () => {
    const [from = ''] = taken;
    await env.restore(from);
    const solved = (await env.task.solutions()).find(({ kind }) => kind === 'shell');
    assert.ok(solved);
    const action = { kind: 'tool', name: 'shell', arguments: { command: solved.text } } as const;
    await env.step(action);
    assert.equal((await env.grade()).reward, 1);
    await env.restore(from);
    assert.equal((await env.grade()).reward, 0);
  });

  slowIt('releases keys that were held when it was taken', async () => {
    await env.step('xdotool keydown shift');
    const id = await keep();
    await env.step('xdotool keyup shift');
    await env.restore(id);
    const [, , , , typed] = await env.step('xdotool key x');
    assert.equal(typed.outcomes[0]?.effect, 'confirmed', typed.outcomes[0]?.evidence);
    assert.match(await textOf(env), /kept x/);
  });

  slowIt(
    'forks while commands run: a call ends first, and background programs continue in both',
    async () => {
      const run = (where: Environment, command: string) =>
        where.call({ name: 'shell', arguments: { command } });
      await run(
        env,
        "(setsid sh -c 'until [ -e /tmp/go ]; do sleep 0.1; done; echo went > /tmp/went' >/dev/null 2>&1 &)",
      );
      const call = run(env, 'touch /workspace/begun; sleep 1; echo ended > /tmp/call');
      const listed = async () => JSON.stringify((await env.call({ name: 'list_dir', arguments: {} })).result);
      const hasBegun = async () =>
        (await listed()).includes('begun')
          ? ({ done: true, value: undefined } as const)
          : ({ done: false, saw: 'no file of its' } as const);
      await poll('the call to begin', hasBegun, { intervalMs: 50, signal: AbortSignal.timeout(60_000) });
      const [fork] = await env.fork({ count: 1 });
      assert.ok(fork);
      try {
        assert.match(JSON.stringify((await call).result), /"exitCode":0/);
        for (const where of [env, fork]) {
          const { result } = await run(
            where,
            'touch /tmp/go; until [ -e /tmp/went ]; do sleep 0.1; done; cat /tmp/call /tmp/went',
          );
          assert.match(JSON.stringify(result), /ended\\nwent/);
        }
      } finally {
        await fork.close();
      }
    },
  );

  slowIt('keeps stopped programs, which stay stopped until they are continued', async () => {
    const run = async (command: string) =>
      JSON.stringify((await env.call({ name: 'shell', arguments: { command } })).result);
    await run(
      `(setsid sh -c 'while :; do echo >> /tmp/beats; sleep 0.05; done' </dev/null >/dev/null 2>&1 &)
       (setsid sh -c 'echo $$ > /tmp/stopped; kill -STOP $$; echo on > /tmp/on' </dev/null >/dev/null 2>&1 &)
       until [ -s /tmp/beats ] && grep -q 'State:.T' /proc/$(cat /tmp/stopped)/status; do sleep 0.05; done`,
    );
    const [fork] = await env.fork({ count: 1 });
    assert.ok(fork);
    await fork.close();
    await env.restore(await keep());
    const state = await run(
      `n=$(wc -l < /tmp/beats); until [ $(wc -l < /tmp/beats) -gt $n ]; do sleep 0.05; done
       grep 'State' /proc/$(cat /tmp/stopped)/status; ls /tmp/on`,
    );
    assert.match(state, /T \(stopped\)[^]*No such file/);
    await run('kill -CONT $(cat /tmp/stopped); until [ -s /tmp/on ]; do sleep 0.05; done; pkill -f beats');
  });

  slowIt('refuses a checkpoint that could not be restored: a terminal full of unread output', async () => {
    const program = await readFile('test/programs/full-terminal.py', 'utf8');
    const run = (command: string) => env.call({ name: 'shell', arguments: { command } });
    await run(`cat > /tmp/full.py <<'END'\n${program}\nEND`);
    await run(
      '(setsid python3 /tmp/full.py </dev/null >/dev/null 2>&1 &) ; until [ -e /tmp/full ]; do sleep 0.1; done',
    );
    await assert.rejects(env.checkpoint(), {
      code: 'checkpoint-failed',
      message: /^a terminal holds \d+ bytes/,
    });
    await run('touch /tmp/read; sleep 0.5');
    await env.restore(await keep());
    await run('pkill -f /tmp/full.py');
  });

  for (const [name, command] of [
    ['sh', 'sh'],
    ['sh', 'exec sh'],
    [
      'python3',
      `python3 -c 'import time; kept = open("/dev/tty"); print("ready", flush=True); time.sleep(1000)'`,
    ],
  ] as const)
    slowIt(`refuses at once what has its terminal open as /dev/tty, by name: ${command}`, async () => {
      const call = (tool: string, given: object) => env.call({ name: tool, arguments: { ...given } });
      const { result } = await call('run_terminal_cmd', { command, is_background: true });
      const { terminal } = result as { terminal: number };
      await call('read_terminal', { terminal, wait_for: name === 'sh' ? '# ' : 'ready', wait_ms: 10_000 });
      await assert.rejects(env.checkpoint(), {
        code: 'checkpoint-failed',
        message: new RegExp(`^${name} \\(process \\d+\\) has its terminal open as /dev/tty`),
      });
      await call('stop_terminal', { terminal, close: true });
      await keep();
    });

  slowIt(
    'refuses a checkpoint that would be restored wrongly: an open file in flight between two programs',
    async () => {
      const program = await readFile('test/programs/in-flight.py', 'utf8');
      const run = (command: string) => env.call({ name: 'shell', arguments: { command } });
      await run(`cat > /tmp/in-flight.py <<'END'\n${program}\nEND`);
      await run(
        '(setsid python3 /tmp/in-flight.py </dev/null >/dev/null 2>&1 &) ; until [ -e /tmp/sent ]; do sleep 0.1; done',
      );
      await assert.rejects(env.checkpoint(), {
        code: 'checkpoint-failed',
        message: /^a program has sent an open file/,
      });
      const { result } = await run(
        'touch /tmp/receive; until [ -e /tmp/received ]; do sleep 0.1; done; cat /tmp/received',
      );
      assert.match(JSON.stringify(result), /hello/);
      await env.restore(await keep());
      await run('pkill -f /tmp/in-flight.py');
    },
  );

  it('names the error in a request, and continues', async () => {
    await assert.rejects(env.restore('ck-ffffffff'), { code: 'no-such-checkpoint' });
    await assert.rejects(env.fork({ from: 'ck-ffffffff' }), { code: 'no-such-checkpoint' });
    const [, , , , info] = await env.step('xdotool key Right');
    assert.equal(info.outcomes.length, 1);
  });
});
