import assert from 'node:assert/strict';
import { explainFetchFailure } from '../../../host/node/root-image/fetch-failures.ts';
import { parseManifest } from '../../../host/node/root-image/fetch-image.ts';
import { readToolError } from '../../../host/node/root-image/image-tools.ts';
import { imageArchitecture, parseImageConfig } from '../../../host/node/root-image/root-config.ts';
import { stackLayers, type StoredLayer } from '../../../host/node/root-image/storage-files.ts';
import { findOrphans } from '../../../host/node/root-image/stray-layers.ts';

const parse = (config: object) =>
  parseImageConfig(JSON.stringify({ architecture: 'amd64', ...config })).config;

describe('the configuration of an image', () => {
  it('is read with its variables, user and folder', () => {
    const config = parse({
      config: {
        ...{ Env: ['PATH=/a:/b', 'EMPTY=', 'PAIR=a=b', 'broken', 'PAIR=c=d'], User: 'agent:users' },
        ...{ WorkingDir: '/testbed/', Entrypoint: ['/bin/sh'], Cmd: null, Shell: ['/bin/bash', '-lc'] },
      },
    });
    assert.deepEqual(config, {
      env: { PATH: '/a:/b', EMPTY: '', PAIR: 'c=d' },
      ...{ user: 'agent:users', workdir: '/testbed', entrypoint: ['/bin/sh'], cmd: [] },
      shell: ['/bin/bash', '-lc'],
    });
  });

  it('has defaults as engines have them', () => {
    for (const empty of [{}, { config: null }, { config: { User: '', WorkingDir: '', Env: null } }]) {
      const { env, user, workdir, entrypoint } = parse(empty);
      assert.deepEqual([env['PATH']?.includes('/usr/bin'), user, workdir, entrypoint], [true, '0', '/', []]);
    }
  });

  it('is refused if it is not one, or for another system', () => {
    for (const text of ['', '{}', '[]', '{"architecture":1}', '{"architecture":"a","config":{"Env":[1]}}'])
      assert.throws(() => parseImageConfig(text), { code: 'bad-image' }, text);
    assert.throws(() => parseImageConfig('{"architecture":"amd64","os":"windows"}'), {
      code: 'other-architecture',
    });
  });

  it('names machines as images do', () => {
    assert.deepEqual(['x64', 'arm64', 'loong64'].map(imageArchitecture), ['amd64', 'arm64', 'loong64']);
  });
});

describe('the manifest of an image', () => {
  it('is of one image or of several', () => {
    const one = parseManifest('{"layers":[{"digest":"sha256:1","size":5}]}');
    assert.deepEqual(one, { layers: [{ digest: 'sha256:1', size: 5 }], platforms: null });
    const platform = (architecture: string, os = 'linux') => ({ platform: { architecture, os } });
    const manifests = [platform('amd64'), platform('arm64'), platform('arm64'), platform('amd64', 'windows')];
    assert.deepEqual(parseManifest(JSON.stringify({ manifests })).platforms, ['amd64', 'arm64']);
    assert.throws(() => parseManifest('<html>'), { code: 'bad-image' });
  });
});

describe('what tools for images say', () => {
  it('is read without the form of their logs', () => {
    const log = 'Getting image\ntime="now" level=fatal msg="reading \\"a\\": manifest unknown"\n';
    assert.equal(readToolError(log), 'reading "a": manifest unknown');
    assert.equal(
      readToolError('STEP 1\nError: building at STEP "RUN false": exit status 1\n'),
      'building at STEP "RUN false": exit status 1',
    );
    assert.equal(readToolError('unshare: failed'), 'unshare: failed');
    assert.equal(readToolError(''), '');
  });

  it('becomes an error that can be acted on', () => {
    const code = (said: string) => explainFetchFailure('debian', said).code;
    assert.equal(code('reading manifest 2 in docker.io/library/debian: manifest unknown'), 'no-such-image');
    assert.equal(code('requested access to the resource is denied'), 'no-such-image');
    assert.equal(
      code('Get "https://r/v2/": dial tcp 127.0.0.1:5: connect: connection refused'),
      'registry-unreachable',
    );
    assert.equal(code('write /x: no space left on device'), 'disk-full');
    assert.equal(code('no image found in image index for architecture amd64'), 'other-architecture');
    assert.equal(code('something new'), 'command-failed');
    const damaged = explainFetchFailure(
      'debian',
      'storing blob to file "/t/2": Digest did not match, expected sha256:ab, got sha256:cd',
    );
    assert.equal(damaged.code, 'bad-image');
    assert.match(damaged.message, /layer sha256:ab is damaged/);
  });
});

describe('layers in the store', () => {
  const layer = (id: string, parent: string | null, incomplete = false): [string, StoredLayer] => [
    id,
    { id, parent, bytes: 1, digests: [], incomplete },
  ];

  it('are stacked from the topmost down', () => {
    const layers = new Map([layer('a', null), layer('b', 'a'), layer('c', 'b')]);
    assert.deepEqual(
      stackLayers(layers, 'c').map(({ id }) => id),
      ['c', 'b', 'a'],
    );
    assert.deepEqual(stackLayers(layers, null), []);
  });

  it('are not used unless all are whole', () => {
    for (const broken of [layer('a', null, true), layer('a', 'gone'), layer('a', 'b')])
      assert.throws(() => stackLayers(new Map([broken, layer('b', 'a')]), 'b'), { code: 'bad-image' });
    assert.deepEqual(
      stackLayers(new Map([layer('b', 'a')]), 'b', { partly: true }).map(({ id }) => id),
      ['b'],
    );
  });

  it('without an image are found', () => {
    const layers = new Map([layer('a', null), layer('b', 'a'), layer('c', 'a'), layer('d', 'c')]);
    assert.deepEqual(
      findOrphans([{ id: '1', layer: 'b' }], layers).map(({ id }) => id),
      ['c', 'd'],
    );
  });
});
