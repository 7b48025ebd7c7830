import assert from 'node:assert/strict';
import { searchTools } from '../../../bridge/protocol/index.ts';
import { right, type ToolCase, wrong, type WrongCall } from '../case.ts';
import type { Desk } from '../desk.ts';

const { workspaceSymbols, documentSymbols, findReferences, goToDefinition } = searchTools;
const { findImplementations, callHierarchy, typeHierarchy, hover } = searchTools;

const places = (found: readonly { readonly path: string; readonly line: number }[]) =>
  found.map(({ path, line }) => `${path}:${line}`).sort();

/** Lines that have a word, by grep; comments and strings of these files don't have it. */
async function linesWith(desk: Desk, word: string, folder: string): Promise<string[]> {
  return (
    await desk.lines(`grep -rnw --include='*.ts' --include='*.py' '${word}' ${folder} | cut -d: -f1,2`)
  ).sort();
}

/** The line that begins with a text, by grep. */
async function lineOf(desk: Desk, path: string, begin: string): Promise<string> {
  const [line = ''] = await desk.lines(`grep -nF '${begin}' ${path} | cut -d: -f1`);
  return `${path}:${line}`;
}

/** Calls that none of these tools can answer. */
const nowhere: readonly WrongCall[] = [
  wrong(
    'a symbol that is not in the file',
    { path: 'src/shapes.ts', symbol: 'Triangle' },
    'not-found',
    /Triangle/,
  ),
  wrong(
    'a line that has moved',
    { path: 'src/shapes.ts', line: 1, symbol: 'squared' },
    'not-found',
    /squared.*line 1/s,
  ),
  wrong('no such line', { path: 'src/shapes.ts', line: 99, column: 1 }, 'bad-arguments', /99/),
  wrong('no such column', { path: 'src/shapes.ts', line: 1, column: 99 }, 'bad-arguments', /99/),
  wrong('no such file', { path: 'src/shape.ts', symbol: 'Shape' }, 'not-found', /src\/shape\.ts/),
  wrong('a language without a server', { path: 'code.rb', symbol: 'restock' }, 'no-language-server', /ruby/),
  wrong('out of the workspace', { path: '/etc/passwd', symbol: 'root' }, 'outside-workspace', /etc\/passwd/),
];

