import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Sandbox } from '../../../host/node/index.ts';
import { noteAttack } from '../../support/attacks.ts';
import { attempts, holding, onTheNeighbour } from '../../support/attempts.ts';
import { onEachNode, type OpenedNode } from '../../support/each-node.ts';
import { bareSpec, bash, says } from '../../support/node-sandbox.ts';
import { slowIt } from '../../support/slow.ts';

const small = { cpus: 1, memoryMb: 256, pids: 128, diskMb: 64 };
/** Longest time for the IDE to start on a busy machine, in milliseconds. */
const readyMs = 90_000;
/** Longest time for one attempt, in milliseconds: those that wait for an answer give up after 2 s. */
const attemptMs = 20_000;

onEachNode('from inside a sandbox', (open, kind) => {
  let test: OpenedNode;
  let neighbour: Sandbox;
  let server: Server;
  let services: Promise<unknown> | undefined;
  before(async function () {
    if (process.arch !== 'x64') this.skip();
    test = await open();
    neighbour = await test.node.start(bareSpec({ name: 'neighbour' }));
    await says(neighbour, 'touch /root/secret-of-the-neighbour');
    services = bash(neighbour, holding, { timeoutMs: 280_000 }).catch(() => undefined);
    await says(neighbour, 'until pgrep -f 7654321 && ls /tmp/X7; do :; done');
    server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server?.close();
    await test?.[Symbol.asyncDispose]();
    await services;
  });

  const tried = () => attempts(neighbour.id, (server.address() as AddressInfo).port);

  it('each attempt on the neighbour would succeed without the wall', async () => {
    for (const [what, line] of Object.entries(onTheNeighbour))
      assert.equal((await bash(neighbour, line)).exitCode, 0, what);
    await access(join(test.root, 'run/pwp', neighbour.id));
  });

  it('each program that an attempt needs exists', async () => {
    const programs =
      'python3 pgrep ps find mount mknod dmesg unshare nsenter date hostname chrt renice head ls touch';
    const { stdout } = await bash(
      neighbour,
      `for name in ${programs}; do command -v $name || echo no $name; done`,
    );
    assert.doesNotMatch(stdout, /^no /m);
  });

  for (const role of ['bare', 'ide'] as const) {
    const one = role === 'ide' ? it : slowIt;
    one(`no attempt succeeds in a sandbox with role ${role}`, async () => {
      await using attacker = await test.node.start(
        bareSpec({ name: 'attacker', role, ...(role === 'bare' && { limits: small }) }),
      );
      if (role === 'ide') await attacker.ready({ signal: AbortSignal.timeout(readyMs) });
      const got: string[] = [];
      for (const [what, line] of Object.entries(tried())) {
        const { exitCode, stdout, stderr } = await bash(attacker, line, { timeoutMs: attemptMs });
        const held = exitCode !== 0 && exitCode !== 127 && exitCode !== null;
        noteAttack({ on: `the machine and other sandboxes, from role ${role}`, what, node: kind, held });
        if (exitCode === 0) got.push(`${what}: ${stdout}${stderr}`);
        // 127: the program does not exist; null: it hung. Neither is a refusal.
        else if (exitCode === 127 || exitCode === null) got.push(`${what} was not tried: ${stderr}`);
      }
      assert.deepEqual(got, []);
      assert.equal(await says(neighbour, 'echo alive'), 'alive');
    });
  }

  slowIt('no exhaustion reaches another sandbox', async () => {
    await using attacker = await test.node.start(bareSpec({ name: 'attacker', limits: small }));
    for (const [what, line] of Object.entries({
      'a fork bomb': 'f() { f | f & }; f; wait',
      'a memory hog': 'python3 -c "b\'x\' * 10_000_000_000"',
      'ten thousand open files': `python3 -c 'import os; [os.open("/etc/passwd", 0) for _ in range(10000)]'`,
      'a hundred gigabytes': 'dd if=/dev/zero of=/root/big bs=1M count=100000; rm /root/big',
    })) {
      await bash(attacker, line, { timeoutMs: 3000 });
      assert.equal(await says(neighbour, 'echo alive > /root/x; cat /root/x'), 'alive', what);
      assert.equal(await says(attacker, 'echo again'), 'again', what);
    }
  });
});
