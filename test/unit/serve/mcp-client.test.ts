import assert from 'node:assert/strict';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { Sandbox } from '../../../host/node/index.ts';
import { SharedIde } from '../../../host/serve/index.ts';
import { withProgress } from '../../../host/serve/mcp/progress.ts';
import { McpClient } from '../../support/mcp-client.ts';

const never = new AbortController().signal;

describe('a client of the MCP server', () => {
  it('is greeted and gets its tools while the IDE is still starting', async () => {
    await using client = await McpClient.inMemory(new SharedIde(new Promise<never>(() => undefined)));
    assert.equal(client.client.getServerVersion()?.name, 'pwp');
    assert.match(client.client.getInstructions() ?? '', /computer_marks/);
    assert.ok((await client.client.listTools()).tools.length > 10);
  });

  it('gets the reason why there is no IDE from each call', async () => {
    const failed = Promise.reject<never>(new PwpError('needs-root', 'no rights', { help: 'Be root.' }));
    await using client = await McpClient.inMemory(new SharedIde(failed));
    assert.equal(await client.refusal('list_dir'), 'needs-root: no rights. Be root.');
    assert.equal(await client.refusal('computer_screenshot'), 'needs-root: no rights. Be root.');
  });

  it('is refused a tool that is not offered', async () => {
    const ide = new SharedIde(new Promise<never>(() => undefined));
    await using client = await McpClient.inMemory(ide, { families: ['files'] });
    await assert.rejects(client.call('shell', { command: 'ls' }), { code: -32_602 });
  });

  it('gets progress while it waits, and may give up', async () => {
    await using client = await McpClient.inMemory(new SharedIde(new Promise<never>(() => undefined)));
    const giveUp = new AbortController();
    const told: string[] = [];
    const waiting = client.call(
      'list_dir',
      {},
      {
        signal: giveUp.signal,
        onprogress: ({ message = '' }) => {
          told.push(message);
          giveUp.abort();
        },
      },
    );
    await assert.rejects(waiting);
    assert.deepEqual(told, ['the IDE is starting: 1 s']);
  });
});

describe('progress', () => {
  it('is not sent to a client that did not ask for it', async () => {
    assert.equal(await withProgress(undefined, String, () => Promise.resolve(7)), 7);
  });

  it('does not end a call when it cannot be sent', async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const tell = () => {
      resolve(7);
      return Promise.reject(new Error('the client is gone'));
    };
    assert.equal(
      await withProgress(
        tell,
        () => 'x',
        () => promise,
      ),
      7,
    );
  });
});

describe('the turns of the clients of one IDE', () => {
  const ide = () => new SharedIde(Promise.reject<Sandbox>(new Error('none is needed')));

  it('come one after another, whatever becomes of one', async () => {
    const { inTurn } = bound(ide());
    const log: string[] = [];
    const first = Promise.withResolvers<void>();
    const one = inTurn(async () => {
      log.push('one begins');
      await first.promise;
      log.push('one ends');
      throw new Error('one failed');
    }, never);
    const two = inTurn(() => Promise.resolve(log.push('two')), never);
    first.resolve();
    await assert.rejects(one, /one failed/);
    await two;
    assert.deepEqual(log, ['one begins', 'one ends', 'two']);
  });

  it('are kept by who is there when one in the line gives up', async () => {
    const { inTurn } = bound(ide());
    const first = Promise.withResolvers<void>();
    const log: string[] = [];
    const one = inTurn(() => first.promise, never);
    const giveUp = new AbortController();
    const two = inTurn(() => Promise.resolve(log.push('two')), giveUp.signal);
    const three = inTurn(() => Promise.resolve(log.push('three')), never);
    giveUp.abort(new Error('no more'));
    await assert.rejects(two, /no more/);
    assert.deepEqual(log, []);
    first.resolve();
    await Promise.all([one, three]);
    assert.deepEqual(log, ['three']);
  });
});

function bound(ide: SharedIde) {
  return { inTurn: <T>(run: () => Promise<T>, signal: AbortSignal) => ide.inTurn(run, signal) };
}
