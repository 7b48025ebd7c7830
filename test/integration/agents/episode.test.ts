import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Action, takeControl } from '../../../host/ide/index.ts';
import type { Node } from '../../../host/node/index.ts';
import { writeReport } from '../../../host/doors/report/index.ts';
import {
  type Agent,
  type Decision,
  type EpisodeHistory,
  type EpisodeResult,
  readRecord,
  runEpisode,
} from '../../../host/run/index.ts';
import { loadTask, type Task } from '../../../host/tasks/index.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { killInside } from '../../support/kill-inside.ts';
import { slowIt } from '../../support/slow.ts';

const never = new AbortController().signal;
const shell = (command: string): Action => ({ kind: 'tool', name: 'shell', arguments: { command } });

/** Does these things, one per turn, and then finishes. */
function agentOf(...actions: (string | Action)[]): Agent {
  const decisions: Decision[] = actions.map((action) => ({ actions: [action] }));
  return { name: 'test', decide: () => Promise.resolve(decisions.shift() ?? null) };
}

onOneNode('an episode', (open) => {
  let test: OpenedNode;
  let node: Node;
  let task: Task;
  let folder: TemporaryFolder;
  before(async () => {
    folder = await temporaryFolder();
    test = await open();
    node = test.node;
    task = await loadTask('tasks/vscode/swap-text-test');
  });
  after(async () => {
    await test[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  async function run(
    name: string,
    agent: Agent,
    more: { maxSteps?: number; signal?: AbortSignal; task?: Task; suppress?: number } = {},
  ): Promise<{ result: EpisodeResult; history: EpisodeHistory }> {
    const path = join(folder.path, name);
    const result = await runEpisode({ node, task, agent, folder: path, writeReport, signal: never, ...more });
    return { result, history: await readRecord(path) };
  }

  /** Kills processes of the desktop before the first step, as the machine might; the agent itself can't. */
  function killing(pattern: RegExp, ...lines: string[]): Agent {
    const agent = agentOf(...lines);
    let isFirst = true;
    return {
      ...agent,
      decide: async (...given) => {
        const victims = isFirst ? await ours() : [];
        isFirst = false;
        for (const id of victims) await killInside(id, pattern);
        return agent.decide(...given);
      },
    };
  }

  /** Others may have sandboxes on this machine. */
  async function ours(): Promise<string[]> {
    const list = await node.list();
    return list.filter(({ owner }) => owner.pid === process.pid).map(({ id }) => id);
  }

  slowIt('continues when the browser dies, and records it', async () => {
    const { result, history } = await run('browser', killing(/chromium/, 'xdotool key F1'));
    assert.equal(result.end, 'finished', result.error ?? '');
    assert.equal(result.reward, 0);
    const seen = history.steps.flatMap(({ services }) => services);
    const back = seen.find(
      ({ name, state, restarts }) => name === 'chromium' && state === 'ready' && restarts > 0,
    );
    assert.ok(back, JSON.stringify(seen));
    assert.equal(result.rewardTrustworthy, false);
    assert.match(result.doubts.join(), /chromium died \(step 1.*\) and came back/);
    assert.deepEqual(history.result.deaths, result.deaths);
    assert.match(await readFile(result.report ?? '', 'utf8'), /This score is suspect/);
  });

  slowIt('does not count a window that the agent reloads as a death', async () => {
    const reload = ['xdotool key F1', "xdotool type 'Developer: Reload Window'", 'xdotool key Return'];
    const { result } = await run('reload', agentOf(...reload, 'xdotool key F1'));
    assert.deepEqual([result.deaths, result.rewardTrustworthy], [[], true]);
  });

  slowIt('is graded by its disk when the sandbox dies, and says that the score is suspect', async () => {
    const { result, history } = await run('bridge', killing(/bridge\.cjs desktop$/, 'xdotool key F1'));
    assert.equal(result.end, 'sandbox-failed', result.error ?? '');
    assert.deepEqual([result.reward, result.rewardTrustworthy], [0, false]);
    assert.ok(result.error !== null && result.error.length > 0);
    assert.ok(history.result.checks.length > 0);
    assert.match(history.grade?.unwritten ?? '', /./);
    assert.deepEqual(history.result.changes, { patch: 'changes.patch', files: 0, added: 0, removed: 0 });
    assert.deepEqual(await ours(), []);
  });

  slowIt('ends at the step limit and is graded in its state then', async () => {
    const endless = agentOf(...Array.from({ length: 9 }, () => 'xdotool key Right'));
    const { result } = await run('limit', endless, { maxSteps: 2 });
    assert.deepEqual([result.end, result.steps, result.reward], ['step-limit', 2, 0]);
  });

  slowIt('ends at the time limit and is graded in its state then', async () => {
    const shortly = { ...task, config: { ...task.config, agent: { ...task.config.agent, timeout_sec: 1 } } };
    const slow: Agent = {
      name: 'test',
      decide: async (_, { signal }) => {
        await once(signal, 'abort');
        throw signal.reason;
      },
    };
    const { result, history } = await run('time', slow, { task: shortly });
    assert.deepEqual([result.end, result.steps, result.reward], ['time-limit', 0, 0]);
    assert.equal(history.result.rewardTrustworthy, true);
  });

  slowIt(
    'waits while a person has control, tells the agent what they changed, and records what they did',
    async () => {
      const reported: (string | undefined)[] = [];
      let helping = Promise.resolve();
      const agent = agentOf('xdotool key Right', 'xdotool key Left', 'xdotool key Left');
      const helped: Agent = {
        ...agent,
        decide: async (turn, options) => {
          reported.push(turn.observation.personChanges);
          if (reported.length !== 2) return agent.decide(turn, options);
          const [id = ''] = await ours();
          const sandbox = await node.open(id);
          const control = await takeControl(sandbox, { kind: 'person', id: 'ada', name: 'Ada' });
          helping = (async () => {
            // The agent's step is refused meanwhile.
            await control.input([{ kind: 'key', keys: ['ctrl', 'n'], action: 'press', delayMs: 0 }]);
            await sandbox.settle({ capMs: 10_000, pointerOnly: false });
            await control.giveBack();
            await sandbox[Symbol.asyncDispose]();
          })();
          return agent.decide(turn, options);
        },
      };
      const { history } = await run('person', helped);
      await helping;
      const [first, refused, third] = history.steps.map(({ outcomes }) => outcomes[0]);
      assert.notEqual(first?.effect, 'refused');
      assert.deepEqual([refused?.effect, third?.effect === 'refused'], ['refused', false]);
      assert.match(refused?.evidence ?? '', /Ada has control/);
      assert.deepEqual(
        reported.map((text) => text?.startsWith('Ada had control')),
        [undefined, undefined, true, undefined],
      );
      const [people] = history.people;
      assert.match(people?.changes ?? '', /^opened: .*Untitled-1/m);
      assert.deepEqual(
        people?.acts.map(({ action }) => action),
        ['xdotool key ctrl+n'],
      );
    },
  );

  slowIt('silently drops one action, and records what the agent did after it', async () => {
    const palette = ['xdotool key Escape', 'xdotool key F1', 'xdotool key F1'];
    const { history } = await run('dropped', agentOf(...palette), { suppress: 2 });
    const [, dropped, again] = history.steps.map(({ outcomes }) => outcomes[0]);
    assert.deepEqual([dropped?.effect, dropped?.suppressed], ['no-effect', true], dropped?.evidence);
    assert.deepEqual([again?.effect, again?.suppressed], ['confirmed', undefined], again?.evidence);
    assert.deepEqual(history.result.suppressed, { step: 2, then: 'repeated' });
  });

  slowIt('records which limit it hit, and continues', async () => {
    const environment = { ...task.config.environment, storage_mb: 512 };
    const small = { ...task, config: { ...task.config, environment } };
    const fill = 'dd if=/dev/zero of=/root/big bs=1M';
    const { result, history } = await run('disk', agentOf(shell('true'), shell(fill)), { task: small });
    assert.equal(result.end, 'finished', result.error ?? '');
    assert.equal(result.reward, 0);
    assert.match(history.steps[1]?.outcomes[0]?.output ?? '', /No space left on device/);
    // Once for each observation that found the disk full.
    const hits = new Set(history.usages.flatMap(({ hit }) => hit));
    assert.deepEqual([...hits], ['disk']);
    assert.ok(history.result.limitsHit.includes('disk'));
    assert.match(
      await readFile(result.report ?? '', 'utf8'),
      /The sandbox hit the limit of disk: it was full/,
    );
  });

  slowIt('ends without a score when it is cancelled', async () => {
    const stop = new AbortController();
    const agent: Agent = {
      name: 'test',
      decide: () => {
        stop.abort(new Error('enough'));
        return Promise.resolve({ actions: ['xdotool key Right'] });
      },
    };
    const { result } = await run('cancelled', agent, { signal: stop.signal });
    assert.deepEqual([result.end, result.reward], ['cancelled', null]);
    assert.deepEqual(await ours(), []);
  });
});
