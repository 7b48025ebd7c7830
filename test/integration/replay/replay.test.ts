import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Action } from '../../../host/ide/index.ts';
import type { Node } from '../../../host/node/index.ts';
import { writeReport } from '../../../host/doors/report/index.ts';
import {
  type Agent,
  continueEpisode,
  type EpisodeHistory,
  type EpisodeResult,
  readRecord,
  replay,
  runEpisode,
} from '../../../host/run/index.ts';
import { loadTask, type Task } from '../../../host/tasks/index.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { slowIt } from '../../support/slow.ts';

const never = new AbortController().signal;
const shell = (command: string): Action => ({ kind: 'tool', name: 'shell', arguments: { command } });

/** Clicks a mark, types, writes a file, and writes one whose content differs each time. */
function clicker(): Agent {
  const rest = ["xdotool type 'needle'", shell('echo one > one.txt'), shell('date +%s%N > when.txt')];
  let hasClicked = false;
  return {
    name: 'clicker',
    decide: ({ observation }) => {
      const search = observation.marks.find(({ role, name }) => role === 'tab' && /^Search/.test(name));
      const action = hasClicked ? rest.shift() : `click [${search?.id ?? 0}]`;
      hasClicked = true;
      return Promise.resolve(action === undefined ? null : { actions: [action] });
    },
  };
}

onOneNode('an episode, and its replay', (open) => {
  let test: OpenedNode;
  let node: Node;
  let task: Task;
  let folder: TemporaryFolder;
  let history: EpisodeHistory;
  let result: EpisodeResult;
  before(async () => {
    folder = await temporaryFolder();
    test = await open();
    node = test.node;
    task = await loadTask('tasks/vscode/swap-text-test');
    const path = folder.file('episode');
    const given = { node, task, agent: clicker(), folder: path, checkpointEvery: 2, signal: never };
    result = await runEpisode({ ...given, writeReport });
    history = await readRecord(path);
  });
  after(async () => {
    await test[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  it('has a record of what the agent changed of its workspace, as a patch', async () => {
    assert.equal(result.end, 'finished', result.error ?? '');
    const patch = await readFile(join(result.folder, 'changes.patch'), 'utf8');
    const { changes } = history.result;
    assert.deepEqual(changes, { patch: 'changes.patch', files: 2, added: 2, removed: 0 }, patch);
    assert.match(patch, /^\+\+\+ b\/one\.txt\n@@ -0,0 \+1 @@\n\+one$/m);
    assert.match(
      await readFile(result.report ?? '', 'utf8'),
      /What the agent changed in its workspace: 2 files, \+2 −0/,
    );
  });

  slowIt('plays the actions again, and reports where the state differs', async () => {
    await using replayed = await replay({ node, task, history, to: 4, checkpoints: false });
    const { report } = replayed;
    const files = report.steps.map(({ step, differences }) => [
      step,
      differences.flatMap((one) => (one.what === 'files' ? one.paths : [])),
    ]);
    assert.deepEqual(files, [
      [0, []],
      [1, []],
      [2, []],
      [3, []],
      [4, ['/workspace/when.txt']],
    ]);
    assert.deepEqual([report.reached, report.stopped, report.end], [4, null, 'apart']);
    const [, clicked] = report.steps;
    assert.match(clicked?.actions.join() ?? '', /^click \[\d+\]$/);
    const options = { node, task, history, replayed, count: 1, folder: folder.file('apart') };
    await assert.rejects(continueEpisode({ ...options, agent: () => Promise.resolve(clicker()) }), {
      code: 'replay-apart',
    });
  });

  it('restores a checkpoint, and lets others continue from there', async () => {
    await using replayed = await replay({ node, task, history, to: 4 });
    const { report } = replayed;
    const saved = history.checkpoints.find(({ step }) => step === 4)?.checkpoint.id;
    assert.deepEqual([report.beginning.checkpoint, report.end], [saved, 'same'], JSON.stringify(report));
    const agent = (): Promise<Agent> =>
      Promise.resolve({ name: 'next', decide: () => Promise.resolve(null) });
    const to = folder.file('next');
    const { results } = await continueEpisode({ node, task, history, replayed, agent, count: 1, folder: to });
    assert.deepEqual(
      results.map(({ end, error }) => [end, error]),
      [['finished', null]],
    );
    const { start, reset } = await readRecord(join(to, '1'));
    const { session } = history.start;
    assert.deepEqual(start.forkedFrom, { session, checkpoint: saved, step: 4, replayed: 'same' });
    assert.match(reset?.notes?.join() ?? '', /restored to step 4/);
  });

  slowIt('plays the actions again if their checkpoint is gone, and says so', async () => {
    const gone = history.checkpoints.find(({ step }) => step === 2)?.checkpoint.id ?? '';
    await node.deleteCheckpoint(gone);
    await using replayed = await replay({ node, task, history, to: 2 });
    const { beginning, reached, steps } = replayed.report;
    assert.deepEqual([beginning.checkpoint, reached], [null, 2]);
    // On a busy machine a screen may be recorded before or after a late change.
    const differences = steps.flatMap((step) => step.differences.filter(({ what }) => what !== 'screen'));
    assert.deepEqual(differences, []);
    assert.match(beginning.notes.join(), new RegExp(`after step 2 can't be used: .*${gone}`));
  });
});
