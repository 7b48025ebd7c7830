import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { tools } from '../../../bridge/protocol/index.ts';
import { readBridgeConfig } from '../../../bridge/src/config.ts';
import { checkpointMetaSchema } from '../../../host/node/checkpoint-store/checkpoint-files.ts';
import { checkWorkspace } from '../../../host/node/sandbox-spec.ts';
import { metaOf } from '../../support/checkpoint-dump.ts';

const prompts = new URL('../../../host/run/agents/prompts/', import.meta.url);

describe('the path of a workspace', () => {
  for (const path of [
    '/workspace',
    '/testbed',
    '/app',
    '/root',
    '/home/user/my-app_2.0',
    '/usr/src/app',
    '/opt/x',
  ])
    it(`may be ${path}`, () => assert.doesNotThrow(() => checkWorkspace({ workspace: path })));

  const refused: Readonly<Record<string, readonly string[]>> = {
    'is not absolute and plain': [
      '',
      'app',
      './app',
      '/a b',
      '/a\n',
      '/ä',
      '/a"',
      '/a:b',
      '/a,b',
      '/$a',
      '/a\0',
    ],
    'is not normalised': ['/', '//', '/a/', '//a', '/a//b', '/.', '/..', '/a/..', '/a/../b', '/a/./b'],
    'is ours, or holds what is': [
      '/desk',
      '/desk/x',
      '/desk-profile',
      '/ide',
      '/ide/data',
      '/run',
      '/run/pwp',
    ],
    'is ours, in /opt': ['/.pwp', '/.pwp/x', '/opt', '/opt/pwp', '/opt/node/lib', '/opt/code-server'],
    'is of grading': ['/tests', '/tests/x', '/logs', '/solution'],
    'is of the system': [
      '/proc',
      '/sys/x',
      '/dev',
      '/etc',
      '/usr',
      '/usr/local',
      '/usr/bin',
      '/bin',
      '/lib64',
    ],
    'is too long': [`/${'a'.repeat(200)}`],
  };
  for (const [why, paths] of Object.entries(refused))
    it(`is refused where it ${why}`, () => {
      for (const workspace of paths)
        assert.throws(() => checkWorkspace({ workspace }), { code: 'bad-workspace' }, workspace);
    });

  it('is read by the bridge from its environment', () => {
    assert.equal(readBridgeConfig({}).workspace, '/workspace');
    const { workspace, env } = readBridgeConfig({ PWP_WORKSPACE: '/testbed', HOME: '/root' });
    assert.deepEqual([workspace, env], ['/testbed', { HOME: '/root' }]);
    assert.throws(() => readBridgeConfig({ PWP_WORKSPACE: '/ide' }), /PWP_WORKSPACE/);
  });

  it('is the default one in checkpoints of earlier versions, and checked in those of others', () => {
    const earlier: { workspace?: string } = metaOf();
    delete earlier.workspace;
    assert.equal(checkpointMetaSchema.parse(earlier).workspace, '/workspace');
    assert.equal(checkpointMetaSchema.parse(metaOf({ workspace: '/testbed' })).workspace, '/testbed');
    assert.throws(() => checkpointMetaSchema.parse(metaOf({ workspace: '/etc' })));
  });

  it('is in no prompt and no description of a tool: an agent learns it from its IDE', async () => {
    const names = await readdir(prompts);
    assert.ok(names.length > 0);
    for (const name of names)
      assert.doesNotMatch(await readFile(new URL(name, prompts), 'utf8'), /\/workspace/);
    for (const { name, description } of tools) assert.doesNotMatch(description, /\/workspace/, name);
  });
});
