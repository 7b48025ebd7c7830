import assert from 'node:assert/strict';
import {
  fileTools,
  ide as ideMethods,
  ideTools,
  refactorTools,
  searchTools,
  toolErrorReason,
  viewTools,
} from '../../../bridge/protocol/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { slowIt } from '../../support/slow.ts';
import { ToolIde } from '../../support/tool-ide.ts';

const { renameSymbol, moveSymbol, moveFile, listCodeActions, applyCodeAction } = refactorTools;
const { organizeImports, formatFile } = refactorTools;

onOneNode('refactoring tools, in a real IDE', (open) => {
  let ide: ToolIde;
  before(async () => {
    ide = await ToolIde.start(open, {
      'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "nodenext", "allowJs": true } }\n',
      'src/stock.ts':
        "// Stock of the Stock\nexport class Stock {\n  label = 'Stock';\n}\nexport class Stocks {}\nexport const empty = new Stock();\n",
      'src/use.ts':
        "import { Stock, empty } from './stock.js';\nexport const all: Stock[] = [empty, new Stock()];\n",
      'src/late.ts': "import { all } from './use.js';\nexport const count = all.length;\n",
      'src/shapes.ts':
        'export interface Shape {\n  area(): number;\n}\n\n/** Of a square. */\nexport function square(side: number): Shape {\n  return { area: () => side * side };\n}\n\nexport const unit = square(1);\n',
      'src/ring.ts':
        'export function half(n: number) {\n  return n / 2;\n}\nexport function doubled(n: number) {\n  return half(n) * 4;\n}\nexport const four = doubled(2);\n',
      'src/draw.ts': "import { square, unit } from './shapes.js';\nexport const two = [square(2), unit];\n",
      'src/broken.ts':
        'export function half(x: number) {\n  return hlf(x / 2);\n}\nfunction hal(x: number) { return x; }\nvoid hal;\n',
      'src/todo.ts':
        "import { count } from './late.js';\nimport { all } from './use.js';\nconsole.log(all);\n",
      'src/ugly.ts': 'export const x   = {a:1,\nb:2}\n',
      'src/extract.ts': 'export function price(amount: number) {\n  return amount * 1.19 + 4;\n}\n',
      'plain.js': 'function first(n) { return n; }\nmodule.exports = { first };\n',
      'other.js': "const { first } = require('./plain');\nfirst(1);\n",
      'code.rb': 'def first\n  1\nend\n\nfirst\n',
      'text.txt': 'first\n',
      'src/level.ts': 'export const level = 3;\n',
      'src/high.ts': "import { level } from './level.js';\nexport const high = level + 1;\n",
      // No other test uses it: VS Code opens a tab for an edited file if saving takes a while.
      'src/alone.ts': 'export const alone: number = 1;\n',
      'src/gone.ts': "import { level } from './level.js';\nexport const gone = level;\n",
      'src/scopes.ts':
        'export function sum(first: number, second: number) {\n  return first + second;\n}\nexport const other = 1;\nexport const twice = (n: number) => sum(n, n);\nexport class Box {\n  width = 1;\n  height = 2;\n  area() { return this.width * this.height; }\n}\n',
    });
  });
  after(() => ide[Symbol.asyncDispose]());

  it('get_errors checks the code of a workspace in which nothing was opened', async () => {
    const found = await ide.call(ideTools.getErrors, { wait_ms: 60_000 });
    assert.match(
      found.problems.map(({ path, message }) => `${path}: ${message}`).join('\n'),
      /broken\.ts: .*hlf/,
    );
    assert.deepEqual([found.not_checked, found.truncated], [0, false]);
    assert.ok(found.files.some(({ path, state }) => path === 'src/late.ts' && state === 'fresh'));
  });

  it('rename a symbol everywhere, but not what only looks like it; first as a preview', async () => {
    const given = { path: 'src/stock.ts', line: 2, symbol: 'Stock', new_name: 'Store' };
    const before = await ide.onDisk('src/use.ts');
    const seen = await ide.answer(renameSymbol, { ...given, preview: true });
    assert.equal(seen.effect, 'no-effect');
    assert.match(seen.text, /would change 5 places in 2 files/);
    assert.equal(await ide.onDisk('src/use.ts'), before);
    const done = await ide.call(renameSymbol, given);
    assert.deepEqual([done.applied, done.total_changes], [true, 5]);
    assert.equal(
      await ide.onDisk('src/stock.ts'),
      "// Stock of the Stock\nexport class Store {\n  label = 'Stock';\n}\nexport class Stocks {}\nexport const empty = new Store();\n",
    );
    assert.match(
      (await ide.onDisk('src/use.ts')) ?? '',
      /^import \{ Store, empty \}.*\nexport const all: Store\[\]/,
    );
    for (const file of done.files) assert.deepEqual([file.saved, file.problems?.appeared], [true, []]);
  });

  it('rename in JavaScript', async () => {
    const done = await ide.call(renameSymbol, {
      path: 'plain.js',
      line: 1,
      symbol: 'first',
      new_name: 'one',
    });
    assert.ok(done.applied);
    assert.match((await ide.onDisk('plain.js')) ?? '', /^function one\(n\)/);
  });

  it("refuse a symbol that can't be renamed, and change nothing", async () => {
    await ide.refused('not-found', renameSymbol, {
      path: 'src/late.ts',
      line: 1,
      symbol: 'nothing',
      new_name: 'x',
    });
    await ide.refused('bad-arguments', renameSymbol, {
      path: 'src/late.ts',
      line: 99,
      symbol: 'all',
      new_name: 'x',
    });
    await ide.refused('bad-arguments', renameSymbol, { path: 'src/late.ts', line: 1, new_name: 'x' });
    await ide.refused('refactor-refused', renameSymbol, {
      path: 'src/extract.ts',
      line: 2,
      symbol: '4',
      new_name: 'x',
    });
    await ide.refused('outside-workspace', renameSymbol, {
      path: '../x.ts',
      line: 1,
      symbol: 'x',
      new_name: 'y',
    });
    const ruby = { path: 'code.rb', line: 1, symbol: 'first', new_name: 'second' };
    assert.match(await ide.refused('no-language-server', renameSymbol, ruby), /ruby/);
    assert.equal(await ide.onDisk('code.rb'), 'def first\n  1\nend\n\nfirst\n');
  });

  it('refuse a taken name, a keyword, and an invalid name; accept one of another scope', async () => {
    const before = await ide.onDisk('src/scopes.ts');
    const at = (line: number, symbol: string) => ({ path: 'src/scopes.ts', line, symbol });
    for (const name of ['class', '1st', 'a b', 'a-b'])
      await ide.refused('bad-arguments', renameSymbol, { ...at(1, 'sum'), new_name: name });
    const taken: [number, string, string][] = [
      [1, 'sum', 'other'],
      [1, 'first', 'second'],
      [7, 'width', 'height'],
      [7, 'width', 'area'],
    ];
    for (const [line, symbol, name] of taken)
      assert.match(
        await ide.refused('refactor-refused', renameSymbol, { ...at(line, symbol), new_name: name }),
        new RegExp(`${name} .*already`),
      );
    assert.equal(await ide.onDisk('src/scopes.ts'), before);
    // A parameter of another function, and a member.
    assert.ok((await ide.call(renameSymbol, { ...at(4, 'other'), new_name: 'first' })).applied);
    assert.ok((await ide.call(renameSymbol, { ...at(1, 'sum'), new_name: 'width' })).applied);
    assert.match((await ide.onDisk('src/scopes.ts')) ?? '', /function width\(first[^]*const first = 1/);
  });

  slowIt('a rename does not restore a deleted file', async () => {
    for (const path of ['src/level.ts', 'src/high.ts', 'src/gone.ts'])
      await ide.call(searchTools.documentSymbols, { path });
    await ide.bash('rm src/gone.ts');
    const given = { path: 'src/level.ts', symbol: 'level', line: 1, new_name: 'rank' };
    assert.ok((await ide.call(renameSymbol, given)).applied);
    assert.equal(await ide.onDisk('src/gone.ts'), null);
    assert.match((await ide.onDisk('src/high.ts')) ?? '', /high = rank \+ 1/);
  });

  slowIt('a rename right after another program has changed files is right, or refused', async () => {
    await ide.bash(
      `for f in src/level.ts src/high.ts; do printf '// new\\n' | cat - $f > t; cp t $f; done; rm t`,
    );
    const given = { path: 'src/level.ts', symbol: 'rank', line: 2, new_name: 'grade' };
    const name = await ide.answer(renameSymbol, given).then(
      () => 'grade',
      (error: unknown) => {
        assert.equal(toolErrorReason(error), 'stale-version', String(error));
        return 'rank';
      },
    );
    assert.equal(await ide.onDisk('src/level.ts'), `// new\nexport const ${name} = 3;\n`);
    assert.match((await ide.onDisk('src/high.ts')) ?? '', new RegExp(`^// new\n.*\n.*high = ${name} \\+ 1`));
    for (const path of ['src/level.ts', 'src/high.ts'])
      assert.equal((await ide.call(fileTools.readFile, { path })).unsaved, false);
  });

  slowIt(
    'a move that would make circular imports says so, and one that only shares a type does not',
    async () => {
      const preview = { preview: true } as const;
      const square = { path: 'src/shapes.ts', line: 6, symbol: 'square', new_path: 'src/square.ts' };
      assert.equal((await ide.call(moveSymbol, { ...square, ...preview })).warning, null);
      const used = { path: 'src/ring.ts', line: 4, symbol: 'doubled', new_path: 'src/doubled.ts' };
      assert.match(
        (await ide.call(moveSymbol, { ...used, ...preview })).warning ?? '',
        /src\/doubled\.ts -> src\/ring\.ts -> src\/doubled\.ts/,
      );
    },
  );

  slowIt('move a symbol to a new file and to an existing one; imports follow', async () => {
    const given = { path: 'src/shapes.ts', line: 6, symbol: 'square', new_path: 'src/square.ts' };
    const seen = await ide.call(moveSymbol, { ...given, preview: true });
    assert.equal(seen.applied, false);
    assert.equal(await ide.onDisk('src/square.ts'), null);
    const done = await ide.call(moveSymbol, given);
    assert.ok(done.applied);
    assert.match((await ide.onDisk('src/square.ts')) ?? '', /Of a square[^]*export function square/);
    assert.doesNotMatch((await ide.onDisk('src/shapes.ts')) ?? '', /function square/);
    assert.match((await ide.onDisk('src/draw.ts')) ?? '', /from ['"]\.\/square\.js['"]/);
    const constant = { path: 'src/shapes.ts', line: 1, symbol: 'unit', new_path: 'src/square.ts' };
    const lines = ((await ide.onDisk('src/shapes.ts')) ?? '').split('\n');
    const line = lines.findIndex((one) => one.includes('const unit')) + 1;
    await ide.call(moveSymbol, { ...constant, line });
    assert.match((await ide.onDisk('src/square.ts')) ?? '', /export const unit = square\(1\)/);
    const { problems } = await ide.call(fileTools.writeFile, {
      path: 'src/check.ts',
      content: "export * from './draw.js';\n",
    });
    assert.deepEqual(problems.appeared, []);
    const drawn = ((await ide.onDisk('src/draw.ts')) ?? '').split('\n');
    await ide.refused('refactor-refused', moveSymbol, {
      path: 'src/draw.ts',
      line: drawn.findIndex((one) => one.includes('const two')) + 1,
      symbol: 'unit',
      new_path: 'src/square.ts',
    });
    await ide.refused('no-language-server', moveSymbol, {
      path: 'code.rb',
      line: 1,
      symbol: 'first',
      new_path: 'b.rb',
    });
  });

  slowIt('move a file, updating the imports of it and in it', async () => {
    const done = await ide.call(moveFile, { path: 'src/use.ts', new_path: 'src/deep/used.ts' });
    assert.ok(done.applied);
    assert.equal(await ide.onDisk('src/use.ts'), null);
    assert.match((await ide.onDisk('src/deep/used.ts')) ?? '', /from '\.\.\/stock\.js'/);
    assert.match((await ide.onDisk('src/late.ts')) ?? '', /from '\.\/deep\/used\.js'/);
    const appeared = done.files.flatMap(({ problems }) => problems?.appeared ?? []);
    assert.deepEqual(appeared, [], 'the move made no problem');
    assert.ok(done.files.some(({ path, problems }) => path === 'src/late.ts' && problems !== null));
    await ide.refused('already-exists', moveFile, { path: 'src/late.ts', new_path: 'src/draw.ts' });
    await ide.refused('no-language-server', moveFile, { path: 'code.rb', new_path: 'b.rb' });
    await ide.refused('not-found', moveFile, { path: 'none.ts', new_path: 'b.ts' });
  });

  it('list and apply quick fixes', async () => {
    const at = { path: 'src/broken.ts', line: 2 };
    const { actions } = await ide.call(listCodeActions, { ...at, kind: 'quickfix' });
    const fix = actions.find(({ title }) => /Change spelling to 'half'|Change spelling to 'hal'/.test(title));
    assert.ok(fix, JSON.stringify(actions));
    const done = await ide.call(applyCodeAction, { ...at, kind: 'quickfix', title: fix.title });
    assert.ok(done.applied);
    assert.ok(
      done.files[0]?.problems?.gone.some(({ message }) => /hlf/.test(message)),
      JSON.stringify(done),
    );
    assert.doesNotMatch((await ide.onDisk('src/broken.ts')) ?? '', /hlf/);
    assert.match(
      await ide.refused('not-found', applyCodeAction, { ...at, title: 'Make it good' }),
      /no action/,
    );
  });

  it('extract a function, without leaving a box open that asks for its name', async () => {
    const at = { path: 'src/extract.ts', line: 2, column: 10, end_column: 23, kind: 'refactor.extract' };
    const { actions } = await ide.call(listCodeActions, at);
    const extract = actions.find(
      ({ title, disabled }) => /Extract to function in module/.test(title) && disabled === null,
    );
    assert.ok(extract, JSON.stringify(actions));
    const done = await ide.call(applyCodeAction, { ...at, title: extract.title });
    assert.ok(done.applied);
    assert.match((await ide.onDisk('src/extract.ts')) ?? '', /function newFunction\(amount: number\)/);
    const { marks } = await ide.ide.observeStill();
    assert.deepEqual(
      marks.filter(({ name }) => /rename input/i.test(name)),
      [],
    );
  });

  it('organize imports and format', async () => {
    const organized = await ide.call(organizeImports, { path: 'src/todo.ts' });
    assert.ok(organized.applied);
    assert.doesNotMatch((await ide.onDisk('src/todo.ts')) ?? '', /count/);
    const again = await ide.answer(organizeImports, { path: 'src/todo.ts' });
    assert.equal(again.effect, 'no-effect');
    await ide.refused('no-language-server', organizeImports, { path: 'code.rb' });
    const formatted = await ide.call(formatFile, { path: 'src/ugly.ts' });
    assert.ok(formatted.applied);
    assert.match((await ide.onDisk('src/ugly.ts')) ?? '', /^export const x = \{\n {4}a: 1,\n/);
    assert.equal((await ide.answer(formatFile, { path: 'src/ugly.ts' })).effect, 'no-effect');
    await ide.refused('no-formatter', formatFile, { path: 'text.txt' });
  });

  it('rename_symbol refuses a keyword instead of renaming a symbol near it', async () => {
    await ide.bash(`printf 'export class Lamp {}\\n' > src/lamp.ts`);
    const given = { path: 'src/lamp.ts', line: 1, symbol: 'class', new_name: 'other' };
    assert.match(await ide.refused('refactor-refused', renameSymbol, given), /class is not a name/);
    assert.equal(await ide.onDisk('src/lamp.ts'), 'export class Lamp {}\n');
  });

  it('refuse a range that ends before it starts, or exceeds a line', async () => {
    const path = 'src/stock.ts';
    await ide.refused('bad-arguments', listCodeActions, { path, line: 3, end_line: 1 });
    await ide.refused('bad-arguments', listCodeActions, { path, line: 1, column: 900 });
    await ide.refused('bad-arguments', formatFile, { path, start_line: 3, end_line: 2 });
  });

  it('listing code actions leaves no tab', async () => {
    const tabs = async () => {
      const { groups } = await ide.ide.sandbox.call(
        ideMethods.tabs,
        {},
        { signal: AbortSignal.timeout(10_000) },
      );
      return groups.flatMap((group) => group.tabs.map(({ label }) => label));
    };
    const before = await tabs();
    assert.ok(!before.includes('alone.ts'));
    await ide.call(listCodeActions, { path: 'src/alone.ts', line: 1, kind: 'quickfix' });
    assert.deepEqual(await tabs(), before);
  });

  describe('changes of several files are made completely or not at all', () => {
    const shelf = 'export function shelf(n: number) {\n  return n;\n}\n';
    const user = "import { shelf } from './shelf.js';\nexport const nine = shelf(9);\n";
    const given = { path: 'src/shelf.ts', line: 1, symbol: 'shelf', new_name: 'board' };
    const write = () =>
      ide.bash(
        `cd src; rm -f shelf.ts nine.ts; cat > shelf.ts <<'E'\n${shelf}E\ncat > nine.ts <<'E'\n${user}E`,
      );
    const refuseWhole = async (isUser: string) => {
      assert.equal(await ide.onDisk('src/shelf.ts'), shelf);
      assert.equal(await ide.onDisk('src/nine.ts'), isUser);
      for (const path of ['src/shelf.ts', 'src/nine.ts'])
        assert.equal((await ide.call(fileTools.readFile, { path })).unsaved, false, path);
    };

    it('if one is read-only', async () => {
      await write();
      await ide.bash('chmod 444 src/nine.ts');
      const said = await ide.refused('write-failed', renameSymbol, given);
      assert.match(said, /src\/nine\.ts is read-only; nothing was changed/);
      await refuseWhole(user);
      const format = { path: 'src/nine.ts' };
      await ide.bash(
        `chmod 644 src/nine.ts; echo 'export const a   =1' > src/nine.ts; chmod 444 src/nine.ts`,
      );
      await ide.refused('write-failed', formatFile, format);
      assert.equal(await ide.onDisk('src/nine.ts'), 'export const a   =1\n');
    });

    slowIt('of a code action, if one is read-only', async () => {
      await write();
      await ide.bash('chmod 444 src/nine.ts');
      const at = { path: 'src/shelf.ts', line: 1, column: 1, end_line: 3, end_column: 2 };
      const { actions } = await ide.call(listCodeActions, { ...at, kind: 'refactor.move' });
      const move = actions.find(({ title }) => /move to a new file/i.test(title)) ?? assert.fail('no action');
      const said = await ide.refused('write-failed', applyCodeAction, { ...at, title: move.title });
      assert.match(said, /src\/nine\.ts (?:is read-only|could not be saved); nothing was changed/);
      await refuseWhole(user);
      assert.equal(await ide.bash('chmod 644 src/nine.ts; ls src | grep -c shelf'), '1\n');
    });

    it('if a file can’t be moved, imports stay', async () => {
      await write();
      await ide.bash('mkdir -p locked; chmod 555 locked');
      const move = { path: 'src/shelf.ts', new_path: 'locked/shelf.ts' };
      const said = await ide.refused('write-failed', moveFile, move);
      assert.match(said, /shelf\.ts could not be moved.*nothing was changed/);
      await refuseWhole(user);
    });

    slowIt('if one can’t be saved, and saved ones are restored', async () => {
      await write();
      await ide.call(viewTools.openFile, { path: 'src/nine.ts' });
      await ide.call(ideTools.setSetting, { key: 'files.watcherExclude', value: { '**/nine.ts': true } });
      // VS Code does not overwrite a file that is newer than its own version.
      const other = user.replaceAll('\n', '\r\n');
      await ide.bash(`sed -i 's/$/\\r/' src/nine.ts`);
      const said = await ide.refused('write-failed', renameSymbol, given);
      assert.match(said, /src\/nine\.ts could not be saved; nothing was changed/);
      await refuseWhole(other);
    });
  });

  it("rename_symbol without a line uses the symbol's definition, not an earlier comment", async () => {
    await ide.bash(`printf '// lantern is below\\nexport const lantern = 1;\\n' > src/lantern.ts`);
    const done = await ide.call(renameSymbol, {
      path: 'src/lantern.ts',
      symbol: 'lantern',
      new_name: 'torch',
    });
    assert.equal(done.total_changes, 1);
    assert.equal(await ide.onDisk('src/lantern.ts'), '// lantern is below\nexport const torch = 1;\n');
  });
});
