import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { execa } from 'execa';
import { silentProgress } from '../../../host/lib/index.ts';
import { createLimitedGroup } from '../../../host/node/container/index.ts';
import { ensureRootImage, type RootImageOptions } from '../../../host/node/root-image/index.ts';
import type { TemporaryFolder } from '../../support/folder.ts';
import { runOnLayers } from '../../support/mounted-layers.ts';
import { never, ownName } from '../../support/node-sandbox.ts';
import { copyPrograms } from '../../support/rich-layers.ts';
import { storeFolder } from '../../support/store-folder.ts';

/** Addresses of this machine on which its services may listen. */
const ownAddresses = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .filter(({ family }) => family === 'IPv4')
  .map(({ address }) => address);

describe('a Dockerfile of a stranger', function () {
  this.timeout(120_000);
  let folder: TemporaryFolder;
  const asked: string[] = [];
  const service = createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    response.end('secret');
  });
  let port: number;
  before(async () => {
    folder = await storeFolder();
    await mkdir(folder.file('context'));
    await copyPrograms(folder.file('context/root'), ['/bin/sh', '/bin/cat']);
    service.listen(0, '0.0.0.0');
    await once(service, 'listening');
    ({ port } = service.address() as AddressInfo);
  });
  after(async () => {
    service.close();
    await folder[Symbol.asyncDispose]();
  });
  beforeEach(() => void asked.splice(0));
  const build = async (text: string, more: Partial<RootImageOptions> = {}) => {
    const file = folder.file('context/Dockerfile');
    await writeFile(file, text);
    const options = { home: folder.file('home'), progress: silentProgress, signal: never };
    return ensureRootImage(file, { ...options, ...more });
  };

  it('adds nothing that this machine or its network serves', async () => {
    for (const host of [...ownAddresses.map((address) => `${address}:${port}`), '169.254.169.254:80'])
      await assert.rejects(build(`FROM scratch\nADD http://${host}/secret /\n`), {
        code: 'image-build-failed',
        message: new RegExp(`\nrefused: ${host} `),
      });
    assert.deepEqual(asked, []);
  });

  it('adds what a name of the user stands for, through the proxy', async () => {
    const names = { 'mirror.test': '127.0.0.1' };
    const { layers } = await build(`FROM scratch\nCOPY root /\nADD http://mirror.test:${port}/file /\n`, {
      names,
    });
    assert.equal(await runOnLayers(layers, 'cat file'), 'secret');
    assert.deepEqual(asked, [`mirror.test:${port}/file`]);
  });

  it('begins with no image of a registry here, and copies from none', async () => {
    for (const address of ownAddresses) {
      const image = `${address}:${port}/base:1`;
      await assert.rejects(build(`FROM ${image}\n`), {
        code: 'registry-unreachable',
        message: new RegExp(`\nrefused: ${address}:${port} `),
        help: `If it is yours, fetch it first: pwp images pull ${image}`,
      });
      await assert.rejects(build(`FROM scratch\nCOPY --from=${image} /a /\n`), {
        code: 'image-build-failed',
      });
    }
    assert.deepEqual(asked, []);
  });

  it('runs its commands in a group with limits, of which nothing is left', async () => {
    const { layers } = await build('FROM scratch\nCOPY root /\nRUN cat /proc/self/cgroup > /groups\n');
    const groups = await runOnLayers(layers, 'cat groups');
    const group = /pwp-roots\/[0-9a-f]{16}(?=\/commands$)/m.exec(groups)?.[0] ?? '';
    assert.notEqual(group, '', groups);
    const { stdout } = await execa('find', ['/sys/fs/cgroup', '-path', `*/${group}`]);
    assert.equal(stdout, '');
  });
});

describe('a group with limits', function () {
  this.timeout(60_000);
  const run = async (limits: { memoryMb: number; pids: number }, script: string) => {
    await using group = await createLimitedGroup(`/pwp-roots/${ownName('test')}`, limits);
    const [file = '', ...words] = [...group.within, 'sh', '-c', script];
    return await execa(file, words, { reject: false });
  };

  it('ends a program that takes more memory', async () => {
    const { signal, stdout } = await run({ memoryMb: 64, pids: 50 }, 'echo begins; exec tail /dev/zero');
    assert.deepEqual([signal, stdout], ['SIGKILL', 'begins']);
  });

  it('lets no more processes begin, and ends them with it', async () => {
    const script = 'for i in 1 2 3 4 5 6; do sleep 1234567 > /dev/null 2>&1 & done; echo begun';
    const { stderr, stdout } = await run({ memoryMb: 64, pids: 4 }, script);
    assert.match(stderr, /Cannot fork/);
    assert.equal(stdout, '');
    assert.equal((await execa('pgrep', ['-f', 'sleep 1234567'], { reject: false })).stdout, '');
  });
});
