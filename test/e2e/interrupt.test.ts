import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cliPath } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';

describe('pwp, interrupted', () => {
  it('ends with 130 and says so', async () => {
    await using folder = await temporaryFolder();
    const env = { ...process.env };
    delete env['PWP_NODE'];
    const command = spawn(process.execPath, [cliPath, 'up', folder.path], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const written: string[] = [];
    command.stderr.setEncoding('utf8').on('data', (text: string) => written.push(text));
    // Its first line names the kind of node: it listens to signals by then, and the IDE takes seconds.
    await once(command.stderr, 'data');
    command.kill('SIGINT');
    const [code] = (await once(command, 'close')) as [number | null];
    assert.equal(code, 130, written.join(''));
    assert.match(written.join(''), /^node: [^]*stopped by SIGINT/);
  });
});
