import assert from 'node:assert/strict';
import { deadline, poll } from '../../../bridge/lib/index.ts';
import { shell } from '../../../bridge/protocol/index.ts';
import { Session } from '../../../host/ide/index.ts';
import type { Sandbox } from '../../../host/node/index.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';
import { bareSpec } from '../../support/node-sandbox.ts';

/** Takes all that the kernel gives one user of a resource, prints how much that was, and keeps it. */
const hog = `
import ctypes, errno, fcntl, os, resource, signal, socket, sys, array
libc = ctypes.CDLL(None, use_errno=True)
kept = []
def checked(answer):
    if answer < 0: raise OSError(ctypes.get_errno(), 'refused')
    return answer
def instances():
    checked(libc.inotify_init())
def pages():
    pair = os.pipe(); kept.append(pair)
    fcntl.fcntl(pair[1], 1031, 1 << 20)
def flying():
    pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); kept.append(pair)
    for _ in range(8):
        pair[0].sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [0] * 250))], socket.MSG_DONTWAIT)
def signals():
    checked(libc.sigqueue(os.getpid(), signal.SIGRTMIN, None))
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
take, count, refused = globals()[sys.argv[1]], 0, ''
while not refused and count < 1000000:
    try:
        take(); count += 1
    except OSError as error:
        refused = errno.errorcode[error.errno]
print(count, refused, flush=True)
signal.pause()
`;

/** The resources taken, and how the kernel refuses more of each. */
const shared = [
  ['instances', 'EMFILE'],
  ['pages', 'EPERM'],
  ['flying', 'ETOOMANYREFS'],
  ['signals', 'EAGAIN'],
] as const;

onOneNode('an IDE beside a sandbox that exhausts what the kernel counts per user', (open) => {
  let victim: Ide;
  let session: Session;
  let node: OpenedNode;
  const owned = new AsyncDisposableStack();
  const signal = () => AbortSignal.timeout(90_000);

  before(async () => {
    victim = owned.use(await Ide.start(open, { 'a.txt': '' }));
    session = owned.use(new Session(victim.sandbox, { settleCapMs: 20_000 }));
    await session.settle({ signal: signal() });
    node = owned.use(await open());
  });
  after(() => owned.disposeAsync());

  /** Runs in a separate sandbox, and ends with it. */
  async function takeAll(what: string): Promise<{ readonly sandbox: Sandbox; readonly said: string }> {
    const sandbox = await node.node.start(bareSpec());
    const argv = ['bash', '-c', 'exec python3 -c "$1" "$2" > /tmp/said 2>&1', 'bash', hog, what];
    const spec = { argv, cwd: '/', env: {}, timeoutMs: 600_000, maxOutputBytes: 1000 };
    // It ends with its sandbox.
    sandbox.exec(spec, { signal: AbortSignal.timeout(600_000) }).catch(() => undefined);
    using limit = deadline('what the hog takes', 60_000);
    const probe = async () => {
      const bytes = await sandbox.readFile('/tmp/said', 10_000);
      const text = Buffer.from(bytes ?? []).toString('utf8');
      return text.includes('\n')
        ? ({ done: true, value: text.trim() } as const)
        : ({ done: false, saw: text } as const);
    };
    return { sandbox, said: await poll('the hog', probe, { intervalMs: 200, signal: limit.signal }) };
  }

  for (const [what, refusal] of shared)
    it(`takes steps and runs programs while all ${what} are taken`, async () => {
      const { sandbox, said } = await takeAll(what);
      try {
        assert.match(said, new RegExp(`^[1-9]\\d* ${refusal}$`));
        const { info } = await session.step(['xdotool key ctrl+n', `xdotool type ${what}`], {
          signal: signal(),
        });
        assert.deepEqual(
          info.outcomes.map(({ effect }) => effect),
          ['confirmed', 'confirmed'],
        );
        const { stdout } = await victim.sandbox.call(shell.run, { command: 'seq 100000 | tail -1' });
        assert.equal(stdout, '100000\n');
      } finally {
        await sandbox.stop();
      }
    });
});
