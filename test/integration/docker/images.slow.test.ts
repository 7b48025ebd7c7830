import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type Docker from 'dockerode';
import type { PwpError } from '../../../bridge/lib/index.ts';
import { silentProgress } from '../../../host/lib/index.ts';
import { socketConnector } from '../../../host/node/docker/connectors.ts';
import { startContainer } from '../../../host/node/docker/container.ts';
import { chooseLayerSource, connectEngine, readEngineMachine } from '../../../host/node/docker/engine.ts';
import { buildImage } from '../../../host/node/docker/image-build.ts';
import { listBoundFolders } from '../../../host/node/docker/image-list.ts';
import { ensureNodeImage, stageContext } from '../../../host/node/docker/node-image.ts';
import { findImage, locateBaseLayer } from '../../../host/node/image/sandbox-image.ts';
import { createDockerNode, type Node } from '../../../host/node/index.ts';
import { openEngine } from '../../support/docker-engine.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { bareSpec, never, says } from '../../support/node-sandbox.ts';

const options = { progress: silentProgress, signal: never };
const tag = `pwp-test:${process.pid}`;
/** A label on all builds here, to find what failing builds leave in the engine's cache. */
const mark = 'pwp.test';
const labelled = `LABEL ${mark}=${process.pid}`;

describe("the node's image", function () {
  this.timeout(300_000);
  let engine: Docker;
  let node: string;
  before(async () => {
    await openEngine();
    engine = await connectEngine();
    const machine = await readEngineMachine(engine);
    node = await ensureNodeImage(engine, { ...options, machine, layers: 'bound' });
  });
  afterEach(() => forget(engine, tag));
  after(async () => {
    const filters = { dangling: ['true'], label: [`${mark}=${process.pid}`] };
    for (const { Id } of await engine.listImages({ filters })) await forget(engine, Id);
  });

  it('whose build fails at a step reports the last lines, and keeps the whole log', async () => {
    await using context = await temporaryFolder();
    const steps = [`FROM ${node}`, labelled, 'RUN for i in 1 2 3; do echo line $i; done; echo bad; exit 7'];
    await writeFile(context.file('Dockerfile'), steps.join('\n'));
    const building = buildImage(engine, {
      ...options,
      tag,
      name: 'the trial',
      context: context.path,
      arguments: {},
    });
    const error = await building.then(
      () => assert.fail('it was built'),
      (reason: PwpError) => reason,
    );
    assert.equal(error.code, 'image-build-failed');
    assert.match(error.message, /^building the trial failed: .*returned a non-zero code: 7\n/);
    assert.match(error.message, /line 3\n\s+bad/);
    const [log = ''] = /\/\S+\/logs\/pwp-test-\d+\.log/.exec(error.help ?? '') ?? [];
    assert.match(await readFile(log, 'utf8'), /Step 1\/\d [^]*line 1\n[^]*code: 7/);
  });

  it('ends its build when the caller gives up', async () => {
    await using context = await temporaryFolder();
    await writeFile(context.file('Dockerfile'), `FROM ${node}\n${labelled}\nRUN sleep 600`);
    const controller = new AbortController();
    const progress = {
      stage: (name: string) => void (name === 'RUN sleep 600' && controller.abort(new Error('enough'))),
      done: () => {},
    };
    const build = { tag, name: 'the trial', context: context.path, arguments: {} };
    await assert.rejects(buildImage(engine, { ...build, progress, signal: controller.signal }), {
      message: 'enough',
    });
  });

  it('that is complete has its own layers, found by their key, and needs none of this machine', async () => {
    // A small layer replaces the real one, which takes minutes: the Debian that the node itself is on.
    const { rootfs } = await locateBaseLayer(process.arch);
    await buildComplete(engine, node, smallLayer(`/opt/pwp/layers/${rootfs}`));
    const own = await startContainer(
      { engine, image: { tag, layers: [], languages: [] }, connectors: [socketConnector] },
      never,
    );
    try {
      await using sandbox = await own.node.start(bareSpec());
      assert.equal(
        await says(sandbox, 'cat /trial; ls /opt/pwp'),
        'the layer\nbridge.cjs\nextension\nextensions\ninit.pl\nlanguages\npage',
      );
      await says(sandbox, 'echo changed > /trial');
      await using second = await own.node.start(bareSpec());
      assert.equal(await says(second, 'cat /trial'), 'the layer');
    } finally {
      await own.node[Symbol.asyncDispose]();
      await own.container.remove({ force: true, v: true }).catch(() => undefined);
    }
  });

  it('fails to build with a layer of other sources', async () => {
    const other = `/opt/pwp/layers/images/base-${'0'.repeat(16)}/rootfs`;
    await assert.rejects(buildComplete(engine, node, [`RUN mkdir -p ${other}`]), (error: PwpError) => {
      assert.equal(error.code, 'image-build-failed');
      assert.match(error.message, /there is no layer in/);
      return true;
    });
  });

  it('that shares this machine’s layers mounts exactly these, and reports them to a prune as in use', async function () {
    if ((await chooseLayerSource(await readEngineMachine(engine))) !== 'bound') this.skip();
    await using docker: Node & AsyncDisposable = await createDockerNode();
    await using sandbox = await docker.start(bareSpec());
    assert.equal(await says(sandbox, 'echo alive'), 'alive');
    const bound = await listBoundFolders(engine);
    const image = await findImage();
    for (const layer of image?.layers ?? []) assert.ok(bound.includes(join(layer, '..')), layer);
  });
});

/** Steps that make a small layer, of the Debian that they run on. */
function smallLayer(rootfs: string): string[] {
  const parts = 'bin sbin lib lib64 usr etc root tmp';
  return [
    `RUN mkdir -p ${['opt/pwp', 'workspace', 'ide', 'proc', 'sys', 'dev', 'var'].map((name) => `${rootfs}/${name}`).join(' ')}`,
    `RUN cd / && rm usr/local/bin/node && cp -a --parents ${parts} ${rootfs} && echo the layer > ${rootfs}/trial`,
    // What a sandbox without a desktop starts with; this layer is its root, too.
    `RUN mkdir -p ${rootfs}/usr/lib/pwp/bin && cp $(which tini sleep) ${rootfs}/usr/lib/pwp/bin`,
  ];
}

/** The node's image on an image made by these steps. */
async function buildComplete(engine: Docker, node: string, steps: readonly string[]): Promise<void> {
  const below = `${tag}-layers`;
  await using layers = await temporaryFolder();
  await writeFile(layers.file('Dockerfile'), [`FROM ${node}`, labelled, ...steps].join('\n'));
  const build = { ...options, name: 'the trial' };
  try {
    await buildImage(engine, { ...build, tag: below, context: layers.path, arguments: {} });
    await using context = await stageContext(process.arch, never);
    await buildImage(engine, { ...build, tag, context: context.folder, arguments: { BASE: below } });
  } finally {
    await forget(engine, below);
  }
}

async function forget(engine: Docker, name: string): Promise<void> {
  await engine
    .getImage(name)
    .remove({ force: true })
    .catch(() => undefined);
}
