import assert from 'node:assert/strict';
import { refactorTools } from '../../../bridge/protocol/index.ts';
import { right, type ToolCase, wrong, type WrongCall } from '../case.ts';
import type { Desk } from '../desk.ts';
import { dropUnsaved, typeUnsaved } from '../unsaved.ts';

const { renameSymbol, moveSymbol, moveFile, listCodeActions, applyCodeAction } = refactorTools;
const { organizeImports, formatFile } = refactorTools;
const wait_ms = 60_000;

/** The output of the workspace's programs, which stays the same over each refactoring. */
const output = (desk: Desk) => desk.sh('node src/main.ts 2>&1; python3 -m shop.use 2>&1');

/** Does a refactoring that must not change the programs' output. */
async function keepsOutput(desk: Desk, work: () => Promise<void>): Promise<void> {
  const before = await output(desk);
  await work();
  assert.equal(await output(desk), before);
}

const at = { path: 'src/shapes.ts', line: 25, symbol: 'squared' } as const;

const nowhere = (more: object): readonly WrongCall[] => [
  wrong(
    'no such file',
    { path: 'src/shape.ts', line: 1, symbol: 'Shape', ...more },
    'not-found',
    /src\/shape\.ts/,
  ),
  wrong(
    'a line that has moved',
    { path: 'src/shapes.ts', line: 1, symbol: 'squared', ...more },
    'not-found',
    /squared/,
  ),
  wrong(
    'no such line',
    { path: 'src/shapes.ts', line: 99, symbol: 'squared', ...more },
    'bad-arguments',
    /99/,
  ),
];

