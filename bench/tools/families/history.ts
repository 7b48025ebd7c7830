import assert from 'node:assert/strict';
import { fileTools, historyTools } from '../../../bridge/protocol/index.ts';
import { right, type ToolCase, wrong, type WrongCall } from '../case.ts';
import type { Desk } from '../desk.ts';

const { listHistory, showHistory, compareHistory, restoreHistory } = historyTools;
const path = 'changes.txt';

const nothing = (more: object = {}): readonly WrongCall[] => [
  wrong('no such commit', { path, id: 'git:no-such-branch', ...more }, 'not-found', /no-such-branch/),
  wrong(
    'a commit without the file',
    { path: 'greeting.txt', id: 'git:HEAD', ...more },
    'not-found',
    /greeting\.txt/,
  ),
  wrong(
    'no such local version',
    { path, id: 'local:none.txt', ...more },
    'not-found',
    /local:none\.txt|none\.txt/,
  ),
  wrong('no id', { path, id: 'HEAD', ...more }, 'schema', /id/),
  wrong(
    'out of the workspace',
    { path: 'out.txt', id: 'git:HEAD', ...more },
    'outside-workspace',
    /out\.txt/,
  ),
];

const savesOf = async (desk: Desk) =>
  (await desk.call(listHistory, { path: 'kept.txt', source: 'local' })).entries;

async function saveThrice(desk: Desk): Promise<void> {
  for (const content of ['first\n', 'second\n', 'third\n'])
    await desk.call(fileTools.writeFile, { path: 'kept.txt', content });
  await desk.until('two saves', async () => (await savesOf(desk)).length >= 2);
}

/** Earlier versions of a file, according to git itself. */
export const historyCases: readonly ToolCase[] = [
  {
    tool: listHistory,
    right: [
      right('commits of a file', async (desk) => {
        const { entries, notes } = await desk.call(listHistory, { path, source: 'git' });
        assert.deepEqual(
          entries.map(({ id, title, author }) => `${id.slice(4)} ${title} ${author}`),
          await desk.lines(`git log --format='%H %s %an' -- ${path}`),
        );
        assert.deepEqual(notes, []);
      }),
      right('a part, and that there is more', async (desk) => {
        const { entries, truncated } = await desk.call(listHistory, { path, source: 'git', limit: 2 });
        assert.deepEqual([entries.length, truncated], [2, true]);
      }),
      right('of a file that git does not know: nothing, or why', async (desk) => {
        const { entries } = await desk.call(listHistory, { path: 'ignored.log', source: 'git' });
        assert.deepEqual(entries, []);
      }),
    ],
    wrong: [
      wrong('no such file, nor was there one', { path: 'change.txt' }, 'not-found', /change\.txt/),
      wrong('a folder', { path: 'src' }, 'not-a-file', /src/),
      wrong('out of the workspace', { path: 'out.txt' }, 'outside-workspace', /out\.txt/),
    ],
  },
  {
    tool: showHistory,
    right: [
      right('the text of a commit', async (desk) => {
        const { text } = await desk.call(showHistory, { path, id: 'git:HEAD~1' });
        assert.equal(text, await desk.sh(`git show HEAD~1:${path}`));
      }),
      right(
        'of what was saved before',
        async (desk) => {
          const found = (await savesOf(desk)).map(async ({ id }) =>
            desk.call(showHistory, { path: 'kept.txt', id }),
          );
          const texts = (await Promise.all(found)).map(({ text }) => text);
          assert.ok(texts.includes('second\n') && texts.includes('third\n'), texts.join());
        },
        { first: saveThrice },
      ),
    ],
    wrong: nothing(),
  },
  {
    tool: compareHistory,
    right: [
      right('two commits, as git counts', async (desk) => {
        const {
          lines_added: added,
          lines_removed: removed,
          diff,
        } = await desk.call(compareHistory, { path, id: 'git:HEAD~2', with: 'git:HEAD' });
        assert.equal(
          `${added}\t${removed}\t${path}\n`,
          await desk.sh(`git diff --numstat HEAD~2 HEAD -- ${path}`),
        );
        assert.equal(
          diff.slice(diff.indexOf('@@')).trimEnd(),
          (await desk.sh(`git diff HEAD~2 HEAD -- ${path} | sed -n '/^@@/,$p'`)).trimEnd(),
        );
      }),
      right('with the file as it is', async (desk) => {
        const { lines_added: added } = await desk.call(compareHistory, { path, id: 'git:HEAD' });
        assert.equal(String(added), (await desk.sh(`git diff --numstat -- ${path} | cut -f1`)).trim());
      }),
      right('the same', async (desk) => {
        const { same } = await desk.call(compareHistory, { path: 'notes.txt', id: 'git:HEAD' });
        assert.equal(same, (await desk.sh('git diff --name-only notes.txt')) === '');
      }),
    ],
    wrong: [
      ...nothing(),
      wrong('no such second version', { path, id: 'git:HEAD', with: 'git:nowhere' }, 'not-found', /nowhere/),
    ],
  },
  {
    tool: restoreHistory,
    right: [
      right('the text of a commit', async (desk) => {
        await desk.call(restoreHistory, { path, id: 'git:HEAD~2' });
        assert.equal(await desk.sh(`cat ${path}`), await desk.sh(`git show HEAD~2:${path}`));
      }),
      right('a file that is gone', async (desk) => {
        await desk.sh(`rm ${path}`);
        const { created } = await desk.call(restoreHistory, { path, id: 'git:HEAD' });
        assert.deepEqual([created, await desk.sh(`git diff --name-only ${path}`)], [true, '']);
      }),
      right('what it is already', async (desk) => {
        const { effect } = await desk.answer(restoreHistory, { path, id: 'git:HEAD' });
        assert.equal(effect, 'no-effect');
      }),
    ],
    wrong: [
      ...nothing(),
      wrong(
        'an older version',
        { path, id: 'git:HEAD~1', expected_version: '0123456789abcdef' },
        'stale-version',
        /changes\.txt/,
      ),
    ],
  },
];
