import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { create } from 'tar';
import { silentProgress } from '../../../host/lib/index.ts';
import { computeBaseTag } from '../../../host/node/docker/base-images.ts';
import { connectEngine } from '../../../host/node/docker/engine.ts';
import { buildImage } from '../../../host/node/docker/image-build.ts';
import { listNodeImages, pruneNodeImages } from '../../../host/node/docker/image-list.ts';
import { nodeLabel } from '../../../host/node/docker/labels.ts';
import { openEngine } from '../../support/docker-engine.ts';
import { type Dockerd, startDockerd } from '../../support/dockerd.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { never } from '../../support/node-sandbox.ts';

const diskMb = 96;

/** On a separate engine, with no other images, on a disk that is soon full. */
describe('images in an engine', function () {
  let folder: TemporaryFolder;
  let dockerd: Dockerd | undefined;
  let engine: Docker;
  before(async () => {
    // Installs the engine's program if it is missing.
    await openEngine();
    folder = await temporaryFolder();
    const disk = folder.file('disk');
    await writeFile(disk, '');
    await truncate(disk, diskMb * 1024 * 1024);
    execFileSync('mkfs.ext4', ['-q', disk]);
    await mkdir(folder.file('data'));
    execFileSync('mount', ['-o', 'loop', disk, folder.file('data')]);
    dockerd = await startDockerd({
      args: ['--bridge=none', '--iptables=false', '--ip6tables=false'],
      data: folder.file('data'),
    });
    engine = await connectEngine({ DOCKER_HOST: dockerd.host });
  });
  after(async () => {
    await dockerd?.[Symbol.asyncDispose]();
    // The engine may have unmounted it when it ended.
    const mounts = await readFile('/proc/self/mounts', 'utf8');
    if (mounts.includes(` ${folder.file('data')} `)) execFileSync('umount', ['--lazy', folder.file('data')]);
    await folder[Symbol.asyncDispose]();
  });

  it('are listed with their purpose; unneeded ones are removed, and no images of others', async () => {
    const current = await computeBaseTag('sandbox', process.arch);
    const tags = [
      'pwp-node:old',
      'pwp-node:held',
      'pwp-node-layers:old',
      'pwp-node-base:old',
      current,
      'other:1',
    ];
    for (const tag of tags) await importImage(engine, tag);
    await engine.createContainer({ Image: 'pwp-node:held', Cmd: ['none'] });
    await retag(engine, 'pwp-node:twice');
    const states = Object.fromEntries(
      (await listNodeImages(engine)).map(({ kind, name, current, used, bytes }) => {
        assert.ok(bytes > 0);
        return [kind === 'rest' ? 'rest' : name, [kind, current, used]];
      }),
    );
    assert.deepEqual(states, {
      'pwp-node:old': ['node', false, false],
      'pwp-node:held': ['node', false, true],
      'pwp-node:twice': ['node', false, false],
      'pwp-node-layers:old': ['node-layers', false, false],
      'pwp-node-base:old': ['node-base', false, false],
      [current]: ['node-base', true, false],
      rest: ['rest', false, false],
    });
    const pruned = await pruneNodeImages(engine);
    assert.ok(pruned.freedBytes > 0);
    const removed = pruned.removed.map(({ kind, name }) => (kind === 'rest' ? kind : name));
    assert.deepEqual(removed.sort(), [
      'pwp-node-base:old',
      'pwp-node-layers:old',
      'pwp-node:old',
      'pwp-node:twice',
      'rest',
    ]);
    const left = (await engine.listImages()).flatMap(({ RepoTags }) => RepoTags ?? []);
    assert.deepEqual(left.sort(), [current, 'other:1', 'pwp-node:held'].sort());
    assert.deepEqual(await pruneNodeImages(engine), { removed: [], freedBytes: 0 });
  });

  it('that do not fit on the disk report a full disk, and leave nothing behind', async () => {
    await using context = await temporaryFolder();
    await writeFile(context.file('Dockerfile'), 'FROM scratch\nCOPY big /big');
    await writeFile(context.file('big'), Buffer.alloc(diskMb * 1024 * 1024, 'x'));
    const build = { tag: 'pwp-node:big', name: 'the trial', context: context.path, arguments: {} };
    await assert.rejects(buildImage(engine, { ...build, progress: silentProgress, signal: never }), {
      code: 'disk-full',
    });
    // There is room again, so the part that was written is gone.
    await writeFile(context.file('big'), Buffer.alloc(8 * 1024 * 1024, 'x'));
    await buildImage(engine, { ...build, progress: silentProgress, signal: never });
  });
});

async function importImage(engine: Docker, name: string): Promise<void> {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('name'), name);
  const archive = Readable.from(create({ cwd: folder.path }, ['name']));
  const [repo, tag] = name.split(':');
  const answer = await engine.importImage(archive, { repo, tag, changes: `LABEL ${nodeLabel}=image` });
  await new Promise<void>((resolve, reject) =>
    engine.modem.followProgress(answer, (error) => (error ? reject(error) : resolve())),
  );
}

/** Leaves the first of two images without its tag, as a repeated build does. */
async function retag(engine: Docker, name: string): Promise<void> {
  await importImage(engine, name);
  await importImage(engine, name);
}
