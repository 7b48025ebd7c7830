import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { silentProgress } from '../../../host/lib/index.ts';
import { connectEngine } from '../../../host/node/docker/engine.ts';
import { buildImage } from '../../../host/node/docker/image-build.ts';
import { openEngineImages } from '../../../host/node/docker/saved-images.ts';
import { ensureRootImage } from '../../../host/node/root-image/index.ts';
import { openEngine } from '../../support/docker-engine.ts';
import { runOnLayers } from '../../support/mounted-layers.ts';
import { never } from '../../support/node-sandbox.ts';
import { makeArchive } from '../../support/oci-layout.ts';
import { listRichRoot, richLayers, richListing } from '../../support/rich-layers.ts';
import { storeFolder } from '../../support/store-folder.ts';

const name = `pwp-test-root-${process.pid}`;

describe('an image of the engine, for the root of an agent', function () {
  this.timeout(300_000);
  before(() => openEngine());

  it('has its files and configuration, and is fetched again when its name means another', async () => {
    const engine = await connectEngine();
    await using folder = await storeFolder();
    const ensure = (home = 'home') =>
      ensureRootImage(`engine:${name}`, {
        ...{ home: folder.file(home), progress: silentProgress, signal: never },
        engine: () => Promise.resolve(openEngineImages(engine)),
      });
    const put = async () => {
      const archive = Readable.from([makeArchive(richLayers[0] ?? [])]);
      const changes = 'USER 1234\nWORKDIR /work\nENV A=b';
      const answer = await engine.importImage(archive, { repo: name, tag: 'latest', changes });
      await finished(answer.resume());
    };
    const build = async () => {
      await mkdir(folder.file('context'));
      await writeFile(folder.file('context/Dockerfile'), `FROM ${name}\nCOPY Dockerfile /added\nENV A=c\n`);
      const parts = { tag: name, name: 'an image', context: folder.file('context'), arguments: {} };
      await buildImage(engine, { ...parts, progress: silentProgress, signal: never });
    };
    try {
      await put();
      const first = await ensure();
      const { user, workdir, env } = first.config;
      assert.deepEqual([user, workdir, env['A']], ['1234', '/work', 'b']);
      const listed = (await runOnLayers(first.layers, listRichRoot)).split('\n');
      for (const line of richListing.filter((one) => !/folder|emptied/.test(one)))
        assert.ok(listed.includes(line), line);
      assert.equal((await ensure()).digest, first.digest);
      await build();
      const second = await ensure();
      assert.ok(second.layers.length > first.layers.length);
      assert.equal(second.config.env['A'], 'c');
      assert.match(await runOnLayers(second.layers, 'cat added && ls'), /^FROM [^]*\ncapable/);
    } finally {
      await engine.getImage(name).remove({ force: true });
    }
    const gone = { code: 'no-such-image', message: /engine: it has no image/ };
    await assert.rejects(ensure('new'), gone);
  });
});
