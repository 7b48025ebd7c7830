import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, link, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { list } from 'tar';
import { PwpError } from '../../../bridge/lib/index.ts';
import { type LeftOutPath, packFolder, packFolderInMemory, planFolder } from '../../../host/lib/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';

/** Creates files with these texts. */
async function files(folder: TemporaryFolder, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(dirname(folder.file(path)), { recursive: true });
    await writeFile(folder.file(path), text);
  }
}

function named(leftOut: readonly LeftOutPath[]): Record<string, string> {
  return Object.fromEntries(leftOut.map(({ path, why }) => [path, why]));
}

async function packed(...[folder, options]: Parameters<typeof planFolder>): Promise<string[]> {
  const names: string[] = [];
  const reader = list({ onReadEntry: ({ path }) => names.push(path) });
  for await (const chunk of packFolder(await planFolder(folder, options))) reader.write(Buffer.from(chunk));
  reader.end();
  return names.sort();
}

function isNaming(code: string, path: string) {
  return (error: unknown) => error instanceof PwpError && error.code === code && error.message.includes(path);
}

describe('the copy of a folder', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => (folder = await temporaryFolder()));
  afterEach(() => folder[Symbol.asyncDispose]());

  it('has files, folders and links, with any names', async () => {
    await files(folder, { 'a/b.txt': 'b', '@a': 'at', '-n': 'dash', 'ü é\n.txt': 'odd' });
    await mkdir(folder.file('empty'));
    await symlink('/etc/passwd', folder.file('link'));
    assert.deepEqual(await packed(folder.path), [
      './',
      './-n',
      './@a',
      './a/',
      './a/b.txt',
      './empty/',
      './link',
      './ü é\n.txt',
    ]);
  });

  it('leaves out what .gitignore and .pwpignore name, in each folder, where .pwpignore decides', async () => {
    await files(folder, {
      '.gitignore': 'node_modules\n*.log\n!keep.log\n/top\nbuild/\n',
      '.pwpignore': 'data/\n!important.log\n',
      'node_modules/x/index.js': '',
      'a.log': '',
      'keep.log': '',
      'important.log': '',
      top: '',
      'sub/top': '',
      'sub/.gitignore': '*.tmp\n!build/\n',
      'sub/x.tmp': '',
      'sub/build/out': '',
      'build/out': '',
      'data/big': '',
      '.git/logs/a.log': '',
      '.git/node_modules': '',
    });
    const { paths, leftOut } = await planFolder(folder.path);
    assert.deepEqual(named(leftOut), {
      'node_modules/': 'ignored',
      'a.log': 'ignored',
      top: 'ignored',
      'build/': 'ignored',
      'data/': 'ignored',
      'sub/x.tmp': 'ignored',
    });
    for (const path of ['keep.log', 'important.log', 'sub/top', 'sub/build/out', '.git/logs/a.log'])
      assert(paths.includes(path), path);
    const all = await planFolder(folder.path, { ignored: true });
    assert.deepEqual(all.leftOut, []);
  });

  it('leaves out files with secrets, and includes them on request', async () => {
    const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n';
    const secrets = {
      '.env': 'KEY=1',
      'app/.env.local': 'KEY=1',
      id_ed25519: key,
      'tls/server.key': key,
      '.npmrc': '//registry.example/:_authToken=abc',
      '.netrc': 'machine x',
      'home/.aws/credentials': 'x',
      '.git/config': '[remote "origin"]\n\turl = https://me:secret@git.example/it.git\n',
      '.git/modules/part/config': '[http]\n\textraheader = AUTHORIZATION: basic abc\n',
    };
    const harmless = {
      '.env.example': 'KEY=',
      'tls/server.pem': '-----BEGIN CERTIFICATE-----',
      'app/.npmrc': 'save-exact=true',
      'id_ed25519.pub': 'ssh-ed25519 AAAA',
      'environment.py': '',
      'part/.git/config': '[remote "origin"]\n\turl = ssh://git@git.example/it.git\n',
      'other/.git/config': '[remote "origin"]\n\turl = https://team@git.example/it.git\n',
      credentials: '',
    };
    await files(folder, { ...secrets, ...harmless });
    const { paths, leftOut } = await planFolder(folder.path);
    assert.deepEqual(
      named(leftOut),
      Object.fromEntries(Object.keys(secrets).map((path) => [path, 'secret'])),
    );
    for (const path of Object.keys(harmless)) assert(paths.includes(path), path);
    assert.deepEqual((await planFolder(folder.path, { secrets: true })).leftOut, []);
  });

  it('leaves out pipes and sockets', async () => {
    await promisify(execFile)('mkfifo', [folder.file('pipe')]);
    await files(folder, { 'a.txt': 'a' });
    assert.deepEqual(named((await planFolder(folder.path)).leftOut), { pipe: 'special' });
    assert.deepEqual(await packed(folder.path), ['./', './a.txt']);
  });

  it('fails if a pipe has replaced a file meanwhile', async () => {
    // Many files, since with one file the archive hung only occasionally.
    const names = Array.from({ length: 100 }, (_, i) => `file-${i}`);
    await files(folder, Object.fromEntries(names.map((name) => [name, 'a'])));
    const plan = await planFolder(folder.path);
    await promisify(execFile)('bash', ['-c', 'rm file-*; mkfifo "$@"', 'bash', ...names], {
      cwd: folder.path,
    });
    await assert.rejects(packFolderInMemory(plan, 1000), isNaming('bad-seed', 'file-0'));
  });

  it('fails for a name that is not UTF-8, and names it', async () => {
    const name = Buffer.concat([Buffer.from(`${folder.path}/caf`), Buffer.from([0xe9])]);
    await writeFile(name, '');
    await assert.rejects(planFolder(folder.path), isNaming('bad-seed', 'caf\\xe9'));
  });

  it('fails for a path that is not a folder', async () => {
    await files(folder, { file: '' });
    await assert.rejects(planFolder(folder.file('file')), isNaming('no-such-folder', 'file'));
    await assert.rejects(planFolder(folder.file('gone')), isNaming('no-such-folder', 'gone'));
    await promisify(execFile)('mkfifo', [folder.file('pipe')]);
    await assert.rejects(planFolder(folder.file('pipe')), isNaming('no-such-folder', 'pipe'));
  });

  it("fails for a file that can't be read, and names it", async function () {
    if (process.geteuid?.() === 0) this.skip();
    await files(folder, { 'sub/secret': '' });
    await chmod(folder.file('sub'), 0);
    await assert.rejects(planFolder(folder.path), isNaming('bad-seed', 'sub'));
    await chmod(folder.file('sub'), 0o700);
  });

  it('is the same for the same files', async () => {
    await files(folder, { b: '1', a: '2', 'c/d': '3' });
    const [one, other] = [await planFolder(folder.path), await planFolder(folder.path)];
    assert.deepEqual(await packFolderInMemory(one, 100), await packFolderInMemory(other, 100));
  });

  it('is refused if it is too large to be kept in memory', async () => {
    await files(folder, { a: 'x'.repeat(101) });
    await assert.rejects(packFolderInMemory(await planFolder(folder.path), 100), { code: 'seed-too-large' });
  });

  describe('in a repository is what Git tracks or would track', () => {
    const run = promisify(execFile);
    const git = (at: string, ...args: string[]) =>
      run('git', ['-C', at, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args]);
    const listed = async (at: string) =>
      (await git(at, 'ls-files', '-co', '--exclude-standard')).stdout.trimEnd().split('\n').sort();
    const copied = async (at = folder.path) =>
      (await planFolder(at, { secrets: true })).paths.filter((path) => !/(^|\/)\.git(\/|$)/.test(path));

    it("tracked files even if ignored, by all of Git's ignore lists", async () => {
      await files(folder, {
        '.gitignore': '\ufeffdist/\r\n*.log\r\n!keep.log\r\n\\#odd\r\n',
        'dist/kept.js': '',
        'dist/new.js': '',
        'a.log': '',
        'keep.log': '',
        '#odd': '',
        'local/big': '',
        'local/sub/tracked': '',
        'src/a.ts': '',
        'src/only.log': '',
      });
      await git(folder.path, 'init', '-q');
      await files(folder, { '.git/info/exclude': 'local/\n' });
      await git(folder.path, 'add', '-f', 'dist/kept.js', 'local/sub/tracked');
      const plan = await copied();
      const names = new Set(plan);
      assert.deepEqual(
        plan.filter((path) => !plan.some((other) => other.startsWith(`${path}/`))).sort(),
        (await listed(folder.path)).filter((path) => path !== ''),
      );
      assert.ok(names.has('dist/kept.js') && names.has('local/sub/tracked') && !names.has('dist/new.js'));
      // The copy's own list still decides.
      await files(folder, { '.pwpignore': 'src/\n!a.log\n' });
      const chosen = await copied();
      assert.ok(!chosen.includes('src/a.ts') && chosen.includes('a.log'));
    });

    it('also for nested repositories, and for a part of one', async () => {
      await files(folder, {
        '.gitignore': '*.log\n',
        'part/a.log': '',
        'part/b.txt': '',
        'nested/.gitignore': 'out/\n',
        'nested/out/x': '',
        'nested/a.log': '',
        'nested/b.txt': '',
      });
      await git(folder.path, 'init', '-q');
      await git(folder.file('nested'), 'init', '-q');
      const plan = await copied();
      assert.ok(
        plan.includes('nested/a.log') && plan.includes('nested/b.txt') && !plan.includes('nested/out'),
      );
      assert.deepEqual(await copied(folder.file('part')), ['b.txt']);
    });

    it('but not if the repository ignores the whole folder', async () => {
      await files(folder, {
        '.gitignore': 'work/\n',
        'work/a.txt': '',
        'work/.gitignore': '*.o\n',
        'work/x.o': '',
      });
      await git(folder.path, 'init', '-q');
      assert.deepEqual(await copied(folder.file('work')), ['.gitignore', 'a.txt']);
    });

    it('without running a program that the repository names', async () => {
      await files(folder, { 'a.txt': '' });
      await git(folder.path, 'init', '-q');
      const program = folder.file('ran.sh');
      await writeFile(program, `#!/bin/sh\ntouch ${folder.file('ran')}\n`, { mode: 0o755 });
      await git(folder.path, 'config', 'core.fsmonitor', program);
      await copied();
      assert.ok(!(await copied()).includes('ran'));
    });
  });

  it('asks Git even if the repository has another owner', async function () {
    if (process.geteuid?.() !== 0) this.skip();
    await files(folder, { '.gitignore': 'dist/\n', 'dist/kept': '' });
    const run = promisify(execFile);
    await run('git', ['-C', folder.path, 'init', '-q']);
    await run('git', ['-C', folder.path, 'add', '-f', 'dist/kept']);
    await run('chown', ['-R', '12345:12345', folder.path]);
    assert.ok((await planFolder(folder.path)).paths.includes('dist/kept'));
  });

  it('has a file with several names once for each name', async () => {
    await files(folder, { a: 'text' });
    await link(folder.file('a'), folder.file('b'));
    const types: string[] = [];
    const reader = list({ onReadEntry: ({ type, size }) => types.push(`${type} ${size}`) });
    for await (const chunk of packFolder(await planFolder(folder.path))) reader.write(Buffer.from(chunk));
    reader.end();
    assert.deepEqual(types, ['Directory 0', 'File 4', 'File 4']);
  });
});
