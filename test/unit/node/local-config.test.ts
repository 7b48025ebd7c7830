import assert from 'node:assert/strict';
import { buildRuncConfig } from '../../../host/node/container/bundle.ts';
import { buildLaterProcess, desktopUser } from '../../../host/node/container/container-processes.ts';
import { splitInsidePath } from '../../../host/node/container/files-inside.ts';
import { buildSandboxPaths, isSandboxId, newSandboxId } from '../../../host/node/container/sandbox-record.ts';
import { seccompProfile } from '../../../host/node/container/seccomp.ts';
import { toSandboxName } from '../../../host/node/index.ts';

describe("a sandbox's configuration", () => {
  const sandbox = {
    id: 'a-00000000',
    role: 'ide',
    display: { width: 800, height: 600 },
    limits: { cpus: 1.5, memoryMb: 512, pids: 99, diskMb: 64 },
    network: { mode: 'no-network' },
    workspace: '/workspace',
    root: null,
  } as const;
  const paths = buildSandboxPaths('a-00000000', '/home');
  const config = buildRuncConfig(sandbox, paths);

  it("carries the limits in the kernel's units", () => {
    const { cpu, memory, pids } = config.linux.resources;
    assert.deepEqual(cpu, { quota: 150_000, period: 100_000 });
    assert.deepEqual(memory, { limit: 536_870_912, swap: 536_870_912 });
    assert.deepEqual(pids, { limit: 99 });
  });

  it('sends the bridge the size of the screen', () => {
    assert.ok(config.process.env.includes('PWP_WIDTH=800') && config.process.env.includes('PWP_HEIGHT=600'));
  });

  it('names the workspace to the bridge only if it is another one than the default', () => {
    for (const [workspace, named] of [
      ['/workspace', []],
      ['/testbed', ['PWP_WORKSPACE=/testbed']],
    ] as const) {
      const { env } = buildRuncConfig({ ...sandbox, workspace }, paths).process;
      assert.deepEqual(
        env.filter((one) => one.startsWith('PWP_WORKSPACE')),
        named,
      );
      assert.deepEqual(
        env.filter((one) => !one.startsWith('PWP_WORKSPACE')),
        config.process.env,
      );
    }
  });

  it('runs all but the desktop as the user of the image', () => {
    const user = { uid: 1000, gid: 100, groups: [20, 44], home: '/srv/dev' };
    const root = {
      image: 'a',
      digest: `sha256:${'0'.repeat(64)}`,
      layers: ['/l'],
      env: {},
      workdir: '/',
      user,
    };
    const first = buildRuncConfig({ ...sandbox, root }, paths).process;
    assert.deepEqual(first.args.slice(-4), ['1000', '100', '20', '44']);
    assert.deepEqual(first.user, { uid: desktopUser, gid: desktopUser, additionalGids: [] });
    assert.ok(first.env.includes('HOME=/srv/dev'));
    const program = { args: ['id'], cwd: '/', env: {} };
    const later = buildLaterProcess({ role: 'ide', root }, program);
    assert.deepEqual(later.user, { uid: 1000, gid: 100, additionalGids: [20, 44] });
    assert.deepEqual(later.capabilities.bounding, []);
    const grading = buildRuncConfig({ ...sandbox, role: 'bare', root }, paths).process;
    assert.deepEqual(grading.user, { uid: 0, gid: 0, additionalGids: [] });
    const homes = grading.env.filter((one) => one.includes('HOME='));
    assert.deepEqual(homes, ['HOME=/root', 'PWP_AGENT_HOME=/srv/dev']);
  });

  it('keeps socket paths within the 107 bytes that Unix allows', () => {
    const { desk } = buildSandboxPaths(newSandboxId('x'.repeat(32)), '/home');
    assert.ok(`${desk}/bridge.sock`.length <= 107);
  });

  it('names each system call once per meaning', () => {
    const plain = seccompProfile().syscalls.filter(({ args }) => args === undefined);
    const names = plain.flatMap((rule) => rule.names);
    assert.deepEqual(names.length, new Set(names).size);
    for (const forbidden of [
      'mount',
      'bpf',
      'keyctl',
      'setns',
      'unshare',
      'userfaultfd',
      'kexec_load',
      'init_module',
    ]) {
      assert.ok(!names.includes(forbidden), forbidden);
    }
  });
});

describe('names and paths', () => {
  it('accept no id that could lead elsewhere', () => {
    assert.ok(isSandboxId(newSandboxId('task-3')));
    for (const id of [
      '',
      '..',
      'runc',
      'a',
      'a/b-12345678',
      '-a-12345678',
      'a-1234567',
      `${'x'.repeat(33)}-12345678`,
    ]) {
      assert.ok(!isSandboxId(id), id);
    }
    for (const name of ['', '../x', 'a b', 'ä', '-x'])
      assert.throws(() => newSandboxId(name), { code: 'bad-name' });
  });

  it('turn any text into a valid sandbox name', () => {
    assert.equal(toSandboxName('vscode/autosave-500'), 'vscode-autosave-500');
    for (const text of [
      '',
      '..',
      '-x',
      'ä',
      'a b/c',
      'general-swe/a-name-that-is-longer-than-any-sandbox-may-carry',
    ])
      assert.ok(isSandboxId(newSandboxId(toSandboxName(text))), text);
  });

  it('split absolute paths and refuse those that climb', () => {
    assert.deepEqual(splitInsidePath('//a/./b/'), ['a', 'b']);
    assert.deepEqual(splitInsidePath('/'), []);
    for (const path of ['', 'a', './a', '/a/../b', '/..', '/a\0b'])
      assert.throws(() => splitInsidePath(path), { code: 'unsafe-path' });
  });
});
