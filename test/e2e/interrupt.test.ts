import assert from 'node:assert/strict';
import { once } from 'node:events';
import { basename } from 'node:path';
import { poll } from '../../bridge/lib/index.ts';
import { type SandboxInfo, toSandboxName } from '../../host/node/index.ts';
import { Cli } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';

describe('pwp up when interrupted', () => {
  it('ends with 130, says so and leaves no sandbox', async () => {
    await using folder = await temporaryFolder();
    const cli = new Cli(undefined);
    const name = toSandboxName(basename(folder.path));
    const begun = async () => {
      const all = (await cli.json('sandboxes', 'list')) as readonly SandboxInfo[];
      return all.filter(({ id }) => id.startsWith(`${name}-`)).map(({ id, state }) => `${id}: ${state}`);
    };

    const command = cli.start('up', folder.path);
    const closed = once(command, 'close') as Promise<[number | null]>;
    const written: string[] = [];
    command.stderr?.setEncoding('utf8').on('data', (text: string) => written.push(text));
    // The sandbox is listed at once; its IDE takes seconds to start.
    await poll(
      'the sandbox of pwp up',
      async () => ((await begun()).length > 0 ? { done: true, value: null } : { done: false, saw: 'none' }),
      { intervalMs: 50, signal: AbortSignal.timeout(60_000) },
    );
    command.kill('SIGINT');

    const [code] = await closed;
    assert.equal(code, 130, written.join(''));
    assert.match(written.join(''), /^pwp: .*stopped by SIGINT/);
    assert.deepEqual(await begun(), []);
  });
});
