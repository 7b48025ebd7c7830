import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { deadline, poll } from '../../../bridge/lib/index.ts';
import type { Observation } from '../../../host/ide/index.ts';
import type { Node } from '../../../host/node/index.ts';
import { Environment } from '../../../host/run/index.ts';
import { openBooting, type OpenedNode } from '../../support/each-node.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { slowIt } from '../../support/slow.ts';

const display = { width: 1288, height: 808 };
/** Time for VS Code to discover everything on a busy machine, in milliseconds. */
const waitMs = 60_000;

const plain = {
  'a.txt': 'one\n',
  'src/deep/down/broken.ts': 'export const n: number = "no";\n',
  'src/tool.py': 'def tool() -> int:\n    return "no"\n',
  '.hidden/x': '',
};
const tasks = { version: '2.0.0', tasks: [{ label: 'count', type: 'shell', command: 'seq 3' }] };
const launch = { version: '0.2.0', configurations: [{ type: 'node', request: 'launch', name: 'go' }] };

/** How folders differ in what VS Code reads of them. */
const folders: readonly {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  /** Folders that are repositories: all files are committed, then one is changed and one is added. */
  readonly repositories?: readonly string[];
}[] = [
  { what: 'plain files', files: plain },
  {
    what: 'a repository with npm scripts and one below it',
    files: {
      ...plain,
      'package.json': JSON.stringify({ scripts: { go: 'node .' } }),
      'lib/package.json': JSON.stringify({ scripts: { lib: 'node .' } }),
      'lib/a.js': 'exports.a = 1;\n',
      'src/far/repo/b.js': '',
    },
    repositories: ['lib', 'src/far/repo', '.'],
  },
  {
    what: 'settings, tasks and launch configurations',
    files: {
      ...plain,
      '.vscode/settings.json': JSON.stringify({
        'files.exclude': { '**/a.txt': true },
        'editor.fontSize': 19,
      }),
      '.vscode/tasks.json': JSON.stringify(tasks),
      '.vscode/launch.json': JSON.stringify(launch),
      '.vscode/extensions.json': JSON.stringify({ recommendations: ['a.b'] }),
    },
  },
  {
    what: 'a workspace file',
    files: { ...plain, 'x.code-workspace': JSON.stringify({ folders: [{ path: '.' }] }) },
  },
  { what: 'nothing', files: {} },
];

describe('an IDE on a folder', function () {
  this.timeout(300_000);
  let opened: OpenedNode;
  let node: Node;

  before(async () => {
    opened = await openBooting();
    ({ node } = opened);
  });
  after(() => opened[Symbol.asyncDispose]());

  // Each boots an IDE or two.
  for (const { what, files, repositories = [] } of folders) {
    slowIt(`knows the same when restored as when booted on it: ${what}`, async () => {
      await using folder = await makeFolder(files, repositories);
      await using booted = await Environment.open(folder.path, { node, display, cold: true });
      // The checkpoint of the first one may have to be made.
      await (await Environment.open(folder.path, { node, display })).close();
      await using restored = await Environment.open(folder.path, { node, display });
      const [, { from, checkpoint, notes }] = restored.began;
      assert.deepEqual([from, checkpoint, notes], ['golden', null, []]);
      const info = (await node.list()).find(({ id }) => id === restored.began[1].sandbox);
      assert.equal(info?.origin, info?.id, 'its files are its own');
      await agree(booted, restored, knowledge);
      await agree(booted, restored, problems);
      // Activates extensions, so it comes last.
      await agree(booted, restored, tasksOf);
      if (files['a.txt'] !== undefined) await seesChanges(restored, 'src/deep/down/broken.ts');
    });
  }
});

/** VS Code lists tasks in the order in which their files were found. */
async function tasksOf(env: Environment): Promise<unknown> {
  const { tasks: found, ...rest } = await env.ask('ide.tasks', {});
  return { ...rest, tasks: found.map((task) => JSON.stringify(task)).toSorted() };
}

/** Both say the same once their own background work is done. */
async function agree(
  booted: Environment,
  restored: Environment,
  ask: (env: Environment) => Promise<unknown>,
): Promise<void> {
  using limit = deadline('the same in both', waitMs);
  let [expected, found]: unknown[] = [];
  const probe = async () => {
    [expected, found] = await Promise.all([ask(booted), ask(restored)]);
    return JSON.stringify(expected) === JSON.stringify(found)
      ? ({ done: true, value: undefined } as const)
      : ({ done: false, saw: 'a difference' } as const);
  };
  await poll('the same in both', probe, { intervalMs: 500, signal: limit.signal }).catch((error: unknown) => {
    assert.deepEqual(found, expected);
    throw error;
  });
}

/** All that is on the screen, and the state that the IDE reports. */
async function knowledge(env: Environment): Promise<unknown> {
  const { marks, workbench, title } = await env.ask('dom.observe', {});
  const { extensions } = await env.ask('ide.extensions', { includeBuiltin: true });
  const { repositories, missing } = await env.ask('ide.sourceControl', {});
  return {
    screen: { marks: namesOf(marks), workbench, title },
    workspace: await env.ask('ide.workspace', {}),
    settings: await env.ask('ide.changedSettings', {}),
    tabs: await env.ask('ide.tabs', {}),
    diagnostics: await env.ask('ide.diagnostics', {}),
    active: extensions.filter(({ active }) => active).map(({ id }) => id),
    repositories: { found: repositories.toSorted((a, b) => (a.root < b.root ? -1 : 1)), missing },
  };
}

/** The problems of a check of the whole workspace; it starts language servers. */
async function problems(env: Environment): Promise<unknown> {
  const { text } = await env.call({ name: 'get_errors', arguments: {} });
  return text;
}

function namesOf(marks: Observation['marks']): unknown[] {
  return marks.map(({ role, name, box }) => [role, name, box]);
}

/** Changes a file deep in the folder outside VS Code; an editor that shows it notices. */
async function seesChanges(env: Environment, path: string): Promise<void> {
  await env.call({ name: 'open_file', arguments: { path } });
  await env.call({ name: 'shell', arguments: { command: `echo 'export const changed = 1;' > ${path}` } });
  using limit = deadline('the change in the editor', waitMs);
  const probe = async () => {
    const { editor } = await env.ask('ide.editor', { includeText: true });
    return editor?.text?.includes('changed')
      ? ({ done: true, value: undefined } as const)
      : ({ done: false, saw: editor?.text ?? 'no editor' } as const);
  };
  await poll('the change in the editor', probe, { intervalMs: 100, signal: limit.signal });
}

async function makeFolder(
  files: Readonly<Record<string, string>>,
  repositories: readonly string[],
): Promise<TemporaryFolder> {
  const folder = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(folder.file(path)), { recursive: true });
    await writeFile(folder.file(path), text);
  }
  for (const path of repositories) {
    const git = (...words: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...words], {
        cwd: folder.file(path),
        stdio: 'ignore',
      });
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-q', '-m', 'begin');
  }
  if (repositories.length > 0) {
    await writeFile(folder.file('a.txt'), 'two\n');
    await writeFile(folder.file('new.txt'), '');
  }
  return folder;
}