/** Tools that change code by its meaning; the result is checked with grep, and by running the code. */
export const refactorCases: readonly ToolCase[] = [
  {
    tool: renameSymbol,
    right: [
      right('TypeScript: every word, as sed would', async (desk) => {
        await desk.sh(
          `rm -rf /tmp/expected; cp -r src /tmp/expected; sed -i 's/\\bsquared\\b/square/g' /tmp/expected/*.ts`,
        );
        await keepsOutput(desk, async () => {
          const [place = ''] = await desk.lines(`grep -n 'function squared' src/shapes.ts | cut -d: -f1`);
          const { applied, total_changes: total } = await desk.call(renameSymbol, {
            ...at,
            line: Number(place),
            new_name: 'square',
          });
          assert.deepEqual([applied, total], [true, Number(await desk.sh('grep -row square src | wc -l'))]);
        });
        assert.equal(await desk.sh('diff -r src /tmp/expected'), '');
      }),
      right('back again', async (desk) => {
        const [place = ''] = await desk.lines(`grep -n 'function square' src/shapes.ts | cut -d: -f1`);
        await keepsOutput(desk, async () => {
          await desk.call(renameSymbol, {
            path: at.path,
            line: Number(place),
            symbol: 'square',
            new_name: 'squared',
          });
        });
      }),
      right('Python: a method with its overrides and calls', async (desk) => {
        await keepsOutput(desk, async () => {
          const { incomplete } = await desk.call(renameSymbol, {
            path: 'shop/stock.py',
            line: 5,
            symbol: 'restock',
            new_name: 'fill_up',
          });
          const left = await desk.sh('grep -rnw restock shop test_stock.py || true');
          assert.ok(left === '' || incomplete !== null, `left without a word: ${left}`);
        });
        await desk.sh('git checkout -q shop');
      }),
      right('a preview', async (desk) => {
        const before = await desk.sh('cat src/*.ts');
        const { applied, total_changes: total } = await desk.call(renameSymbol, {
          path: at.path,
          line: 2,
          symbol: 'Shape',
          new_name: 'Form',
          preview: true,
        });
        assert.deepEqual([applied, total], [false, Number(await desk.sh('grep -row Shape src | wc -l'))]);
        assert.equal(await desk.sh('cat src/*.ts'), before);
      }),
    ],
    wrong: [
      wrong(
        'a name that is taken',
        { path: 'src/shapes.ts', line: 6, symbol: 'Circle', new_name: 'Ring' },
        'refactor-refused',
        /Ring/,
      ),
      wrong(
        'a keyword',
        { path: 'src/shapes.ts', line: 6, symbol: 'Circle', new_name: 'class' },
        'bad-arguments',
        /class/,
      ),
      wrong(
        'no identifier',
        { path: 'src/shapes.ts', line: 6, symbol: 'Circle', new_name: 'my circle' },
        'bad-arguments',
        /my circle/,
      ),
      wrong(
        'the name that it has',
        { path: 'src/shapes.ts', line: 6, symbol: 'Circle', new_name: 'Circle' },
        'refactor-refused',
        /Circle/,
      ),
      wrong(
        'in Python: a name that is taken',
        { path: 'shop/stock.py', line: 4, symbol: 'Shelf', new_name: 'CoolShelf' },
        'refactor-refused',
        /CoolShelf/,
      ),
      wrong(
        'in Python: a keyword',
        { path: 'shop/stock.py', line: 4, symbol: 'Shelf', new_name: 'lambda' },
        'bad-arguments',
        /lambda/,
      ),
      wrong(
        'what has no name',
        { path: 'src/shapes.ts', line: 6, symbol: 'class', new_name: 'other' },
        'refactor-refused',
        /class|rename/,
      ),
      wrong(
        'a language without a server',
        { path: 'code.rb', line: 1, symbol: 'restock', new_name: 'fill' },
        'no-language-server',
        /ruby/,
      ),
      ...nowhere({ new_name: 'other' }),
    ],
  },
  {
    tool: moveSymbol,
    right: [
      right('TypeScript: to a new file, with its imports', async (desk) => {
        await desk.call(moveSymbol, {
          path: 'src/moving.ts',
          line: 1,
          symbol: 'carried',
          new_path: 'src/carried.ts',
          wait_ms,
        });
        assert.equal(
          await desk.sh(`grep -c carried src/carried.ts; grep -c 'const carried' src/moving.ts || true`),
          '1\n0\n',
        );
        assert.equal(
          await desk.sh(
            `node --input-type=module -e "const m = await import('/workspace/src/mover.ts'); console.log(m.sum)"`,
          ),
          '15\n',
        );
      }),
      right('Python: with its imports', async (desk) => {
        await keepsOutput(desk, async () => {
          const [line = ''] = await desk.lines(`grep -n 'def refill(' shop/stock.py | cut -d: -f1`);
          await desk.call(moveSymbol, {
            path: 'shop/stock.py',
            line: Number(line),
            symbol: 'refill',
            new_path: 'shop/refill.py',
            wait_ms,
          });
        });
        assert.equal(
          await desk.sh(`grep -c 'def refill(' shop/refill.py; grep -c 'def refill(' shop/stock.py || true`),
          '1\n0\n',
        );
        await desk.sh('git checkout -q shop test_stock.py; rm -f shop/refill.py');
      }),
    ],
    wrong: [
      wrong(
        'to its own file',
        { path: 'src/moving.ts', line: 1, symbol: 'kept', new_path: 'src/moving.ts' },
        'bad-arguments',
        /moving\.ts/,
      ),
      wrong(
        'to a file of another language',
        { path: 'src/moving.ts', line: 1, symbol: 'kept', new_path: 'notes.txt' },
        'no-language-server',
        /notes\.txt/,
      ),
      wrong(
        'to a folder',
        { path: 'src/moving.ts', line: 1, symbol: 'kept', new_path: 'shop' },
        'no-language-server',
        /shop/,
      ),
      wrong(
        'what is no declaration at the top',
        { path: 'src/shapes.ts', line: 13, symbol: 'area', new_path: 'src/area.ts' },
        'refactor-refused',
        /area/,
      ),
      wrong(
        'out of the workspace',
        { path: 'src/moving.ts', line: 1, symbol: 'kept', new_path: '/tmp/outside/k.ts' },
        'outside-workspace',
        /outside/,
      ),
      ...nowhere({ new_path: 'src/other.ts' }),
    ],
  },
  {
    tool: moveFile,
    right: [
      right('TypeScript: imports follow', async (desk) => {
        await keepsOutput(desk, async () => {
          await desk.call(moveFile, { path: 'src/shapes.ts', new_path: 'src/forms/shapes.ts', wait_ms });
          assert.equal(
            await desk.sh(`ls src/shapes.ts 2>/dev/null; grep -rc "'./shapes.ts'" src/report.ts || true`),
            '0\n',
          );
        });
        await desk.call(moveFile, { path: 'src/forms/shapes.ts', new_path: 'src/shapes.ts', wait_ms });
        assert.equal(await desk.sh('git diff --stat src/shapes.ts src/report.ts'), '');
      }),
    ],
    wrong: [
      wrong(
        'a Python module, whose imports no server knows',
        { path: 'shop/stock.py', new_path: 'shop/shelves.py' },
        'no-language-server',
        /shop\/stock\.py/,
      ),
      wrong('no such file', { path: 'src/shape.ts', new_path: 'src/b.ts' }, 'not-found', /src\/shape\.ts/),
      wrong(
        'the name is taken',
        { path: 'src/shapes.ts', new_path: 'src/main.ts' },
        'already-exists',
        /src\/main\.ts/,
      ),
      wrong(
        'onto itself',
        { path: 'src/shapes.ts', new_path: 'src/shapes.ts' },
        'bad-arguments',
        /src\/shapes\.ts/,
      ),
      wrong('a folder into itself', { path: 'src', new_path: 'src/deep' }, 'bad-arguments', /src/),
      wrong(
        'below a file',
        { path: 'src/shapes.ts', new_path: 'notes.txt/a.ts' },
        'not-a-folder',
        /notes\.txt/,
      ),
      wrong(
        'out of the workspace',
        { path: 'src/shapes.ts', new_path: '/tmp/outside/s.ts' },
        'outside-workspace',
        /outside/,
      ),
      wrong(
        'with unsaved text',
        { path: 'src/lone.ts', new_path: 'src/other.ts' },
        'unsaved-changes',
        /lone\.ts/,
        {
          first: (desk) => typeUnsaved(desk, 'src/lone.ts', 'typed '),
          last: dropUnsaved,
        },
      ),
    ],
  },
  {
    tool: listCodeActions,
    right: [
      right(
        'of an error, by the name that tsc reports',
        async (desk) => {
          const { actions } = await desk.call(listCodeActions, {
            path: 'src/broken.ts',
            line: 3,
            kind: 'quickfix',
          });
          assert.ok(
            actions.some(({ title }) => title.includes("'doubled'")),
            JSON.stringify(actions),
          );
        },
        {
          shapeOnly: 'what a server offers is its own; that the offer is about the name in error is compared',
        },
      ),
    ],
    wrong: [
      wrong('no such file', { path: 'src/broke.ts', line: 1 }, 'not-found', /src\/broke\.ts/),
      wrong('no such line', { path: 'src/broken.ts', line: 99 }, 'bad-arguments', /99/),
      wrong(
        'lines in the wrong order',
        { path: 'src/broken.ts', line: 3, end_line: 1 },
        'bad-arguments',
        /1/,
      ),
      wrong('no such column', { path: 'src/broken.ts', line: 1, column: 900 }, 'bad-arguments', /900/),
    ],
  },
  {
    tool: applyCodeAction,
    right: [
      right('declares the missing function', async (desk) => {
        const given = { path: 'src/broken.ts', line: 3 } as const;
        const { actions } = await desk.call(listCodeActions, given);
        const title = actions.find(({ title: one }) => /function.*'doubled'/.test(one))?.title ?? '';
        const { applied } = await desk.call(applyCodeAction, { ...given, title, wait_ms });
        assert.deepEqual([applied, await desk.sh(`grep -c 'function doubled' src/broken.ts`)], [true, '1\n']);
        await desk.sh('git checkout -q src/broken.ts');
      }),
    ],
    wrong: [
      wrong(
        'no such action',
        { path: 'src/broken.ts', line: 3, title: 'Repair it all' },
        'not-found',
        /Repair it all/,
      ),
      wrong(
        'a part of a title',
        { path: 'src/broken.ts', line: 3, title: 'Add missing' },
        'not-found',
        /Add missing/,
      ),
      wrong(
        'an older version',
        {
          path: 'src/broken.ts',
          line: 3,
          title: "Add missing function declaration 'doubled'",
          expected_version: '0123456789abcdef',
        },
        'stale-version',
        /src\/broken\.ts/,
      ),
      wrong('no such line', { path: 'src/broken.ts', line: 99, title: 'x' }, 'bad-arguments', /99/),
      wrong('no such file', { path: 'src/broke.ts', line: 1, title: 'x' }, 'not-found', /src\/broke\.ts/),
    ],
  },
  {
    tool: organizeImports,
    right: [
      right('unused ones go, the others are sorted', async (desk) => {
        const { applied } = await desk.call(organizeImports, { path: 'src/sorted.ts', wait_ms });
        assert.equal(applied, true);
        assert.deepEqual(await desk.lines(`grep import src/sorted.ts`), [
          "import { Circle, squared } from './shapes.ts';",
        ]);
      }),
      right('nothing to do', async (desk) => {
        const { effect } = await desk.answer(organizeImports, { path: 'src/sorted.ts' });
        assert.equal(effect, 'no-effect');
      }),
    ],
    wrong: [
      wrong('no such file', { path: 'src/sort.ts' }, 'not-found', /src\/sort\.ts/),
      wrong('a language without imports', { path: 'code.rb' }, 'no-language-server', /ruby/),
      wrong('out of the workspace', { path: 'out.txt' }, 'outside-workspace', /out\.txt/),
    ],
  },
  {
    tool: formatFile,
    right: [
      right('white space alone', async (desk) => {
        const letters = `tr -d ' \\n;' < src/ugly.ts`;
        const before = await desk.sh(letters);
        const { applied } = await desk.call(formatFile, { path: 'src/ugly.ts', wait_ms });
        assert.deepEqual([applied, await desk.sh(letters)], [true, before]);
        assert.equal(await desk.sh('head -1 src/ugly.ts'), 'export const ugly = {\n');
      }),
      right('nothing to do', async (desk) => {
        const { effect } = await desk.answer(formatFile, { path: 'src/ugly.ts' });
        assert.equal(effect, 'no-effect');
      }),
    ],
    wrong: [
      wrong('no such file', { path: 'src/ugl.ts' }, 'not-found', /src\/ugl\.ts/),
      wrong('a language without a formatter', { path: 'code.rb' }, 'no-formatter', /ruby/),
      wrong('no such lines', { path: 'src/ugly.ts', start_line: 50, end_line: 60 }, 'bad-arguments', /50|60/),
      wrong(
        'lines in the wrong order',
        { path: 'src/ugly.ts', start_line: 3, end_line: 2 },
        'bad-arguments',
        /2/,
      ),
    ],
  },
];
