import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { extract } from 'tar';
import { type FolderPlan, packFolder, planFolder } from '../../../host/lib/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';

const run = promisify(execFile);

async function git(at: string, ...args: string[]): Promise<string> {
  const settings = ['user.name=a', 'user.email=a@example.com', 'protocol.file.allow=always', 'gc.auto=0'];
  const given = settings.flatMap((each) => ['-c', each]);
  return (await run('git', ['-C', at, ...given, ...args])).stdout.trimEnd();
}

describe('the copy of a folder whose Git history is elsewhere', () => {
  let here: TemporaryFolder;
  let there: TemporaryFolder;
  let repository: string;

  beforeEach(async () => {
    [here, there] = await Promise.all([temporaryFolder(), temporaryFolder()]);
    repository = here.file('repository');
    await git(here.path, 'init', '-q', '-b', 'main', repository);
    await commit(repository, 'a.txt', 'first');
  });
  afterEach(async () => {
    await Promise.all([here[Symbol.asyncDispose](), there[Symbol.asyncDispose]()]);
  });

  async function commit(at: string, path: string, text: string): Promise<void> {
    await writeFile(`${at}/${path}`, text);
    await git(at, 'add', path);
    await git(at, 'commit', '-qm', text);
  }

  /** Unpacks the copy elsewhere. */
  async function copy(folder: string): Promise<{ readonly plan: FolderPlan; readonly at: string }> {
    const plan = await planFolder(folder);
    const at = there.file('copy');
    await mkdir(at);
    const unpack = extract({ cwd: at });
    const ended = new Promise((resolve, reject) => unpack.on('close', resolve).on('error', reject));
    for await (const chunk of packFolder(plan)) unpack.write(Buffer.from(chunk));
    unpack.end();
    await ended;
    return { plan, at };
  }

  async function addWorktree(): Promise<string> {
    const worktree = here.file('tree');
    await git(repository, 'worktree', 'add', '-q', worktree, '-b', 'topic');
    return worktree;
  }

  it('is a separate repository for a worktree: its branch, its index, and what worktrees share', async () => {
    const worktree = await addWorktree();
    await commit(worktree, 'b.txt', 'second');
    await git(repository, 'tag', 'v1', 'main');
    await writeFile(`${worktree}/a.txt`, 'staged');
    await git(worktree, 'add', 'a.txt');
    await writeFile(`${worktree}/new.txt`, 'new');
    const { plan, at } = await copy(worktree);
    assert.deepEqual(plan.leftOut, []);
    assert.equal(await git(at, 'log', '--format=%s'), 'second\nfirst');
    assert.equal(await git(at, 'status', '--short', '--branch'), '## topic\nM  a.txt\n?? new.txt');
    assert.equal(
      await git(at, 'for-each-ref', '--format=%(refname)'),
      await git(worktree, 'for-each-ref', '--format=%(refname)'),
    );
    assert.equal(await git(at, 'reflog', '--format=%gs', '-1'), 'commit: second');
    assert.equal(await git(at, 'fsck', '--strict'), '');
    await commit(at, 'c.txt', 'third');
    assert.equal(await git(worktree, 'log', '-1', '--format=%s', 'topic'), 'second');
  });

  it('keeps an operation in progress of a worktree', async () => {
    const worktree = await addWorktree();
    await commit(repository, 'a.txt', 'theirs');
    await commit(worktree, 'a.txt', 'ours');
    await assert.rejects(git(worktree, 'rebase', 'main'));
    const { at } = await copy(worktree);
    assert.match(await git(at, 'status'), /rebase in progress|currently rebasing/);
    await git(at, 'rebase', '--abort');
    assert.equal(await git(at, 'log', '-1', '--format=%s'), 'ours');
  });

  it('is complete for a worktree of a bare, a shallow and a sparse repository', async () => {
    await commit(repository, 'b.txt', 'second');
    await mkdir(`${repository}/part`);
    await commit(repository, 'part/c.txt', 'third');
    const bare = here.file('bare.git');
    await git(here.path, 'clone', '-q', '--bare', '--depth=2', `file://${repository}`, bare);
    const worktree = here.file('tree');
    await git(bare, 'worktree', 'add', '-q', worktree, 'main');
    await git(worktree, 'sparse-checkout', 'set', '--no-cone', '/a.txt', '/b.txt');
    const { at } = await copy(worktree);
    assert.equal(await git(at, 'status', '--short'), '');
    assert.equal(await git(at, 'log', '--format=%s'), 'third\nsecond');
    assert.equal(await git(at, 'rev-parse', '--is-shallow-repository'), 'true');
    assert.deepEqual((await readdir(at)).sort(), ['.git', 'a.txt', 'b.txt']);
  });

  it("has a worktree's submodules with their history, as does a copied submodule", async () => {
    const library = here.file('library');
    await git(here.path, 'init', '-q', library);
    await commit(library, 'l.txt', 'of the library');
    await git(repository, 'submodule', 'add', '-q', library, 'sub');
    await git(repository, 'commit', '-qm', 'with a submodule');
    const worktree = await addWorktree();
    await git(worktree, 'submodule', 'update', '-q', '--init');
    const alone = await planFolder(`${repository}/sub`);
    assert.ok(alone.paths.includes('.git/HEAD') && alone.made.has('.git/config'));
    const { plan, at } = await copy(worktree);
    assert.deepEqual(plan.leftOut, []);
    assert.equal(await git(at, 'status', '--short'), '');
    assert.equal(await git(`${at}/sub`, 'log', '--format=%s'), 'of the library');
    assert.match(await git(at, 'submodule', 'status'), /^ [0-9a-f]{40} sub/);
  });

  it('leaves history inside the folder in place, and adapts its path', async () => {
    await git(repository, 'worktree', 'add', '-q', `${repository}/trees/one`, '-b', 'one');
    const { plan, at } = await copy(repository);
    assert.equal(plan.elsewhere.size, 0);
    assert.equal(await readFile(`${at}/trees/one/.git`, 'utf8'), 'gitdir: ../../.git/worktrees/one\n');
    assert.equal(await git(`${at}/trees/one`, 'branch', '--show-current'), 'one');
  });

  it("has no hooks, programs, other files or passwords from Git's settings", async () => {
    const worktree = await addWorktree();
    await writeFile(`${repository}/.git/hooks/pre-commit`, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const settings = {
      'core.fsmonitor': '/bin/false',
      'core.hooksPath': '/etc',
      'core.worktree': '/etc',
      'include.path': '/etc/secret',
      'filter.x.clean': 'cat /etc/passwd',
      'credential.helper': '!cat /etc/passwd',
      'http.extraheader': 'Authorization: basic abc',
      'remote.origin.url': 'https://me:secret@git.example/it.git',
      'remote.other.url': 'ext::sh -c x',
      'remote.od"d.url': 'ssh://git@git.example/it.git',
      'branch.topic.remote': 'origin',
    };
    for (const [key, value] of Object.entries(settings)) await git(repository, 'config', key, value);
    const { made, paths } = await planFolder(worktree);
    assert.ok(!paths.some((path) => path.startsWith('.git/hooks')));
    await writeFile(there.file('config'), made.get('.git/config') ?? '');
    const listed = await git(there.path, 'config', '--file', there.file('config'), '--list');
    const own = listed.split('\n').filter((line) => !line.startsWith('core.'));
    assert.deepEqual(own.sort(), [
      'branch.topic.remote=origin',
      'remote.od"d.url=ssh://git@git.example/it.git',
      'remote.origin.url=https://git.example/it.git',
    ]);
    assert.doesNotMatch(listed, /worktree|fsmonitor|hookspath/);
  });

  it('includes no repository that does not point back to the folder', async () => {
    const worktree = await addWorktree();
    const strange = here.file('strange');
    await mkdir(`${strange}/inner/own/worktrees/x`, { recursive: true });
    const forms = [
      `gitdir: ${repository}/.git`,
      `gitdir: ${repository}/.git/worktrees/tree`,
      'gitdir: ../repository/.git',
      `gitdir: ${here.file('nothing')}`,
      'gitdir: /proc/self/root',
      'no path',
    ];
    for (const form of forms) {
      await writeFile(`${strange}/.git`, `${form}\n`);
      const { leftOut, elsewhere, made } = await planFolder(strange);
      assert.deepEqual(leftOut, [{ path: '.git', why: 'elsewhere' }], form);
      assert.equal(elsewhere.size + made.size, 0);
    }
    // Points back to the folder, but claims another repository's objects.
    const own = here.file('own/worktrees/x');
    await mkdir(own, { recursive: true });
    await writeFile(`${strange}/.git`, `gitdir: ${own}\n`);
    await writeFile(`${own}/gitdir`, `${strange}/.git\n`);
    await writeFile(`${own}/commondir`, `${repository}/.git\n`);
    assert.deepEqual((await planFolder(strange)).leftOut, [{ path: '.git', why: 'elsewhere' }]);
    // A moved worktree is registered at its old place.
    await rename(worktree, here.file('moved'));
    assert.deepEqual((await planFolder(here.file('moved'))).leftOut, [{ path: '.git', why: 'elsewhere' }]);
  });

  it('names links that lead out, and objects borrowed from another repository', async () => {
    const linked = here.file('linked');
    await mkdir(linked);
    await symlink(`${repository}/.git`, `${linked}/.git`);
    assert.deepEqual((await planFolder(linked)).leftOut, [{ path: '.git', why: 'elsewhere' }]);
    const lent = here.file('lent');
    await git(here.path, 'clone', '-q', '--shared', repository, lent);
    const borrowed = [{ path: '.git/objects/info/alternates', why: 'borrowed' }];
    assert.deepEqual((await planFolder(lent)).leftOut, borrowed);
    await git(lent, 'worktree', 'add', '-q', here.file('of-lent'), '-b', 'x');
    assert.deepEqual((await planFolder(here.file('of-lent'))).leftOut, borrowed);
    await git(lent, 'repack', '-qad');
    await run('rm', [`${lent}/.git/objects/info/alternates`]);
    assert.deepEqual((await planFolder(lent)).leftOut, []);
  });
});
