import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { connectEngine } from '../../../host/node/docker/engine.ts';
import { temporaryFolder } from '../../support/folder.ts';

const asker = fileURLToPath(new URL('../../programs/engine-asker.ts', import.meta.url));

/** Answers on a Unix socket like an engine of a given version. */
async function startEngine(path: string, version: object): Promise<AsyncDisposable> {
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(request.url?.endsWith('/version') ? version : {}));
  }).listen(path);
  await once(server, 'listening');
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('an engine that cannot be used', () => {
  it('may be missing, and the error says how to get one', async () => {
    const env = { DOCKER_HOST: 'unix:///nowhere/docker.sock' };
    await assert.rejects(connectEngine(env), { code: 'docker-missing', help: /apt-get install docker\.io/ });
  });

  it('may be on another machine', async () => {
    await assert.rejects(connectEngine({ DOCKER_HOST: 'tcp://192.0.2.1:2375' }), { code: 'docker-remote' });
    await assert.rejects(connectEngine({ DOCKER_HOST: 'ssh://somewhere' }), { code: 'docker-remote' });
  });

  it('may be behind a context that does not exist', async () => {
    const env = { DOCKER_CONTEXT: 'none', HOME: '/nowhere' };
    await assert.rejects(connectEngine(env), { code: 'docker-context', help: /docker context ls/ });
  });

  it('may be too old', async () => {
    await using folder = await temporaryFolder();
    const path = folder.file('old.sock');
    await using old = await startEngine(path, { Version: '19.03.15', ApiVersion: '1.40' });
    assert.ok(old);
    await assert.rejects(connectEngine({ DOCKER_HOST: `unix://${path}` }), {
      code: 'docker-too-old',
      message: /19\.03\.15/,
      help: /20\.10/,
    });
  });

  it('is not one with exactly the required version', async () => {
    await using folder = await temporaryFolder();
    const path = folder.file('new.sock');
    await using engine = await startEngine(path, { Version: '20.10.24', ApiVersion: '1.41' });
    assert.ok(engine);
    await connectEngine({ DOCKER_HOST: `unix://${path}` });
  });

  it('may not admit this user', async () => {
    await using folder = await temporaryFolder();
    await chmod(folder.path, 0o755);
    const path = folder.file('denied.sock');
    await using engine = await startEngine(path, { Version: '20.10.24', ApiVersion: '1.41' });
    assert.ok(engine);
    // As an ordinary user who may read this project anywhere; connecting to a socket takes more than reading.
    const reads = ['--inh-caps=-all,+dac_read_search', '--ambient-caps=-all,+dac_read_search'];
    const user = ['--reuid=65534', '--regid=65534', '--clear-groups', ...reads];
    const env = { DOCKER_HOST: `unix://${path}` };
    for (const [mode, said] of [
      [0o660, 'docker-denied'],
      [0o666, 'ready'],
    ] as const) {
      await chmod(path, mode);
      const { stdout } = await execa('setpriv', [...user, process.execPath, asker], { env });
      assert.equal(stdout, said);
    }
  });
});
