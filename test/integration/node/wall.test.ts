import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { desktop } from '../../../bridge/protocol/index.ts';
import type { Sandbox } from '../../../host/node/index.ts';
import { noteAttack } from '../../support/attacks.ts';
import { onEachNode, type OpenedNode } from '../../support/each-node.ts';
import { bareSpec, bash, says } from '../../support/node-sandbox.ts';
import { slowIt } from '../../support/slow.ts';

/** One line of Python that makes a system call by number and prints its error. */
function syscall(number: number, ...args: number[]): string {
  const call = `c.syscall(${[number, ...args].join(', ')})`;
  return `python3 -c "import ctypes, errno; c = ctypes.CDLL(None, use_errno=True); r = ${call}; print(errno.errorcode.get(ctypes.get_errno(), r))"`;
}

onEachNode('the wall of a sandbox', (open, kind) => {
  let test: OpenedNode;
  let sandbox: Sandbox;
  before(async () => {
    test = await open();
    sandbox = await test.node.start(bareSpec({ limits: { cpus: 1, memoryMb: 256, pids: 64, diskMb: 64 } }));
  });
  after(() => test[Symbol.asyncDispose]());

  it('leaves no network except loopback', async () => {
    assert.equal(await says(sandbox, "grep -c : /proc/net/dev; grep -o 'lo:' /proc/net/dev"), '1\nlo:');
    assert.equal(await says(sandbox, 'wc -l < /proc/net/route'), '1');
    const echo =
      "python3 -c \"import socket; s = socket.create_server(('127.0.0.1', 80)); socket.create_connection(('127.0.0.1', 80)); print('through')\"";
    assert.equal(await says(sandbox, echo), 'through');
  });

  it('grants no capability beyond those of a plain owner of files', async () => {
    const granted = await says(
      sandbox,
      "grep -E 'Cap(Inh|Prm|Eff|Bnd|Amb)' /proc/self/status | cut -f2 | sort -u",
    );
    // chown, dac_override, fowner, fsetid, kill, setgid, setuid, net_bind_service
    assert.deepEqual(granted.split('\n'), ['0000000000000000', '00000000000004fb']);
    assert.equal(await says(sandbox, 'grep NoNewPrivs /proc/self/status | cut -f2'), '1');
    for (const line of [
      'mknod /root/disk b 254 0',
      'mount -t tmpfs x /mnt',
      'hostname other',
      'chroot / true',
      'unshare -U true',
    ]) {
      assert.notEqual((await bash(sandbox, line)).exitCode, 0, line);
    }
  });

  it("answers ENOSYS to calls that a checkpoint can't hold, EPERM to forbidden ones", async function () {
    if (process.arch !== 'x64') this.skip();
    const ioUringSetup = 425;
    const pkeyAlloc = 330;
    const clone3 = 435;
    for (const number of [ioUringSetup, pkeyAlloc, clone3])
      assert.equal(await says(sandbox, syscall(number, 1, 0)), 'ENOSYS');
    const keyctl = 250;
    const bpf = 321;
    const openTree = 428;
    for (const number of [keyctl, bpf, openTree])
      assert.equal(await says(sandbox, syscall(number, 0, 0)), 'EPERM');
  });

  it('hides the machine', async () => {
    assert.equal((await says(sandbox, 'ps -e --no-headers | wc -l')) < '9', true);
    assert.equal(await says(sandbox, 'cat /proc/kcore /proc/keys /proc/timer_list | wc -c'), '0');
    assert.notEqual((await bash(sandbox, 'echo 1 > /proc/sys/kernel/panic')).exitCode, 0);
    assert.notEqual((await bash(sandbox, 'echo b > /proc/sysrq-trigger')).exitCode, 0);
    assert.notEqual((await bash(sandbox, 'touch /sys/kernel/x')).exitCode, 0);
  });

  it("reveals nothing about other sandboxes' disks, and lets programs read what they need", async () => {
    await using other = await test.node.start(bareSpec({ name: 'hidden-one' }));
    const reported = await bash(
      sandbox,
      `cat /sys/block/*/loop/backing_file /sys/devices/virtual/block/*/loop/backing_file /sys/class/block/*/loop/backing_file 2>/dev/null; ls /sys/block /sys/fs/ext4 /proc/fs/ext4 /proc/fs/jbd2 2>/dev/null | grep -E 'loop|vd|sd'; cat /proc/diskstats /proc/partitions 2>/dev/null; grep -rl hidden-one /sys/block /sys/fs /proc/self/mountinfo 2>/dev/null`,
    );
    noteAttack({
      on: 'the wall',
      what: 'reads which other sandboxes run',
      node: kind,
      held: reported.stdout === '',
    });
    assert.equal(reported.stdout, '', other.id);
    const used = 'df -k / | wc -l; nproc; node -p "os.cpus().length > 0 && os.totalmem() > 0"';
    assert.match(await says(sandbox, `PATH=/opt/node/bin:$PATH; ${used}`), /^2\n\d+\ntrue$/);
  });

  it('bounds writes where the host reads', async () => {
    const result = await bash(sandbox, 'head -c 100M /dev/zero > /run/pwp/fill; rm /run/pwp/fill');
    assert.match(result.stderr, /No space left on device/);
  });

  it('keeps a link in a shared folder from leading the host elsewhere', async () => {
    await says(sandbox, 'ln -s /etc/passwd /run/pwp/link');
    await assert.rejects(readFile(join(test.root, 'run/pwp', sandbox.id, 'run/link')), { code: 'ELOOP' });
    await assert.rejects(sandbox.capture());
    await assert.rejects(sandbox.call(desktop.status, {}));
  });

  it('starts without open files and mounts that a checkpoint could not hold', async () => {
    assert.equal(await says(sandbox, 'readlink /proc/1/fd/* | sort -u'), '/dev/null');
    assert.match(await says(sandbox, 'cat /proc/1/mountinfo | grep -c shared: || true'), /^0$/);
  });

  slowIt('enforces the process limit, without harm to others', async () => {
    await using other = await test.node.start(bareSpec());
    const result = await bash(sandbox, 'for i in $(seq 100); do sleep 5 & done; wait', { timeoutMs: 5000 });
    assert.match(result.stderr, /Resource temporarily unavailable/);
    assert.equal(await says(other, 'echo alive'), 'alive');
    assert.equal(await says(sandbox, 'echo again'), 'again');
  });

  it('enforces the memory limit, without harm to others', async () => {
    await using other = await test.node.start(bareSpec());
    const result = await bash(sandbox, 'python3 -c "b\'x\' * 1_000_000_000"');
    assert.equal(result.exitCode, 137);
    assert.equal(await says(other, 'echo alive'), 'alive');
    assert.equal(await says(sandbox, 'echo again'), 'again');
  });
});
