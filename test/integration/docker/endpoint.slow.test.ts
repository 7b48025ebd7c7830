import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { connectEngine } from '../../../host/node/docker/engine.ts';
import { openEngine } from '../../support/docker-engine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';

/** Socket of the engine that answers here: the machine's, or the one that the tests have started. */
let socket = '';

describe("Docker's contexts and environment", function () {
  this.timeout(120_000);
  let home: TemporaryFolder;
  let certificates: string;
  beforeEach(async () => {
    await openEngine();
    socket = (process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock').replace('unix://', '');
    home = await temporaryFolder();
    certificates = join(home.path, 'certificates');
    await mkdir(certificates);
    const [key, cert] = [join(certificates, 'key.pem'), join(certificates, 'cert.pem')];
    const subject = ['-subj', '/CN=test', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const made = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-keyout',
      key,
      '-out',
      cert,
    ];
    execFileSync('openssl', [...made, ...subject], { stdio: 'pipe' });
    // Signed by itself: its own authority.
    await cp(cert, join(certificates, 'ca.pem'));
  });
  afterEach(async () => {
    await home[Symbol.asyncDispose]();
  });

  const answers = async (env: NodeJS.ProcessEnv) => {
    const { ApiVersion } = await (await connectEngine({ HOME: home.path, ...env })).version();
    assert.match(ApiVersion, /^1\./);
  };
  /** A context's folders, as `docker context create` makes them. */
  const addContext = async (name: string, host: string, tls?: string) => {
    const contexts = join(home.path, '.docker/contexts');
    const id = createHash('sha256').update(name).digest('hex');
    await mkdir(join(contexts, 'meta', id), { recursive: true });
    const meta = { Name: name, Metadata: {}, Endpoints: { docker: { Host: host, SkipTLSVerify: false } } };
    await writeFile(join(contexts, 'meta', id, 'meta.json'), JSON.stringify(meta));
    if (tls !== undefined) await cp(tls, join(contexts, 'tls', id, 'docker'), { recursive: true });
  };
  const choose = (name: string) =>
    writeFile(join(home.path, '.docker/config.json'), JSON.stringify({ currentContext: name }));

  it('lead to the engine, the more specific one first', async () => {
    await addContext('here', `unix://${socket}`);
    await addContext('gone', 'unix:///nowhere/docker.sock');
    await choose('here');
    await answers({});
    await choose('gone');
    await assert.rejects(answers({}), { code: 'docker-missing' });
    await answers({ DOCKER_CONTEXT: 'here' });
    await answers({ DOCKER_CONTEXT: 'default' });
    await answers({ DOCKER_CONTEXT: 'gone', DOCKER_HOST: `unix://${socket}` });
    await assert.rejects(answers({ DOCKER_CONTEXT: 'none' }), { code: 'docker-context' });
  });

  it('lead to it by TCP too', async () => {
    await using plain = await forward(createServer());
    await answers({ DOCKER_HOST: `tcp://127.0.0.1:${plain.port}` });
    await addContext('tcp', `tcp://localhost:${plain.port}`);
    await answers({ DOCKER_CONTEXT: 'tcp' });
  });

  it("set the certificate that identifies the engine, and the user's own", async () => {
    const [key, cert, ca] = await Promise.all(
      ['key.pem', 'cert.pem', 'ca.pem'].map((name) => readFile(join(certificates, name))),
    );
    await using secure = await forward(
      createTlsServer({ key, cert, ca, requestCert: true, rejectUnauthorized: true }),
      'secureConnection',
    );
    const host = `tcp://127.0.0.1:${secure.port}`;
    await answers({ DOCKER_HOST: host, DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: certificates });
    await addContext('secure', host, certificates);
    await answers({ DOCKER_CONTEXT: 'secure' });
    await addContext('missing', host);
    await assert.rejects(answers({ DOCKER_CONTEXT: 'missing' }), { code: 'docker-missing' });
    // No certificate authority there has signed the engine's certificate.
    await assert.rejects(
      answers({ DOCKER_HOST: host, DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: home.path }),
      {
        code: 'docker-missing',
      },
    );
  });

  it('report an engine that accepts connections and never answers', async () => {
    const held: Socket[] = [];
    const silent = createServer((each) => void held.push(each)).listen(join(home.path, 'silent.sock'));
    await once(silent, 'listening');
    const asked = connectEngine({ DOCKER_HOST: `unix://${join(home.path, 'silent.sock')}` }, 300);
    await assert.rejects(asked, { code: 'docker-silent' });
    for (const each of held) each.destroy();
    silent.close();
  });
});

/** Passes connections on to the engine's socket. */
async function forward(
  server: Server,
  event = 'connection',
): Promise<{ readonly port: number } & AsyncDisposable> {
  const open = new Set<Socket>();
  server.on(event, (client: Socket) => {
    const engine = connect(socket);
    for (const each of [client, engine]) {
      open.add(each);
      each.on('error', () => undefined).once('close', () => open.delete(each));
    }
    client.pipe(engine).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const each of open) each.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