/** Questions to language servers, whose right answers are known from the text of small files. */
export const codeCases: readonly ToolCase[] = [
  {
    tool: documentSymbols,
    right: [
      right('TypeScript: each declaration with its line', async (desk) => {
        const { symbols } = await desk.call(documentSymbols, { path: 'src/shapes.ts' });
        const found = symbols.filter(({ level }) => level === 1).map(({ name, line }) => `${line} ${name}`);
        const truth = await desk.lines(
          `grep -nE '^export (class|function|interface) ' src/shapes.ts | sed -E 's/^([0-9]+):export [a-z]+ ([A-Za-z]+).*/\\1 \\2/'`,
        );
        // A documented one may begin with its comment.
        assert.deepEqual(
          found.map((one) => one.split(' ')[1]).sort(),
          truth.map((one) => one.split(' ')[1]).sort(),
        );
        for (const one of found) assert.ok(truth.includes(one), one);
      }),
      right('Python: what its own parser finds', async (desk) => {
        const { symbols } = await desk.call(documentSymbols, { path: 'shop/stock.py' });
        const truth = await desk.python(`import ast
print(json.dumps(sorted([n.name, n.lineno, n.end_lineno] for n in ast.walk(ast.parse(open('shop/stock.py').read())) if hasattr(n, 'name'))))`);
        const found = symbols
          .filter(({ kind }) => ['class', 'method', 'function'].includes(kind))
          .map(({ name, line, end_line: end }) => [name, line, end] as const)
          .sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1]));
        assert.deepEqual(found, truth);
      }),
    ],
    wrong: [
      wrong('no such file', { path: 'src/shape.ts' }, 'not-found', /src\/shape\.ts/),
      wrong('a language without a server', { path: 'code.rb' }, 'no-language-server', /ruby/),
      wrong('a folder', { path: 'src' }, 'not-a-file', /src/),
    ],
  },
  {
    tool: workspaceSymbols,
    right: [
      right('a part of a name', async (desk) => {
        const { symbols } = await desk.call(workspaceSymbols, { query: 'squar' });
        assert.deepEqual(places(symbols), [await lineOf(desk, 'src/shapes.ts', 'export function squared')]);
      }),
      right('in Python', async (desk) => {
        const { symbols } = await desk.call(workspaceSymbols, { query: 'CoolShelf' });
        assert.ok(
          places(symbols).includes(await lineOf(desk, 'shop/stock.py', 'class CoolShelf')),
          places(symbols).join(),
        );
      }),
      right('nothing', async (desk) => {
        const { total } = await desk.call(workspaceSymbols, { query: 'Triangle' });
        assert.equal(total, 0);
      }),
    ],
    wrong: [wrong('an empty query', { query: '' }, 'schema', /query/)],
  },
  {
    tool: findReferences,
    right: [
      right('TypeScript: every line that has the name', async (desk) => {
        const { places: found, total } = await desk.call(findReferences, {
          path: 'src/shapes.ts',
          symbol: 'squared',
        });
        assert.deepEqual([...new Set(places(found))], await linesWith(desk, 'squared', 'src'));
        assert.equal(total, found.length);
      }),
      right('Python: the same', async (desk) => {
        const { places: found } = await desk.call(findReferences, {
          path: 'shop/stock.py',
          symbol: 'refill',
        });
        const truth = [
          ...(await linesWith(desk, 'refill', 'shop')),
          ...(await linesWith(desk, 'refill', 'test_stock.py')),
        ];
        const named = (await desk.lines(`grep -nw refill test_stock.py | cut -d: -f1`)).map(
          (line) => `test_stock.py:${line}`,
        );
        assert.deepEqual(
          [...new Set(places(found))],
          [...truth.filter((one) => one.startsWith('shop/')), ...named].sort(),
        );
      }),
      right('a part, and how many there are', async (desk) => {
        const {
          places: found,
          total,
          truncated,
        } = await desk.call(findReferences, { path: 'src/shapes.ts', symbol: 'squared', limit: 1 });
        assert.deepEqual([found.length, truncated, total > 1], [1, true, true]);
      }),
    ],
    wrong: nowhere,
  },
  {
    tool: goToDefinition,
    right: [
      right('TypeScript, from another file', async (desk) => {
        const { places: found } = await desk.call(goToDefinition, {
          path: 'src/report.ts',
          symbol: 'squared',
        });
        assert.deepEqual(places(found), [await lineOf(desk, 'src/shapes.ts', 'export function squared')]);
      }),
      right('Python, from another file', async (desk) => {
        const { places: found } = await desk.call(goToDefinition, {
          path: 'shop/use.py',
          symbol: 'CoolShelf',
        });
        assert.deepEqual(places(found), [await lineOf(desk, 'shop/stock.py', 'class CoolShelf')]);
      }),
    ],
    wrong: nowhere,
  },
  {
    tool: findImplementations,
    right: [
      right('of an interface', async (desk) => {
        const { places: found } = await desk.call(findImplementations, {
          path: 'src/shapes.ts',
          symbol: 'Shape',
        });
        const truth = await desk.lines(`grep -nE '^export class' src/shapes.ts | cut -d: -f1`);
        assert.deepEqual(places(found), truth.map((line) => `src/shapes.ts:${line}`).sort());
      }),
      right('of a method in Python', async (desk) => {
        const { places: found, incomplete } = await desk.call(findImplementations, {
          path: 'shop/stock.py',
          line: 5,
          symbol: 'restock',
        });
        const truth = await desk.lines(`grep -n 'def restock' shop/stock.py | cut -d: -f1`);
        for (const one of places(found)) assert.ok(truth.includes(one.split(':')[1] ?? ''), one);
        assert.ok(found.length >= 1 || incomplete !== null, 'none, and no word why');
      }),
    ],
    wrong: nowhere,
  },
  {
    tool: callHierarchy,
    right: [
      right('callers, with the lines of their calls', async (desk) => {
        const { related } = await desk.call(callHierarchy, { path: 'src/shapes.ts', symbol: 'squared' });
        const calls = related
          .flatMap(({ path, calls: lines }) => lines.map((line) => `${path}:${line}`))
          .sort();
        const truth = await desk.lines(
          `grep -rnE 'squared\\(' src | grep -v function | cut -d: -f1,2 | sort`,
        );
        assert.deepEqual(calls, truth);
      }),
      right('callees in Python', async (desk) => {
        const { related } = await desk.call(callHierarchy, {
          path: 'shop/stock.py',
          symbol: 'refill',
          direction: 'outgoing',
        });
        assert.ok(
          related.some(({ name, path }) => name === 'restock' && path === 'shop/stock.py'),
          JSON.stringify(related),
        );
      }),
    ],
    wrong: [
      ...nowhere.filter(({ given }) => !('line' in given && given.line === 1 && 'symbol' in given)),
      wrong('what is no function', { path: 'src/main.ts', line: 2, column: 1 }, 'not-found', /src\/main\.ts/),
      wrong('a name that is nowhere', { symbol: 'triangle' }, 'not-found', /triangle/),
      wrong('a name that is in several places', { symbol: 'area' }, 'ambiguous-match', /area/),
    ],
  },
  {
    tool: typeHierarchy,
    right: [
      right('subtypes, by their heads', async (desk) => {
        const { related } = await desk.call(typeHierarchy, { path: 'src/shapes.ts', symbol: 'Circle' });
        assert.deepEqual(
          related.map(({ name }) => name),
          await desk.lines(`grep -ohE 'class [A-Za-z]+ extends Circle' src/*.ts | cut -d' ' -f2`),
        );
      }),
      right('supertypes in Python, by its own word', async (desk) => {
        const { related } = await desk.call(typeHierarchy, {
          path: 'shop/stock.py',
          symbol: 'CoolShelf',
          direction: 'supertypes',
        });
        const truth = await desk.python(
          `import shop.stock\nprint(json.dumps([c.__name__ for c in shop.stock.CoolShelf.__bases__]))`,
        );
        assert.deepEqual(
          related.map(({ name }) => name),
          truth,
        );
      }),
    ],
    wrong: [
      ...nowhere,
      wrong('what is no type', { path: 'src/shapes.ts', symbol: 'squared' }, 'not-found', /squared/),
    ],
  },
  {
    tool: hover,
    right: [
      right('signature and documentation of the file', async (desk) => {
        const { contents } = await desk.call(hover, { path: 'src/report.ts', symbol: 'squared' });
        const [comment = ''] = await desk.lines(
          `grep -B1 'function squared' src/shapes.ts | head -1 | tr -d '*/' | xargs`,
        );
        assert.match(contents, /squared\(value: number\): number/);
        assert.ok(contents.includes(comment), contents);
      }),
      right('in Python', async (desk) => {
        const { contents } = await desk.call(hover, { path: 'shop/stock.py', line: 5, symbol: 'restock' });
        const doc = await desk.python(
          `import shop.stock\nprint(json.dumps(shop.stock.Shelf.restock.__doc__))`,
        );
        assert.ok(contents.includes(String(doc)), contents);
      }),
    ],
    wrong: nowhere,
  },
];
