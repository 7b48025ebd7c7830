import assert from 'node:assert/strict';
import { fileTools, searchTools } from '../../../bridge/protocol/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { ToolIde } from '../../support/tool-ide.ts';

const { grepSearch, fileSearch, codebaseSearch, repositoryStructure } = searchTools;
const { workspaceSymbols, documentSymbols, findReferences, goToDefinition } = searchTools;
const { findImplementations, callHierarchy, typeHierarchy, hover } = searchTools;

const shapes = `/** Anything with an area. */
export interface Shape<T = number> {
  area(): T;
}

export class Circle implements Shape<number> {
  constructor(readonly radius: number) {}

  area(): number {
    return Math.PI * square(this.radius);
  }
}

export class Ring extends Circle implements Shape {
  override area(): number {
    return super.area() - 1;
  }
}

/** Multiplies a number by itself. */
export function square(value: number): number {
  return value * value;
}
`;
const main = `import { Circle, square, type Shape } from './shapes.ts';

const shape: Shape = new Circle(2);
export function total(): number {
  return shape.area() + square(3);
}
`;
const inventory = `"""Keeps count of what is on the shelves."""


class Inventory:
    def restock(self, name, packs):
        """Adds packs to a shelf."""
        return name * packs
`;

onOneNode('search tools, in a real IDE', (open) => {
  let ide: ToolIde;
  before(async () => {
    ide = await ToolIde.start(open, {
      'src/shapes.ts': shapes,
      'src/main.ts': main,
      'src/user_control.ts': 'export {};\n',
      'py/inventory.py': inventory,
      'rb/inventory.rb': 'def restock\nend\n',
      'notes.txt': 'first TODO\nsecond line\nthird todo\nfourth line\n',
      'node_modules/dep/index.js': '// TODO in a dependency\n',
      'ignored.log': 'TODO in a log\n',
      '.gitignore': '*.log\n',
      'tsconfig.json':
        '{ "compilerOptions": { "strict": true, "allowImportingTsExtensions": true, "noEmit": true }, "include": ["src"] }\n',
    });
    await ide.bash(`mkdir deep; ln -s /etc outdir`);
  });
  after(() => ide[Symbol.asyncDispose]());

  describe('grep_search', () => {
    it('returns lines with numbers and context, without ignored files', async () => {
      const { matches, files, truncated } = await ide.call(grepSearch, { query: 'todo', context: 1 });
      assert.deepEqual(
        matches.map(({ path, line, column, before: above, after: below }) => [
          path,
          line,
          column,
          above,
          below,
        ]),
        [
          ['notes.txt', 1, 7, [], ['second line']],
          ['notes.txt', 3, 7, ['second line'], ['fourth line']],
        ],
      );
      assert.deepEqual([files, truncated], [1, false]);
    });

    it('distinguishes case, words, plain text and regular expressions', async () => {
      const count = async (query: string, more: object = {}) =>
        (await ide.call(grepSearch, { query, ...more })).matches.length;
      assert.equal(await count('TODO', { case_sensitive: true }), 1);
      assert.equal(await count('area()', { regex: false }), 5);
      assert.equal(await count(String.raw`^export (class|function)`), 4);
      assert.equal(await count('squar', { whole_word: true }), 0);
      assert.equal(await count(String.raw`TODO\nsecond`, { multiline: true, case_sensitive: true }), 2);
      assert.equal(await count('TODO', { include_ignored: true }), 4);
      assert.equal(await count('area', { include_pattern: 'src/**/*.ts', exclude_pattern: '**/main.ts' }), 5);
      assert.equal(await count('area', { path: 'py' }), 0);
    });

    it('distinguishes no match from a bad pattern and a forbidden place', async () => {
      const none = await ide.answer(grepSearch, { query: 'nothing has this' });
      assert.equal(none.text, 'no match');
      assert.match(await ide.refused('bad-pattern', grepSearch, { query: '(' }), /regex parse error/);
      assert.equal((await ide.call(grepSearch, { query: '(self', regex: false })).matches.length, 1);
      await ide.refused('outside-workspace', grepSearch, { query: 'root', path: 'outdir' });
      const outside = await ide.call(grepSearch, { query: 'root:x', include_ignored: true });
      assert.equal(outside.matches.length, 0);
    });

    it('says when it was cut', async () => {
      const { matches, truncated } = await ide.call(grepSearch, { query: 'line', limit: 1 });
      assert.deepEqual([matches.length, truncated], [1, true]);
      await ide.bash(`mkdir wide; for i in $(seq 600); do printf '%2000s wide\\n' x; done > wide/wide.txt`);
      const wide = await ide.call(grepSearch, { query: ' x', path: 'wide', limit: 2000 });
      assert.deepEqual([wide.matches.length, wide.truncated], [250, true]);
      await ide.bash('rm -r wide');
    });

    it('searches unsaved text in editors', async () => {
      await ide.ide.key('ctrl+p');
      await ide.ide.type('notes.txt');
      await ide.ide.find('option', /notes\.txt/);
      await ide.ide.key('Return');
      await ide.ide.until('notes.txt', ({ title }) => (title.startsWith('notes.txt') ? true : undefined));
      await ide.ide.type('unsavedword ');
      const { matches } = await ide.call(grepSearch, { query: 'unsavedword' });
      assert.deepEqual(
        matches.map(({ path, line, text }) => [path, line, text]),
        [['notes.txt', 1, 'unsavedword first TODO']],
      );
      const others = await ide.call(grepSearch, { query: 'unsavedword', include_pattern: '*.ts' });
      assert.equal(others.matches.length, 0);
      assert.equal((await ide.call(grepSearch, { query: 'todo' })).matches.length, 2);
      await ide.ide.key('ctrl+z');
      await ide.ide.key('ctrl+s');
    });
  });

  it('file_search finds files by letters of their path, the best first', async () => {
    const found = await ide.call(fileSearch, { query: 'usrctl' });
    assert.equal(found.files[0]?.path, 'src/user_control.ts');
    assert.deepEqual(
      (await ide.call(fileSearch, { query: 'shapes.ts' })).files.map(({ path }) => path),
      ['src/shapes.ts'],
    );
    assert.deepEqual(await ide.call(fileSearch, { query: 'zzzz' }), {
      files: [],
      matching: 0,
      truncated: false,
    });
  });

  it('codebase_search ranks places relevant to a question, in any language', async () => {
    const python = await ide.call(codebaseSearch, { query: 'where are packs added to a shelf?' });
    assert.equal(python.places[0]?.path, 'py/inventory.py');
    assert.match(python.places[0].text, /^\d+\t/);
    const typescript = await ide.call(codebaseSearch, {
      query: 'square of a value',
      target_directories: ['src'],
    });
    assert.equal(typescript.places[0]?.path, 'src/shapes.ts');
    for (const glob of ['s*', 'src/*.ts', '**/*.ts', './src/**'])
      assert.equal(
        (await ide.call(codebaseSearch, { query: 'square of a value', target_directories: [glob] })).places[0]
          ?.path,
        'src/shapes.ts',
        glob,
      );
    await ide.refused('not-found', codebaseSearch, { query: 'square', target_directories: ['nowhere'] });
    assert.match(typescript.places[0].text, /export function square/);
    await ide.refused('bad-arguments', codebaseSearch, { query: '?!' });
  });

  it('repository_structure returns the tree with counts', async () => {
    const { tree, files, endings } = await ide.call(repositoryStructure, {});
    assert.match(
      tree,
      /^py\/\n {2}inventory\.py\nrb\/\n {2}inventory\.rb\nsrc\/\n {2}main\.ts\n {2}shapes\.ts\n {2}user_control\.ts\n/,
    );
    assert.equal(files, 8);
    assert.deepEqual(endings[0], { ending: '.ts', files: 3 });
    const top = await ide.call(repositoryStructure, { max_depth: 1 });
    assert.match(top.tree, /^py\/ {2}\(1 files\)\nrb\/ {2}\(1 files\)\nsrc\/ {2}\(3 files\)/);
    await ide.refused('not-a-folder', repositoryStructure, { path: 'notes.txt' });
  });

  describe('in TypeScript', () => {
    const path = 'src/shapes.ts';
    const lines = (places: readonly { path: string; line: number }[]) =>
      places.map((one) => `${one.path}:${one.line}`);

    it('document_symbols returns the outline of a file', async () => {
      const { symbols } = await ide.call(documentSymbols, { path });
      assert.deepEqual(
        symbols
          .filter(({ level }) => level === 1)
          .map(({ kind, name, line, end_line }) => [kind, name, line, end_line]),
        [
          ['class', 'Circle', 6, 12],
          ['class', 'Ring', 14, 18],
          ['interface', 'Shape', 2, 4],
          ['function', 'square', 21, 23],
        ].sort((a, b) => Number(a[2]) - Number(b[2])),
      );
      assert.ok(
        symbols.some(({ name, container, level }) => name === 'area' && container === 'Ring' && level === 2),
      );
    });

    it('workspace_symbols finds a name anywhere', async () => {
      const { symbols } = await ide.call(workspaceSymbols, { query: 'squar' });
      assert.deepEqual(lines(symbols), ['src/shapes.ts:21']);
      assert.equal((await ide.call(workspaceSymbols, { query: 'absentName' })).total, 0);
    });

    it('find_references and go_to_definition accept a line, a column or a name alone', async () => {
      const references = ['src/main.ts:1', 'src/main.ts:5', 'src/shapes.ts:10', 'src/shapes.ts:21'];
      assert.deepEqual(
        lines((await ide.call(findReferences, { path, symbol: 'square' })).places),
        references,
      );
      const byLine = await ide.call(findReferences, { path: 'src/main.ts', line: 5, symbol: 'square' });
      assert.deepEqual(lines(byLine.places), references);
      assert.match(byLine.places[1]?.text ?? '', /shape\.area\(\) \+ square\(3\)/);
      const defined = await ide.call(goToDefinition, { path: 'src/main.ts', line: 5, column: 25 });
      assert.deepEqual(lines(defined.places), ['src/shapes.ts:21']);
      const type = await ide.call(goToDefinition, {
        path: 'src/main.ts',
        symbol: 'shape',
        line: 5,
        of: 'type',
      });
      assert.deepEqual(lines(type.places), ['src/shapes.ts:2']);
      const cut = await ide.call(findReferences, { path, symbol: 'square', limit: 1 });
      assert.deepEqual([cut.places.length, cut.total, cut.truncated], [1, 4, true]);
    });

    it('find_references follows a name through exports and require of CommonJS', async () => {
      await ide.bash(`mkdir -p cjs/lib cjs/app; cd cjs
cat > lib/a.js <<'END'
function short(x) { return x; }
const arrow = (x) => short(x);
function renamed() {}
module.exports = {
  short,
  other: renamed,
};
module.exports.arrow = arrow;
END
echo "module.exports = { ...require('./a') };" > lib/index.js
cat > app/use.js <<'END'
const a = require('../lib/a');
a.short(1);
a.arrow(a.other);
END
cat > app/taken.js <<'END'
const { short, other: mine, arrow } = require('../lib');
short(1);
mine(arrow);
END
echo "const { short } = { short: 1 }; short;" > app/not.js`);
      const found = async (symbol: string) => {
        const { places, incomplete } = await ide.call(findReferences, { path: 'cjs/lib/a.js', symbol });
        assert.equal(incomplete, null);
        return places.map(({ path: at, line }) => `${at.slice(4)}:${line}`).join(' ');
      };
      assert.equal(
        await found('short'),
        'app/taken.js:1 app/taken.js:2 app/use.js:2 lib/a.js:1 lib/a.js:2 lib/a.js:5',
      );
      assert.equal(
        await found('arrow'),
        'app/taken.js:1 app/taken.js:3 app/use.js:3 lib/a.js:2 lib/a.js:8 lib/a.js:8',
      );
      const renamed = await found('renamed');
      for (const place of ['app/taken.js:1', 'app/taken.js:3', 'app/use.js:3', 'lib/a.js:3', 'lib/a.js:6'])
        assert.ok(renamed.includes(place), renamed);
    });

    it('find_implementations finds classes that implement an interface', async () => {
      const { places } = await ide.call(findImplementations, { path, symbol: 'Shape' });
      assert.deepEqual(lines(places), ['src/shapes.ts:6', 'src/shapes.ts:14']);
    });

    it('call_hierarchy finds callers over levels, and callees', async () => {
      const callers = await ide.call(callHierarchy, { path, symbol: 'square', depth: 2 });
      assert.equal(callers.symbol.name, 'square');
      const direct = callers.related.filter(({ level }) => level === 1);
      assert.deepEqual(direct.map(({ name, calls }) => [name, calls]).sort(), [
        ['area', [10]],
        ['total', [5]],
      ]);
      assert.ok(callers.related.some(({ level, of }) => level === 2 && of === 'area'));
      const callees = await ide.call(callHierarchy, {
        path: 'src/main.ts',
        symbol: 'total',
        direction: 'outgoing',
      });
      assert.ok(callees.related.some(({ name, path: where }) => name === 'square' && where === path));
      await ide.refused('not-found', callHierarchy, { path: 'src/main.ts', line: 2, column: 1 });
    });

    it('call_hierarchy finds a function by name only', async () => {
      const { symbol, related } = await ide.call(callHierarchy, { symbol: 'square' });
      assert.deepEqual([symbol.path, symbol.line], [path, 21]);
      assert.ok(related.some(({ name }) => name === 'total'));
      await ide.refused('not-found', callHierarchy, { symbol: 'nowhereToBeFound' });
      await ide.refused('ambiguous-match', callHierarchy, { symbol: 'area' });
    });

    it('type_hierarchy finds supertypes and subtypes', async () => {
      const names = async (symbol: string, direction: 'supertypes' | 'subtypes', depth = 1) => {
        const { related } = await ide.call(typeHierarchy, { path, symbol, direction, depth });
        return related.map(({ name, level, of }) => `${name} ${level} ${of}`).sort();
      };
      assert.deepEqual(await names('Shape', 'subtypes'), ['Circle 1 Shape', 'Ring 1 Shape']);
      assert.deepEqual(await names('Circle', 'subtypes'), ['Ring 1 Circle']);
      assert.deepEqual(await names('Ring', 'supertypes', 2), [
        'Circle 1 Ring',
        'Shape 1 Ring',
        'Shape 2 Circle',
      ]);
    });

    it('hover returns signature and documentation', async () => {
      const { contents } = await ide.call(hover, { path: 'src/main.ts', line: 5, symbol: 'square' });
      assert.match(contents, /square\(value: number\): number/);
      assert.match(contents, /Multiplies a number by itself/);
    });

    it('refuses places that do not exist', async () => {
      await ide.refused('not-found', hover, { path, symbol: 'absent' });
      await ide.refused('bad-arguments', hover, { path, line: 99, column: 1 });
      await ide.refused('bad-arguments', hover, { path, line: 1, column: 99 });
      await ide.refused('bad-arguments', hover, { path, line: 1 });
      await ide.refused('outside-workspace', hover, { path: '/etc/passwd', symbol: 'root' });
      await ide.refused('not-found', hover, { path: 'none.ts', symbol: 'x' });
    });

    it('gives up a language server that hangs, and continues when it answers again', async () => {
      await ide.bash('pkill -STOP -f tsserver.js');
      try {
        await ide.refused('language-server-timeout', findReferences, {
          path,
          symbol: 'square',
          timeout_ms: 300,
        });
      } finally {
        await ide.bash('pkill -CONT -f tsserver.js');
      }
      assert.equal((await ide.call(findReferences, { path, symbol: 'square' })).total, 4);
    });

    it('sees edits at once', async () => {
      const newName = {
        path: 'src/main.ts',
        old_string: '+ square(3)',
        new_string: '+ square(3) + square(4)',
      };
      await ide.call(fileTools.searchReplace, newName);
      assert.equal((await ide.call(findReferences, { path, symbol: 'square' })).total, 5);
    });
  });

  describe('in Ruby, for which this IDE has no language server', () => {
    const at = { path: 'rb/inventory.rb', symbol: 'restock' };
    it('says so', async () => {
      for (const tool of [
        findReferences,
        goToDefinition,
        findImplementations,
        callHierarchy,
        typeHierarchy,
        hover,
      ])
        await ide.refused('no-language-server', tool, at);
      const message = await ide.refused('no-language-server', documentSymbols, { path: at.path });
      assert.match(message, /ruby.*Use grep_search/s);
    });
  });

  it('grep_search names places that it did not search', async () => {
    await ide.refused('not-found', grepSearch, { query: 'x', path: 'sources' });
    const { matches, notes } = await ide.call(grepSearch, { query: 'TODO', path: 'node_modules' });
    assert.deepEqual([matches.length, notes.length], [0, 1]);
    assert.match(notes[0] ?? '', /node_modules is left out.*include_ignored/);
  });

  describe('the files of grep_search', () => {
    const found = async (pattern: string, more: object = {}) => {
      const given = { query: 'needle', include_pattern: pattern, ...more };
      const { matches, notes } = await ide.call(grepSearch, given);
      return notes.length > 0 ? notes.join() : matches.map(({ path }) => path).join();
    };
    before(() =>
      ide.bash(
        String.raw`mkdir -p 'app/[id]' 'app/(group)' app/i 'app/{x}'
for d in '[id]' '(group)' i '{x}'; do echo needle > "app/$d/a.js"; done
for n in '[x].txt' '{y}.txt' '-n.txt' 'end ' 'c#1.txt' '!no.txt' 'a,b.txt' 'back\slash.txt' $'new\nline.txt'; do echo needle > "odd-$n"; done`,
      ),
    );

    it('are paths in any form: a folder, with a slash, with ./, absolute, with backslashes', async () => {
      const all = ['app/(group)/a.js', 'app/[id]/a.js', 'app/i/a.js', 'app/{x}/a.js'].join();
      for (const pattern of ['app', 'app/', './app', './app/**', '/workspace/app', 'app\\**', 'ap?'])
        assert.equal(await found(pattern), all, pattern);
      assert.equal(await found(String.raw`app\i\a.js`), 'app/i/a.js');
      assert.equal(await found('i/*.js', { path: 'app' }), 'app/i/a.js');
    });

    it('match a name with brackets literally if it exists, otherwise as a glob', async () => {
      assert.equal(await found('app/[id]/**'), 'app/[id]/a.js');
      assert.equal(await found('app/[id]/*.js'), 'app/[id]/a.js');
      assert.equal(await found('app/(group)/a.js'), 'app/(group)/a.js');
      assert.equal(await found('app/{x}'), 'app/{x}/a.js');
      assert.equal(await found('app/[hi]/a.js'), 'app/i/a.js');
      assert.equal(await found('{app/i,nothing}/a.js'), 'app/i/a.js');
      const names = ['[x].txt', '{y}.txt', '-n.txt', 'end ', 'c#1.txt', '!no.txt', 'a,b.txt'];
      for (const name of [...names, String.raw`back\slash.txt`, 'new\nline.txt'])
        assert.equal(await found(`odd-${name}`), `odd-${name}`, name);
    });

    it('can be separated by commas, minus excluded ones', async () => {
      assert.equal(await found('app/i, odd-c#1.txt'), 'app/i/a.js,odd-c#1.txt');
      assert.equal(
        await found('*.{js,txt}', { exclude_pattern: 'odd*,app/[id]' }),
        'app/(group)/a.js,app/i/a.js,app/{x}/a.js',
      );
    });

    it('are named if they do not exist', async () => {
      assert.match(
        await found('aap/**'),
        /^no file was searched: none in \. fits include_pattern aap\/\*\*$/,
      );
      assert.match(await found('*.js', { path: 'src' }), /none in src fits include_pattern \*\.js/);
      assert.match(await found('node_modules/**'), /left out of searches: set include_ignored/);
      await ide.refused('bad-arguments', grepSearch, { query: 'x', include_pattern: '/etc/*' });
    });

    it('codebase_search accepts the same for folders', async () => {
      const places = async (folder: string) =>
        (await ide.call(codebaseSearch, { query: 'needle', target_directories: [folder] })).places.map(
          ({ path }) => path,
        );
      assert.deepEqual(await places('app/[id]'), ['app/[id]/a.js']);
      assert.deepEqual(await places('app/[hi]/'), ['app/i/a.js']);
    });
  });

  it('grep_search reads lines as editors do: Windows endings, long lines, 8-bit text, other Unicode forms', async () => {
    await ide.bash(
      String.raw`mkdir lines; cd lines; printf 'alpha;\r\nbeta\r\n' > w.js
printf '%015000d%s%05000d\n' 0 pin 0 > long.js; printf 'gr\xfc\xdfe one\ntwo\n' > latin.txt
printf 'cafe\xcc\x81\n' > decomposed.txt; printf 'gr\xc3\xbc\xc3\x9fe\n' > utf8.txt`,
    );
    const lines = async (query: string) => {
      const { matches } = await ide.call(grepSearch, { query, path: 'lines' });
      return matches.map(({ path, line, column, text }) => `${path}:${line}:${column}:${text}`);
    };
    assert.deepEqual(await lines('alpha;$'), ['lines/w.js:1:1:alpha;']);
    assert.deepEqual(await lines('^beta$'), ['lines/w.js:2:1:beta']);
    const [long = ''] = await lines('pin');
    assert.match(long, /^lines\/long\.js:1:15001:…0+pin0+…$/);
    assert.ok(long.length < 2100);
    assert.deepEqual(await lines('caf\u00e9'), ['lines/decomposed.txt:1:1:cafe\u0301']);
    assert.deepEqual((await lines('grüße')).sort(), [
      'lines/latin.txt:1:1:grüße one',
      'lines/utf8.txt:1:1:grüße',
    ]);
    const places = await ide.call(codebaseSearch, { query: 'pin', target_directories: ['lines'] });
    assert.match(places.places[0]?.text ?? '', /0pin0/);
  });

  it('file_search finds a name in another Unicode form', async () => {
    await ide.bash(String.raw`touch $'re\u0301sume\u0301.md' $'two\nlines.md'`);
    const { files } = await ide.call(fileSearch, { query: 'r\u00e9sum\u00e9' });
    assert.deepEqual(
      files.map(({ path }) => path),
      ['re\u0301sume\u0301.md'],
    );
    assert.equal((await ide.call(fileSearch, { query: 'two\nlines.md' })).files[0]?.path, 'two\nlines.md');
  });
});
