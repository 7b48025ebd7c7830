import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import {
  findLackingRepositories,
  withRepository,
} from '../../../host/tasks/datasets/repository/repository.ts';
import { findDataset } from '../../../host/tasks/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';

const { about } = findDataset('swe-bench');
const name = 'made/up';
const place = 'repos/made__up';

/** Each form that a repository may have: commands that make it at `repos/made__up`, beside `origin`. */
const forms: Readonly<Record<string, string>> = {
  'a clone': `git clone -q origin ${place}`,
  'a bare clone': `git clone -q --bare origin ${place}.git`,
  'a mirror': `git clone -q --mirror origin ${place}.git`,
  'a bare clone without .git in its name': `git clone -q --bare origin ${place}`,
  'a shallow clone of the commit': `git clone -q --depth 1 --branch base file://$PWD/origin ${place}`,
  'a shared clone, with alternates': `git clone -q --shared origin ${place}`,
  'a clone with alternates of alternates, relative': `git clone -q --shared origin one
    git clone -q --shared one ${place}
    echo ../../../../one/.git/objects > ${place}/.git/objects/info/alternates`,
  'a clone with packed refs and objects': `git clone -q origin ${place}; git -C ${place} pack-refs --all; git -C ${place} repack -adq`,
  'a worktree': `git -C origin worktree add -q $PWD/${place} base`,
  'a submodule': `git init -q around; git -C around submodule --quiet add $PWD/origin sub; ln -s ../around/sub ${place}`,
  'a clone with its git folder elsewhere': `git clone -q --separate-git-dir elsewhere origin ${place}`,
  'a partial clone whose files are there': `git clone -q --filter=blob:none --branch base file://$PWD/origin ${place}`,
  "another user's clone": `git clone -q origin ${place}; chown -R 65534:65534 ${place}`,
  'a bundle of all': `git -C origin bundle create -q $PWD/${place}.bundle --all`,
  'a bundle of only HEAD': `git -C origin bundle create -q $PWD/${place}.bundle HEAD`,
  'a clone with its own hook and filter': `git clone -q origin ${place}
    printf '#!/bin/sh\\ntouch %s/ran\\n' "$PWD" > ${place}/.git/hooks/post-checkout; chmod +x ${place}/.git/hooks/*
    git -C ${place} config core.fsmonitor "touch $PWD/ran"; git -C ${place} config filter.x.smudge "touch $PWD/ran"`,
};

/** Each form that lacks what a record needs, and the message about it. */
const lacking: Readonly<Record<string, readonly [string, RegExp]>> = {
  'a shallow clone of a later commit': [
    `git clone -q --depth 1 file://$PWD/origin ${place}`,
    /^commit \w+ of .*\/repos\/made__up \(it is a shallow clone: git -C .* fetch --unshallow\)$/,
  ],
  'a partial clone without files': [
    `git clone -q --filter=blob:none --no-checkout file://$PWD/origin ${place}`,
    /^files of commit \w+ of .* \(it is a partial clone: git -C .* fetch --refetch --no-filter\)$/,
  ],
  'a partial clone without folders': [
    `git clone -q --filter=tree:0 --no-checkout file://$PWD/origin ${place}.git --bare`,
    /^files of commit \w+ of .* \(it is a partial clone/,
  ],
  'a folder in another repository': [
    `git init -q .; mkdir -p ${place}`,
    /made__up can't be read as a repository: .*not a git repository/,
  ],
  'a worktree whose repository is gone': [
    `git clone -q origin gone; git -C gone worktree add -q $PWD/${place} base; rm -r gone`,
    /made__up can't be read as a repository: .*not a git repository/,
  ],
  'a clone whose alternate is gone': [
    `git clone -q origin gone; git clone -q --shared gone ${place}; rm -r gone`,
    /^commit \w+ of .*made__up$/,
  ],
  'another repository': [`git init -q ${place}`, /^commit \w+ of .*made__up$/],
  nothing: ['true', /^the repository made\/up, a clone or bundle of it at repos\/made__up/],
};

describe('repositories of datasets', () => {
  let folder: TemporaryFolder;
  let commit = '';
  const sh = async (script: string) =>
    (await execa('bash', ['-ec', script], { cwd: folder.path, env: gitEnv(folder.path), extendEnv: false }))
      .stdout;

  before(async () => {
    folder = await temporaryFolder();
    commit = await sh(`git init -q -b main origin; cd origin
      git config uploadpack.allowFilter true
      mkdir pkg; echo 'x = 1' > pkg/a.py; ln -s a.py pkg/b.py; git add .; git commit -qm one; git branch base
      git rev-parse HEAD; echo 'x = 2' > pkg/a.py; git commit -qam two`);
  });
  beforeEach(async () => {
    await mkdir(join(folder.path, 'repos'));
  });
  afterEach(async () => {
    await rm(join(folder.path, 'repos'), { recursive: true });
    for (const other of ['one', 'around', 'elsewhere', '.git'])
      await rm(join(folder.path, other), { recursive: true, force: true });
    await sh('git -C origin worktree prune');
  });
  after(() => folder[Symbol.asyncDispose]());

  const lacksOf = async () =>
    (await findLackingRepositories(folder.path, [{ id: '1', repository: name, commit }])).get('1');

  for (const [form, script] of Object.entries(forms))
    it(`are read from ${form}`, async () => {
      await sh(script);
      assert.equal(await lacksOf(), undefined);
      await withRepository({ about, data: folder.path, name, commit }, async (repository) => {
        const tree = await repository.tree(commit);
        assert.deepEqual(
          tree.map((entry) => [entry.path, entry.kind === 'file' ? String(entry.content) : entry.kind]),
          [
            ['pkg/a.py', 'x = 1\n'],
            ['pkg/b.py', 'link'],
          ],
        );
        const patch = '--- a/pkg/a.py\n+++ b/pkg/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 3\n';
        const { written } = await repository.changes(commit, [patch], 'record 1');
        assert.deepEqual(
          written.map(({ path }) => path),
          ['pkg/a.py'],
        );
        assert.ok((await repository.gitFolder(commit)).some(({ path }) => path.endsWith('.pack')));
      });
      assert.equal(await sh('ls ran 2>/dev/null || true'), '', 'nothing of a clone is run');
    });

  for (const [form, [script, why]] of Object.entries(lacking))
    it(`are refused with what is missing in ${form}`, async () => {
      await sh(script);
      assert.match((await lacksOf()) ?? 'nothing', why);
      await assert.rejects(
        withRepository({ about, data: folder.path, name, commit }, () => Promise.resolve()),
      );
    });

  it('are read with SHA-256 too', async () => {
    const own = await sh(`git init -q --object-format=sha256 ${place}; cd ${place}; echo 1 > a; git add a
      git commit -qm one; git rev-parse HEAD`);
    await withRepository({ about, data: folder.path, name, commit: own }, async (repository) => {
      assert.deepEqual(
        (await repository.tree(own)).map(({ path }) => path),
        ['a'],
      );
    });
  });
});

function gitEnv(home: string): Record<string, string> {
  const someone = { NAME: 'a', EMAIL: 'a@example.org' };
  const roles = ['AUTHOR', 'COMMITTER'].flatMap((role) =>
    Object.entries(someone).map(([field, value]) => [`GIT_${role}_${field}`, value]),
  );
  return {
    ...(Object.fromEntries(roles) as Record<string, string>),
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'protocol.file.allow',
    GIT_CONFIG_VALUE_0: 'always',
  };
}
