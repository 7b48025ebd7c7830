import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { Cli, cliPath, projectFolder } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { slowIt } from '../support/slow.ts';

const failed = z.object({
  error: z.object({ code: z.enum(['usage', 'no-such-folder']), message: z.string() }),
});

/** Left to `npm run test:all`: the same lines of the program refuse another one of these. */
const alike = /^(serve --mcp|run .* (--max-cost 1|-k 2)$)/;

// None of these tests opens a node.
describe('a wrong command line', () => {
  const cli = new Cli('local');

  for (const [words, said] of [
    ['up package.json', /package\.json is not a folder/],
    ['mcp /nonexistent', /\/nonexistent can't be copied: .*no such file/],
    ['serve --mcp /nonexistent', /\/nonexistent can't be copied: .*no such file/],
    ['up', /missing required argument 'folder'/],
    ['step --frobnicate', /unknown option '--frobnicate'/],
    ['frobnicate', /unknown command 'frobnicate'/],
    ['inspect --socket /nonexistent marks', /--socket shows the state, not marks/],
    ['run -t tasks/vscode/autosave-500 --serve -m claude-opus-5', /--serve takes no --model/],
    [
      'run -t tasks/vscode/autosave-500 --serve --max-cost 1',
      /--serve takes no --max-tokens and no --max-cost/,
    ],
    ['run -t tasks/vscode/autosave-500 --serve -k 2', /--serve is for one episode, and these are 2/],
    ['demonstrate tasks/vscode/autosave-500 --solution by-hand.sh', /by-hand\.sh must end with \.xdotool/],
    [
      'demonstrate tasks/vscode/autosave-500 --solution tasks/vscode/autosave-500/solution/gui.xdotool',
      /gui\.xdotool already exists/,
    ],
    ['demonstrate tasks/vscode/autosave-500 --solution no/such/by-hand.xdotool', /no\/such is not a folder/],
    ['run --display 7', /expected e\.g\. 1280x800/],
  ] as const) {
    (alike.test(words) ? slowIt : it)(
      `ends with 2 and one line that says what is wrong: pwp ${words}`,
      async () => {
        const { code, stdout, stderr } = await cli.pwp(...words.split(' '));
        assert.deepEqual([code, stdout], [2, '']);
        const [first = '', ...rest] = stderr.trim().split('\n');
        assert.match(first, /^pwp: /);
        assert.match(first, said);
        assert.ok(rest.length <= 1, stderr);
      },
    );

    // Its output is a protocol.
    if (words.startsWith('mcp')) continue;
    (words === 'up' ? it : slowIt)(`prints it as JSON as well: pwp ${words}`, async () => {
      const { code, stdout, stderr } = await cli.pwp(...words.split(' '), '--json');
      assert.equal(code, 2);
      assert.match(failed.parse(JSON.parse(stdout)).error.message, said);
      assert.match(stderr, said);
    });
  }

  it('is not a request for help or for the version', async () => {
    for (const words of [['--help'], ['up', '--help'], ['--version']]) {
      const { code, stdout, stderr } = await cli.pwp(...words);
      assert.deepEqual([code, stderr], [0, '']);
      assert.notEqual(stdout, '');
    }
  });

  it('names an argument that does not exist: pwp pair nope', async () => {
    const { code, stdout, stderr } = await cli.pwp('pair', 'nope');
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^pwp: nope is neither a folder, nor a task, nor a running sandbox\n/);
  });
});

describe('the program', () => {
  it('ends quietly if no one reads the rest of its output', async () => {
    const command = `set -o pipefail; '${process.execPath}' '${cliPath}' tools --json | head -1`;
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', command]);
    assert.deepEqual([stdout, stderr], ['[\n', '']);
  });

  it('says what to do in a clone that is not set up', async () => {
    await using clone = await temporaryFolder();
    await cp(join(projectFolder, 'bin'), clone.file('bin'), { recursive: true });
    const running = promisify(execFile)(process.execPath, [clone.file('bin/pwp.mjs'), 'up', '.']);
    await assert.rejects(running, {
      code: 1,
      stderr: /^pwp: this clone is not set up yet: run `npm run demo`/,
    });
  });

  it('has help that fits into 80 columns', async () => {
    const cli = new Cli('local');
    for (const words of [['--help'], ['eval', '--help'], ['pair', '--help'], ['tasks', 'check', '--help']]) {
      const { stdout } = await cli.pwp(...words);
      assert.deepEqual(
        stdout.split('\n').filter(({ length }) => length > 80),
        [],
      );
    }
  });
});
