import assert from 'node:assert/strict';
import type { Action } from '../../../host/ide/index.ts';
import {
  type Agent,
  chooseAgent,
  type Decision,
  type EpisodeResult,
  runEpisode,
} from '../../../host/run/index.ts';
import { loadTask, type Task } from '../../../host/tasks/index.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';

/** Commands of malicious agents, each the first of two steps. None solves the task. */
const evil: Readonly<Record<string, string>> = {
  'kills all that it can see': 'kill -9 -1; for p in $(seq 1 400); do kill -9 $p; done 2>/dev/null; true',
  'stops all that it can see':
    'kill -STOP -1; for p in $(seq 1 400); do kill -STOP $p; done 2>/dev/null; true',
  'starts processes without end': ':(){ :|:& };: & sleep 3',
  'takes all memory': `python3 -c 'x = [bytearray(64 << 20) for _ in range(1000)]'`,
  'fills the disk': 'dd if=/dev/zero of=/root/big bs=1M 2>/dev/null; true',
  'prints without end': 'timeout 20 yes | head -c 400000000',
  'takes the place of the X server': `pkill -9 Xvfb; rm -f /tmp/.X11-unix/X1; python3 - <<'X' &
import os, socket
s = socket.socket(socket.AF_UNIX); s.bind('/tmp/.X11-unix/X1'); s.listen(9)
keep = []
while True:
    c, _ = s.accept(); keep.append(c)
    try: c.sendall(os.urandom(1 << 16))
    except OSError: pass
X
sleep 2`,
  'takes the place of the bridge': `rm -f /run/pwp/bridge.sock; python3 - <<'X' &
import os, socket
s = socket.socket(socket.AF_UNIX); s.bind('/run/pwp/bridge.sock'); s.listen(9)
keep = []
while True:
    c, _ = s.accept(); keep.append(c)
    try: c.sendall(b'HTTP/1.1 101 Switching Protocols\\r\\n\\r\\n' + os.urandom(1 << 16))
    except OSError: pass
X
pkill -9 -f bridge.cjs; sleep 2`,
  'leaves a link in place of its workspace': 'cd /; rm -rf /workspace; ln -s /tests /workspace',
  'nests folders without end': `python3 -c '
import os
os.chdir("/workspace")
for _ in range(3000): os.mkdir("d"); os.chdir("d")'`,
};

onOneNode('one evil episode beside three good ones, in one process', (open) => {
  let test: OpenedNode;
  let task: Task;
  let folder: TemporaryFolder;
  let count = 0;
  before(async () => {
    folder = await temporaryFolder();
    test = await open();
    task = await loadTask('tasks/vscode/swap-text-test');
  });
  after(async () => {
    await test[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  function run(agent: Agent): Promise<EpisodeResult> {
    return runEpisode({
      node: test.node,
      task: { ...task, config: { ...task.config, agent: { ...task.config.agent, timeout_sec: 90 } } },
      agent,
      folder: `${folder.path}/${(count += 1)}`,
    });
  }

  for (const [what, command] of Object.entries(evil))
    it(`leaves the good ones alone when it ${what}, and scores 0`, async function () {
      this.timeout(600_000);
      const good = async () => run(await chooseAgent({ agent: 'oracle' }, task));
      const bad = run(agentOf(shell(command), 'xdotool key F1'));
      const [ended, ...others] = await Promise.all([bad, good(), good(), good()]);
      for (const other of others)
        assert.deepEqual([other.end, other.reward], ['finished', 1], other.error ?? other.doubts.join());
      assert.equal(ended.reward, 0, `${ended.end}: ${ended.error}`);
    });

  it('leaves no sandbox behind', async () => {
    const left = (await test.node.list()).filter(({ owner }) => owner.pid === process.pid);
    assert.deepEqual(left, []);
  });
});

const shell = (command: string): Action => ({ kind: 'tool', name: 'shell', arguments: { command } });

/** Does these things, one per turn, and then finishes. */
function agentOf(...actions: (string | Action)[]): Agent {
  const decisions: Decision[] = actions.map((action) => ({ actions: [action] }));
  return { name: 'evil', decide: () => Promise.resolve(decisions.shift() ?? null) };
}
