import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageFolder } from '../../../host/lib/index.ts';
import { createLocalNode } from '../../../host/node/index.ts';
import type { LocalNode } from '../../../host/node/local/local-node.ts';
import { fetchAgentRoot } from '../../../host/node/root-images.ts';
import { Environment } from '../../../host/run/index.ts';
import type { TemporaryFolder } from '../../support/folder.ts';
import { lookTask } from '../../support/look-task.ts';
import { never } from '../../support/node-sandbox.ts';
import { runHome } from '../../support/run-home.ts';
import { storeFolder } from '../../support/store-folder.ts';

interface LookAlike {
  readonly what: string;
  /** Arguments of `test/images/make.sh`, without the folder. */
  readonly made: readonly [kind: string, ...more: string[]];
  /** What the terminal's shell says of itself. */
  readonly shell: RegExp;
  /** What `python3` says in commands and terminals; null without one. */
  readonly python: RegExp | null;
  /** How many of its tests pass and fail. */
  readonly tests: readonly [passed: number, failed: number];
}

const lookAlikes: readonly LookAlike[] = [
  {
    what: 'an image as those of repository tasks',
    made: ['swe', 'bullseye'],
    ...{
      shell: /^5\.1/,
      python: /^3\.9.* \/opt\/miniconda3\/envs\/testbed\/bin\/python3 yes$/,
      tests: [1, 1],
    },
  },
  { what: 'musl and busybox', made: ['musl'], shell: /^5\.2/, python: null, tests: [1, 0] },
  {
    what: 'a Debian without bash, Git and Python',
    made: ['plain'],
    shell: /^5\.2/,
    python: null,
    tests: [1, 0],
  },
  {
    what: 'Debian 13',
    made: ['debian', 'trixie', 'git', 'python3', 'python3-pytest'],
    ...{ shell: /^5\.2/, python: /^3\.13/, tests: [1, 0] },
  },
];

const program = 'def add(a, b):\n    c = a + b\n    return c\n\n\nprint(add(2, 3))\n';

for (const { what, made, ...expected } of lookAlikes)
  describe(`an IDE in ${what}`, function () {
    this.timeout(1_200_000);
    let folder: TemporaryFolder;
    let node: LocalNode;
    let env: Environment;

    before(async function () {
      folder = await storeFolder();
      const [kind, ...more] = made;
      const script = join(packageFolder(), 'test/images/make.sh');
      await promisify(execFile)(script, [kind, folder.file('image'), ...more]).catch((error: unknown) => {
        // The mirror has some releases of Debian for a time only.
        console.warn(`${what} can't be made here: ${String(error)}`);
        this.skip();
      });
      node = await createLocalNode({ home: runHome(), root: fetchAgentRoot });
      env = new Environment({ node, task: lookTask, image: folder.file('image') });
      await env.reset({ signal: never });
    });
    after(async () => {
      await env?.close();
      await node?.[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    });

    const run = async (name: string, args: object, on = env) =>
      (await on.call({ name, arguments: { ...args } })).result as Record<string, unknown>;
    const says =
      "python3 -c \"import os, platform, shutil; print(platform.python_version(), shutil.which('python3'), os.environ.get('OF_THE_ENTRYPOINT'))\"";

    it('takes steps, and shows marks', async () => {
      const [observation] = await env.step('xdotool key ctrl+shift+e');
      assert.ok(observation.marks.length > 10, String(observation.marks.length));
    });

    it('has terminals and commands in the environment of the image', async () => {
      const terminal = await run('run_terminal_cmd', { command: `echo "$BASH_VERSION"; ${says}` });
      const [shell = '', ...lines] = String(terminal['output']).split('\n');
      assert.match(shell, expected.shell);
      const { stdout } = await run('shell', { command: says });
      for (const said of [lines.join('\n').trim(), String(stdout).trim()])
        if (expected.python) assert.match(said, expected.python);
        else assert.doesNotMatch(said, /^3\./);
    });

    it("runs tests by the image's pytest, or by ours where it has no Python", async () => {
      if (made[0] !== 'swe')
        await run('write_file', { path: 'test_it.py', content: 'def test_it():\n    assert True\n' });
      const { counts } = (await run('run_tests', { runner: 'pytest' })) as {
        readonly counts: Record<string, number>;
      };
      assert.deepEqual([counts['passed'], counts['failed']], expected.tests);
    });

    it('debugs a program, which stays at its breakpoint in a fork', async () => {
      await run('write_file', { path: 'sum.py', content: program });
      await run('set_breakpoint', { path: 'sum.py', line: 3 });
      const at = await run('debug_start', { program: 'sum.py' });
      assert.equal(at['state'], 'stopped', JSON.stringify(at));
      const [fork] = await env.fork();
      assert.ok(fork);
      for (const one of [env, fork]) {
        const { result } = await run('debug_evaluate', { expression: 'c' }, one);
        assert.equal(result, '5');
        assert.equal((await run('debug_continue', {}, one))['state'], 'ended');
      }
      await fork.close();
    });

    it('is restored and forked with an open terminal, and graded', async () => {
      await run('run_terminal_cmd', { command: 'word=kept' });
      const checkpoint = await env.checkpoint();
      await run('run_terminal_cmd', { command: 'word=lost; echo no > done.txt' });
      await env.restore(checkpoint.id);
      const [fork] = await env.fork();
      assert.ok(fork);
      for (const one of [env, fork]) {
        const { output } = await run('run_terminal_cmd', { command: 'echo $word; ls' }, one);
        assert.match(String(output), /^kept\n/);
        assert.doesNotMatch(String(output), /done\.txt/);
      }
      await fork.close();
      assert.equal((await env.grade()).reward, 0);
      await run('shell', { command: 'echo yes > done.txt' });
      assert.equal((await env.grade()).reward, 1);
    });
  });
