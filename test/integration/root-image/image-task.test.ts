import assert from 'node:assert/strict';
import { appendFile, cp, mkdir, writeFile } from 'node:fs/promises';
import { execa } from 'execa';
import { createLocalNode, type Node, type Sandbox } from '../../../host/node/index.ts';
import { fetchAgentRoot } from '../../../host/node/root-images.ts';
import { makeSweImageTask } from '../../../host/tasks/datasets/swe-bench/swe-image-task.ts';
import { sweRecordSchema } from '../../../host/tasks/datasets/swe-bench/swe-bench-sets.ts';
import { makeTextEntry } from '../../../host/tasks/format/archive.ts';
import { makeTask } from '../../../host/tasks/format/made-task.ts';
import type { ImageTask, JudgedPatch } from '../../../host/tasks/format/task.ts';
import { enterImage, findDataset, grade, type LeftChanges } from '../../../host/tasks/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { bareSpec, never, says } from '../../support/node-sandbox.ts';
import { runHome } from '../../support/run-home.ts';
import { slowIt } from '../../support/slow.ts';
import { makeSmallRoot } from '../../support/small-root.ts';
import { madeTaskConfig } from '../../support/made-task-config.ts';

const played = makeTask({
  ...{ id: 'made/one', path: '/made', instruction: 'Make it better.' },
  ...{ workspace: [], tests: [], solutions: [], falseSolutions: [] },
  config: madeTaskConfig({ agent_code: 'beside' }),
});

/** Judges by the patch alone, and shows what is in a fresh sandbox. */
const task: ImageTask = {
  ...played,
  workspacePath: '/testbed',
  checkImage: () => Promise.resolve(),
  judge: async (patch, image): Promise<JudgedPatch> => {
    await using fresh = await image.start([makeTextEntry('given.txt', 'given\n')]);
    const log = await says(fresh, 'cat /testbed/a.txt /given.txt; ls /testbed');
    if (patch.includes('+unknown')) return { reward: null, checks: [], why: 'no one knows', log };
    const passed = patch.includes('+better');
    return { reward: passed ? 1 : 0, checks: [{ name: 'better', passed, why: patch }], log };
  },
};

describe('a task whose workspace comes with an image', function () {
  this.timeout(120_000);
  let folder: TemporaryFolder;
  let node: Node;
  let root: string;
  let base: string;
  /** Adds to the repository in a root. */
  const commit = async (at: string, text: string, day: number) => {
    const cwd = `${at}/testbed`;
    const git = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
    await appendFile(`${cwd}/a.txt`, text);
    await execa('git', ['add', '.'], { cwd });
    const env = { GIT_COMMITTER_DATE: `2025-01-0${day}T00:00:00Z` };
    await execa('git', [...git, 'commit', '-qm', text], { cwd, env });
    return (await execa('git', ['rev-parse', 'HEAD'], { cwd })).stdout;
  };

  before(async () => {
    folder = await temporaryFolder();
    root = folder.file('root');
    await makeSmallRoot(root);
    await mkdir(`${root}/testbed`);
    await execa('git', ['init', '-q'], { cwd: `${root}/testbed` });
    await writeFile(`${root}/testbed/.gitignore`, 'built/\n');
    base = await commit(root, 'of the image\n', 2);
    node = await createLocalNode({ home: runHome(), root: fetchAgentRoot });
  });
  after(async () => {
    await node[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const agent = () => node.start(bareSpec({ root, workspace: '/testbed' }));
  const gradeAfter = async (script: string) => {
    await using sandbox: Sandbox = await agent();
    await says(sandbox, script);
    const left: LeftChanges[] = [];
    const graded = grade({ node, sandbox, task, signal: never, onChanges: (one) => void left.push(one) });
    return { ...(await graded), left };
  };

  it('is judged by what was changed there, as a patch, in a fresh sandbox of the image', async () => {
    const { reward, checks, log, left, trust } = await gradeAfter(
      'cd /testbed; echo better >> a.txt; mkdir built; echo x > built/b; echo forged > .git/HEAD; echo y > /given.txt',
    );
    assert.equal(reward, 1);
    assert.equal(
      checks[0]?.why,
      'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n of the image\n+better\n',
    );
    assert.equal(log, 'of the image\ngiven\na.txt');
    assert.ok(left[0] && 'files' in left[0]);
    assert.deepEqual(left[0].files, [{ path: 'a.txt', change: 'changed' }]);
    assert.match(trust ?? '', /can forge a pass/);
  });

  slowIt('is 0 if the workspace is gone, and no score if its owners give none', async () => {
    const gone = await gradeAfter('rm -rf /testbed; echo > /testbed');
    assert.equal(gone.reward, 0);
    assert.match(gone.noVerdict ?? '', /not a f/);
    await assert.rejects(
      gradeAfter('echo unknown > /testbed/b.txt'),
      /made\/one could not be graded: no one knows/,
    );
  });

  it('of SWE-bench is refused in an image that is at another commit, or shows newer ones', async () => {
    const { about } = findDataset('swe-bench');
    const raw = { repo: 'pwp/one', instance_id: 'pwp__one-1', patch: 'diff', test_patch: 'diff' };
    const eval5 = { eval_script: 'true', eval_type: 'pass_and_fail', log_parser: 'parse_log_pytest' };
    const whole = { ...raw, ...eval5, problem_statement: 'p', FAIL_TO_PASS: ['a'], PASS_TO_PASS: [] };
    const enter = (changed: object, at = root) => {
      const record = sweRecordSchema.parse({ ...whole, base_commit: base, ...changed });
      const inImage = makeSweImageTask({ about, data: '/data', record, instruction: 'i', home: [] });
      return enterImage({ ...played, inImage }, { node, root: at, signal: never });
    };
    await assert.rejects(enter({ base_commit: 'abc1234' }), {
      code: 'unsupported',
      message: `pwp__one-1 can't be played in the image ${root}: /testbed is no repository with the commit abc1234`,
    });
    await assert.rejects(enter({ eval_script: '' }), { code: 'bad-data', message: /has no eval_script/ });
    // None of its programs is needed.
    const later = folder.file('later');
    await mkdir(`${later}/bin`, { recursive: true });
    await cp(`${root}/testbed`, `${later}/testbed`, { recursive: true });
    await commit(later, 'the solution\n', 3);
    await execa('git', ['reset', '-q', '--hard', base], { cwd: `${later}/testbed` });
    await assert.rejects(
      enter({}, later),
      /commits that are newer than \w+, which may have the solution: \w+/,
    );
  });
});
