import assert from 'node:assert/strict';
import { searchTools } from '../../../bridge/protocol/index.ts';
import { right, type ToolCase, wrong } from '../case.ts';
import { dropUnsaved, typeUnsaved } from '../unsaved.ts';

const { grepSearch, fileSearch, codebaseSearch, repositoryStructure } = searchTools;

/** Files that git would track: what searches look at. */
const tracked = 'git ls-files --cached --others --exclude-standard | LC_ALL=C sort';

/** Tools that find text and files. */
export const searchCases: readonly ToolCase[] = [
  {
    tool: grepSearch,
    right: [
      right('a word in all files but ignored ones', async (desk) => {
        const { matches, files, truncated } = await desk.call(grepSearch, { query: 'todo' });
        const found = matches.map(({ path, line, text }) => `${path}:${line}:${text}`).sort();
        assert.deepEqual(found, (await desk.lines(`git grep -nIi --untracked todo`)).sort());
        assert.deepEqual([files, truncated], [new Set(matches.map(({ path }) => path)).size, false]);
      }),
      right('in ignored files, too', async (desk) => {
        const { matches } = await desk.call(grepSearch, {
          query: 'TODO',
          case_sensitive: true,
          include_ignored: true,
        });
        const found = matches.map(({ path, line }) => `${path}:${line}`).sort();
        assert.deepEqual(
          found,
          await desk.lines(
            `grep -rnI TODO . --exclude-dir=.git | grep -v '^./inside' | sed -E 's#^\\./([^:]*:[0-9]*):.*#\\1#' | sort`,
          ),
        );
      }),
      right('in an ignored folder that is named', async (desk) => {
        const { matches, notes } = await desk.call(grepSearch, { query: 'TODO', path: 'node_modules' });
        // All of it, or a note that it was left out.
        assert.ok(
          matches.length === 1 || notes.length > 0,
          'no match, and no word that the folder is ignored',
        );
      }),
      right('a pattern, by a glob, with context', async (desk) => {
        const { matches } = await desk.call(grepSearch, {
          query: '^export (class|function)',
          include_pattern: 'src/*.ts',
          context: 1,
        });
        const found = matches.map(({ path, line }) => `${path}:${line}`).sort();
        assert.deepEqual(
          found,
          await desk.lines(`grep -nE '^export (class|function)' src/*.ts | cut -d: -f1,2 | sort`),
        );
        const [one] = matches;
        assert.deepEqual(one?.before, [
          (await desk.sh(`sed -n ${(one?.line ?? 0) - 1}p ${one?.path}`)).trimEnd(),
        ]);
      }),
      right('unsaved text', async (desk) => {
        await typeUnsaved(desk, 'notes.txt', 'unsavedword ');
        const { matches } = await desk.call(grepSearch, { query: 'unsavedword' });
        await dropUnsaved(desk);
        assert.deepEqual(
          matches.map(({ path, line }) => [path, line]),
          [['notes.txt', 1]],
        );
      }),
      right('a part, and that there is more', async (desk) => {
        const { matches, truncated } = await desk.call(grepSearch, {
          query: 'line',
          limit: 1,
          path: 'notes.txt',
        });
        assert.deepEqual([matches.length, truncated], [1, true]);
      }),
      right('nothing', async (desk) => {
        const { text } = await desk.answer(grepSearch, { query: 'nothing has this word' });
        assert.equal(text, 'no match');
      }),
    ],
    wrong: [
      wrong('a broken pattern', { query: '(open' }, 'bad-pattern', /open|unclosed/),
      wrong('no such folder', { query: 'x', path: 'sources' }, 'not-found', /sources/),
      wrong('a broken glob', { query: 'x', include_pattern: '{a' }, 'bad-pattern', /\{a/),
      wrong(
        'through a link that leads out',
        { query: 'root', path: 'out.txt' },
        'outside-workspace',
        /out\.txt/,
      ),
    ],
  },
  {
    tool: fileSearch,
    right: [
      right('letters of a name, best first', async (desk) => {
        const { files, matching } = await desk.call(fileSearch, { query: 'shapes', limit: 500 });
        const fits = (await desk.lines(tracked)).filter((path) => /s.*h.*a.*p.*e.*s/i.test(path));
        assert.equal(files[0]?.path, 'src/shapes.ts');
        assert.deepEqual([matching, files.map(({ path }) => path).sort()], [fits.length, fits.sort()]);
      }),
      right('a part, and how many there are', async (desk) => {
        const { files, matching, truncated } = await desk.call(fileSearch, { query: 'ts', limit: 2 });
        const fits = (await desk.lines(tracked)).filter((path) => /t.*s/i.test(path));
        assert.deepEqual([files.length, matching, truncated], [2, fits.length, true]);
      }),
      right('nothing', async (desk) => {
        const { matching } = await desk.call(fileSearch, { query: 'zzqq' });
        assert.equal(matching, 0);
      }),
    ],
    wrong: [wrong('an empty query', { query: '' }, 'schema', /query/)],
  },
  {
    tool: codebaseSearch,
    right: [
      right('a question: the place has its words, and the lines are those of the file', async (desk) => {
        const { places } = await desk.call(codebaseSearch, { query: 'where are packs added to the shelf?' });
        const [best] = places;
        assert.equal(best?.path, 'shop/stock.py');
        assert.equal(
          best.text,
          (
            await desk.sh(
              `awk 'NR >= ${best.start_line} && NR <= ${best.end_line} {printf "%d\\t%s\\n", NR, $0}' shop/stock.py`,
            )
          ).trimEnd(),
        );
      }),
      right('in a folder: every file with the word', async (desk) => {
        const { places } = await desk.call(codebaseSearch, {
          query: 'squared',
          target_directories: ['src'],
          limit: 50,
        });
        assert.deepEqual(
          [...new Set(places.map(({ path }) => path))].sort(),
          await desk.lines(`grep -rl squared src | sort`),
        );
      }),
    ],
    wrong: [
      wrong('no such folder', { query: 'shelf', target_directories: ['sources'] }, 'not-found', /sources/),
      wrong('no words', { query: '?!' }, 'bad-arguments', /\?!|word/),
      wrong(
        'out of the workspace',
        { query: 'root', target_directories: ['/etc'] },
        'outside-workspace',
        /\/etc/,
      ),
    ],
  },
  {
    tool: repositoryStructure,
    right: [
      right('all files, counted', async (desk) => {
        const { files, endings, tree, truncated } = await desk.call(repositoryStructure, {});
        const all = (await desk.lines(tracked)).filter((path) => path !== 'out.txt' && path !== 'inside.txt');
        assert.deepEqual([files, truncated], [all.length, false]);
        assert.equal(
          endings.find(({ ending }) => ending === '.ts')?.files,
          all.filter((path) => path.endsWith('.ts')).length,
        );
        for (const path of all) assert.ok(tree.includes(path.split('/').at(-1) ?? ''), path);
      }),
      right('a folder', async (desk) => {
        const { files } = await desk.call(repositoryStructure, { path: 'shop' });
        assert.equal(files, (await desk.lines('find shop -type f -not -name "*.pyc"')).length);
      }),
      right('a part, and that there is more', async (desk) => {
        const { tree, truncated } = await desk.call(repositoryStructure, { limit: 3 });
        assert.deepEqual([tree.trimEnd().split('\n').length <= 4, truncated], [true, true]);
      }),
    ],
    wrong: [
      wrong('no such folder', { path: 'sources' }, 'not-found', /sources/),
      wrong('a file', { path: 'notes.txt' }, 'not-a-folder', /notes\.txt/),
      wrong('out of the workspace', { path: '/etc' }, 'outside-workspace', /\/etc/),
    ],
  },
];
