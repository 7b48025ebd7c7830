import assert from 'node:assert/strict';
import {
  debugTools,
  fileTools,
  ideTools,
  refactorTools,
  runTools,
  searchTools,
} from '../../../bridge/protocol/index.ts';
import { openLocal, openWith } from '../../support/each-node.ts';
import { ToolIde } from '../../support/tool-ide.ts';

const { getErrors } = ideTools;
const { findReferences, goToDefinition, hover, callHierarchy, typeHierarchy, workspaceSymbols } = searchTools;
const { renameSymbol, formatFile, organizeImports } = refactorTools;
const { searchReplace, writeFile } = fileTools;
const { shell } = runTools;
const { debugStart, debugContinue, debugEvaluate, setBreakpoint } = debugTools;

/** What the tools report about one file: `fresh`, and the messages. */
async function errorsOf(ide: ToolIde, path: string) {
  const { files, problems } = await ide.call(getErrors, { paths: [path], wait_ms: 60_000 });
  return { state: files[0]?.state, messages: problems.map(({ message }) => message) };
}

/** Paths and lines, in order. */
async function placesOf(
  ide: ToolIde,
  tool: typeof findReferences | typeof goToDefinition,
  given: { path: string; line: number; symbol: string },
) {
  const { places, incomplete } = await ide.call(tool, { ...given, timeout_ms: 60_000 });
  return { places: places.map(({ path, line }) => `${path}:${line}`).sort(), incomplete };
}

const cpp = {
  Makefile: 'shop: src/main.cpp src/cart.cpp\n\tg++ -std=c++17 -Iinclude -o $@ $^\n',
  'compile_flags.txt': '-std=c++17\n-Iinclude\n-Wall\n',
  'include/cart.h':
    '#pragma once\n#include <string>\n#include <vector>\n\nstruct Item {\n  virtual ~Item() = default;\n  virtual int price() const { return 1; }\n};\n\nstruct Book : Item {\n  int price() const override { return 5; }\n};\n\nclass Cart {\n public:\n  void add(const Item& item);\n  int total() const;\n\n private:\n  std::vector<int> prices_;\n};\n\nint discount(int sum);\n',
  'src/cart.cpp':
    '#include "cart.h"\n\nvoid Cart::add(const Item& item) { prices_.push_back(item.price()); }\n\nint discount(int sum) { return sum > 10 ? sum - 1 : sum; }\n\nint Cart::total() const {\n  int sum = 0;\n  for (int price : prices_) sum += price;\n  return discount(sum);\n}\n',
  'src/main.cpp':
    '#include <iostream>\n#include "cart.h"\n\nint main() {\n  Cart cart;\n  Book book;\n  for (int i = 0; i < 3; ++i) cart.add(book);\n  std::cout << cart.total() << " " << discount(3) << "\\n";\n}\n',
  'src/wrong.cpp': '#include "cart.h"\n\nint broken() {\n  Cart cart;\n  return cart.totl();\n}\n',
  'loose/none.txt': '',
};

describe('C and C++ by tools, in an image with them', function () {
  this.timeout(900_000);
  let ide: ToolIde;
  before(async () => {
    ide = await ToolIde.start(() => openWith(['cpp', 'go']), cpp);
  });
  after(() => ide[Symbol.asyncDispose]());

  it('an error is found, and gone after its fix', async () => {
    const found = await errorsOf(ide, 'src/wrong.cpp');
    assert.equal(found.state, 'fresh');
    assert.match(found.messages.join('\n'), /No member named 'totl' in 'Cart'/);
    const fix = { path: 'src/wrong.cpp', old_string: 'totl', new_string: 'total' };
    const { problems } = await ide.call(searchReplace, fix);
    assert.equal(problems?.state, 'fresh');
    assert.equal(problems?.gone.length, 1);
    assert.deepEqual(await errorsOf(ide, 'src/wrong.cpp'), { state: 'fresh', messages: [] });
  });

  it('after a change of a header, the errors of files that include it change', async () => {
    const given = {
      path: 'include/cart.h',
      old_string: 'int total() const;',
      new_string: 'int sum() const;',
    };
    await ide.call(searchReplace, given);
    assert.match((await errorsOf(ide, 'src/wrong.cpp')).messages.join('\n'), /No member named 'total'/);
    const back = { ...given, old_string: given.new_string, new_string: given.old_string };
    await ide.call(searchReplace, back);
    assert.deepEqual((await errorsOf(ide, 'src/wrong.cpp')).messages, []);
  });

  it('references and definitions are found in files that were never opened', async () => {
    const discount = { path: 'include/cart.h', line: 23, symbol: 'discount' };
    assert.deepEqual(await placesOf(ide, findReferences, discount), {
      places: ['include/cart.h:23', 'src/cart.cpp:5', 'src/cart.cpp:10', 'src/main.cpp:8'].sort(),
      incomplete: null,
    });
    const used = { path: 'src/main.cpp', line: 8, symbol: 'discount' };
    assert.deepEqual((await placesOf(ide, goToDefinition, used)).places, ['src/cart.cpp:5']);
    assert.match((await ide.call(hover, used)).contents, /discount/);
    const { related } = await ide.call(callHierarchy, { ...discount, direction: 'incoming' });
    assert.deepEqual(related.map(({ name }) => name).sort(), ['main', 'total']);
    const outgoing = { path: 'src/main.cpp', line: 4, symbol: 'main', direction: 'outgoing' } as const;
    await ide.refused('no-language-server', callHierarchy, outgoing);
    const item = { path: 'include/cart.h', line: 5, symbol: 'Item', direction: 'subtypes' } as const;
    assert.deepEqual(
      (await ide.call(typeHierarchy, item)).related.map(({ name }) => name),
      ['Book'],
    );
    const { symbols } = await ide.call(workspaceSymbols, { query: 'Cart' });
    assert.ok(symbols.some(({ name, path }) => name === 'Cart' && path === 'include/cart.h'));
  });

  it('a rename goes through all files; an invalid name is refused', async () => {
    const discount = { path: 'include/cart.h', line: 23, symbol: 'discount' };
    const keyword = await ide.refused('refactor-refused', renameSymbol, { ...discount, new_name: 'int' });
    assert.match(keyword, /keyword/);
    assert.ok((await ide.call(renameSymbol, { ...discount, new_name: 'rebate' })).applied);
    for (const path of ['include/cart.h', 'src/cart.cpp', 'src/main.cpp']) {
      const text = (await ide.onDisk(path)) ?? '';
      assert.match(text, /rebate/);
      assert.doesNotMatch(text, /discount/);
    }
  });

  it('the program builds and runs, and the workspace gains no files', async () => {
    const {
      stdout: output,
      stderr,
      exitCode: exit,
    } = await ide.call(shell, {
      command: 'make && ./shop',
      timeoutMs: 120_000,
    });
    assert.equal(exit, 0, output + stderr);
    assert.match(output, /^14 3$/m);
    assert.equal(await ide.bash('ls -A'), 'Makefile\ncompile_flags.txt\ninclude\nloose\nshop\nsrc\n');
  });

  it('the program is debugged', async () => {
    await ide.bash('g++ -g -std=c++17 -Iinclude -o shop src/main.cpp src/cart.cpp');
    await ide.call(setBreakpoint, { path: 'src/cart.cpp', line: 10 });
    const at = await ide.call(debugStart, { program: 'shop', wait_ms: 60_000 });
    assert.deepEqual([at.state, at.frame?.path, at.frame?.line], ['stopped', 'src/cart.cpp', 10]);
    assert.match((await ide.call(debugEvaluate, { expression: 'sum' })).result, /\b15$/);
    const end = await ide.call(debugContinue, { wait_ms: 60_000 });
    assert.deepEqual([end.state, end.exit_code], ['ended', 0]);
    assert.match(end.output, /^14 3$/m);
  });

  it('a file without compile flags gets an answer that says so', async () => {
    await ide.bash('rm compile_flags.txt');
    await ide.call(writeFile, { path: 'loose/a.c', content: 'int twice(int n) { return 2 * n; }\n' });
    const text = 'int twice(int n);\nint four(void) { return twice(2); }\n';
    await ide.call(writeFile, { path: 'loose/b.c', content: text });
    const found = await placesOf(ide, findReferences, { path: 'loose/a.c', line: 1, symbol: 'twice' });
    assert.deepEqual(found.places, ['loose/a.c:1', 'loose/b.c:1', 'loose/b.c:2']);
    assert.match(found.incomplete ?? '', /no compile_commands\.json or compile_flags\.txt/);
  });

  it('a source that the compile database does not list gets an answer that says so', async () => {
    const list = [{ directory: '/workspace', file: 'loose/a.c', arguments: ['cc', '-c', 'loose/a.c'] }];
    await ide.call(writeFile, { path: 'compile_commands.json', content: JSON.stringify(list) });
    const incompleteOf = async (path: string) =>
      (await placesOf(ide, findReferences, { path, line: 1, symbol: 'twice' })).incomplete;
    assert.equal(await incompleteOf('loose/a.c'), null);
    assert.match((await incompleteOf('loose/b.c')) ?? '', /compile_commands\.json does not list this file/);
  });

  it('format', async () => {
    await ide.call(writeFile, { path: 'src/untidy.cpp', content: 'int  f( ){return 1 ;}\n' });
    assert.ok((await ide.call(formatFile, { path: 'src/untidy.cpp' })).applied);
    assert.equal(await ide.onDisk('src/untidy.cpp'), 'int f() { return 1; }\n');
  });
});

const go = {
  'go.mod': 'module example.com/shop\n\ngo 1.19\n',
  'cart/cart.go':
    'package cart\n\nimport "net/http"\n\ntype Item interface{ Price() int }\n\ntype Book struct{}\n\nfunc (Book) Price() int { return 5 }\n\nfunc Total(items []Item) int {\n\tsum := 0\n\tfor _, item := range items {\n\t\tsum += item.Price()\n\t}\n\treturn Discount(sum)\n}\n\nfunc Discount(sum int) int {\n\tif sum > 10 {\n\t\treturn sum - 1\n\t}\n\treturn sum\n}\n\nfunc Handle(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }\n',
  'cart/cart_test.go':
    'package cart\n\nimport "testing"\n\nfunc TestDiscount(t *testing.T) {\n\tif Discount(11) != 10 {\n\t\tt.Fail()\n\t}\n}\n',
  'main.go':
    'package main\n\nimport (\n\t"fmt"\n\n\t"example.com/shop/cart"\n)\n\nfunc main() {\n\tb := cart.Book{}\n\tfmt.Println(cart.Total([]cart.Item{b, b, b}), cart.Discount(3))\n}\n',
  'wrong/wrong.go':
    'package wrong\n\nimport "example.com/shop/cart"\n\nfunc Broken() int { return cart.Discout(1) }\n',
  'untidy/untidy.go': 'package untidy\n\nimport "fmt"\n\nfunc  F( ) string {return strings.ToUpper("a") }\n',
};

describe('Go by tools, in an image with it', function () {
  this.timeout(900_000);
  let ide: ToolIde;
  before(async () => {
    ide = await ToolIde.start(() => openWith(['cpp', 'go']), go);
  });
  after(() => ide[Symbol.asyncDispose]());

  it('an error is found, and gone after its fix; errors of other files follow', async () => {
    const found = await errorsOf(ide, 'wrong/wrong.go');
    assert.equal(found.state, 'fresh');
    assert.match(found.messages.join('\n'), /Discout/);
    const fix = { path: 'wrong/wrong.go', old_string: 'Discout', new_string: 'Discount' };
    const { problems } = await ide.call(searchReplace, fix);
    assert.equal(problems?.gone.length, 1);
    assert.deepEqual(await errorsOf(ide, 'wrong/wrong.go'), { state: 'fresh', messages: [] });
    const given = { path: 'cart/cart.go', old_string: 'func Discount(', new_string: 'func Rebate(' };
    await ide.call(searchReplace, given);
    assert.match((await errorsOf(ide, 'wrong/wrong.go')).messages.join('\n'), /Discount/);
    const back = { ...given, old_string: given.new_string, new_string: given.old_string };
    await ide.call(searchReplace, back);
    assert.deepEqual((await errorsOf(ide, 'wrong/wrong.go')).messages, []);
    assert.deepEqual((await errorsOf(ide, 'cart/cart.go')).messages, []);
  });

  it('references, definitions and calls are found in files that were never opened', async () => {
    const discount = { path: 'cart/cart.go', line: 19, symbol: 'Discount' };
    const { places, incomplete } = await placesOf(ide, findReferences, discount);
    assert.deepEqual(
      places,
      ['cart/cart.go:16', 'cart/cart.go:19', 'cart/cart_test.go:6', 'main.go:11', 'wrong/wrong.go:5'].sort(),
    );
    assert.equal(incomplete, null);
    const used = { path: 'main.go', line: 11, symbol: 'Discount' };
    assert.deepEqual((await placesOf(ide, goToDefinition, used)).places, ['cart/cart.go:19']);
    const total = { path: 'cart/cart.go', line: 11, symbol: 'Total', direction: 'outgoing' } as const;
    const { related } = await ide.call(callHierarchy, total);
    assert.deepEqual(related.map(({ name }) => name).sort(), ['Discount', 'Price']);
    const item = { path: 'cart/cart.go', line: 5, symbol: 'Item', direction: 'subtypes' } as const;
    await ide.refused('no-language-server', typeHierarchy, item);
  });

  it('a rename goes through all files; a taken name is refused', async () => {
    const discount = { path: 'cart/cart.go', line: 19, symbol: 'Discount' };
    const why = await ide.refused('refactor-refused', renameSymbol, { ...discount, new_name: 'Total' });
    assert.match(why, /conflicts|redeclared|already/);
    assert.ok((await ide.call(renameSymbol, { ...discount, new_name: 'Rebate' })).applied);
    for (const path of ['cart/cart.go', 'cart/cart_test.go', 'main.go', 'wrong/wrong.go'])
      assert.doesNotMatch((await ide.onDisk(path)) ?? '', /\bDiscount\(/);
  });

  it('the program is tested and runs, and the workspace gains no files', async () => {
    const command = 'go vet ./cart ./wrong . && go test ./cart && go run .';
    const { stdout: output, stderr, exitCode: exit } = await ide.call(shell, { command, timeoutMs: 300_000 });
    assert.equal(exit, 0, output + stderr);
    assert.match(output, /^14 3$/m);
    assert.equal(await ide.bash('ls -A'), 'cart\ngo.mod\nmain.go\nuntidy\nwrong\n');
    assert.equal(await ide.onDisk('go.mod'), go['go.mod']);
  });

  it('the program is debugged, and the workspace gains no files', async () => {
    await ide.call(setBreakpoint, { path: 'cart/cart.go', line: 16 });
    const at = await ide.call(debugStart, { program: 'main.go', wait_ms: 60_000 });
    assert.deepEqual([at.state, at.frame?.path, at.frame?.line], ['stopped', 'cart/cart.go', 16]);
    assert.equal((await ide.call(debugEvaluate, { expression: 'sum' })).result, '15');
    const end = await ide.call(debugContinue, { wait_ms: 60_000 });
    assert.equal(end.state, 'ended');
    assert.match(end.output, /^14 3$/m);
    assert.equal(await ide.bash('ls -A'), 'cart\ngo.mod\nmain.go\nuntidy\nwrong\n');
  });

  it('imports and format', async () => {
    assert.ok((await ide.call(organizeImports, { path: 'untidy/untidy.go' })).applied);
    assert.ok((await ide.call(formatFile, { path: 'untidy/untidy.go' })).applied);
    const tidy = 'package untidy\n\nimport "strings"\n\nfunc F() string { return strings.ToUpper("a") }\n';
    assert.equal(await ide.onDisk('untidy/untidy.go'), tidy);
  });

  it('without go.mod an answer says that it knows open files only', async () => {
    await ide.bash('mv go.mod /tmp/go.mod');
    const found = await ide.call(findReferences, { path: 'main.go', line: 10, symbol: 'b' });
    await ide.bash('mv /tmp/go.mod go.mod');
    assert.match(found.incomplete ?? '', /no go\.mod/);
  });
});

const rust = {
  'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
  'src/cart.rs':
    'pub trait Item {\n    fn price(&self) -> u32;\n}\n\npub struct Book;\n\nimpl Item for Book {\n    fn price(&self) -> u32 {\n        5\n    }\n}\n\npub fn discount(sum: u32) -> u32 {\n    if sum > 10 { sum - 1 } else { sum }\n}\n\npub fn total(items: &[&dyn Item]) -> u32 {\n    discount(items.iter().map(|item| item.price()).sum())\n}\n',
  'src/main.rs':
    'mod cart;\n\nfn main() {\n    let book = cart::Book;\n    println!("{} {}", cart::total(&[&book, &book, &book]), cart::discount(3));\n}\n',
};

describe('Rust by tools, in an image with it', function () {
  this.timeout(900_000);
  let ide: ToolIde;
  before(async () => {
    ide = await ToolIde.start(() => openWith(['rust']), rust);
  });
  after(() => ide[Symbol.asyncDispose]());

  it('an error is found, and gone after its fix', async () => {
    const edit = { path: 'src/main.rs', old_string: 'discount(3)', new_string: 'discount("3")' };
    await ide.call(searchReplace, edit);
    const found = await errorsOf(ide, 'src/main.rs');
    assert.equal(found.state, 'fresh');
    assert.match(found.messages.join('\n'), /mismatched types|expected `?u32/);
    await ide.call(searchReplace, { ...edit, old_string: edit.new_string, new_string: edit.old_string });
    assert.deepEqual(await errorsOf(ide, 'src/main.rs'), { state: 'fresh', messages: [] });
  });

  it('references and definitions across files', async () => {
    const discount = { path: 'src/cart.rs', line: 13, symbol: 'discount' };
    assert.deepEqual(await placesOf(ide, findReferences, discount), {
      places: ['src/cart.rs:13', 'src/cart.rs:18', 'src/main.rs:5'],
      incomplete: null,
    });
    const used = { path: 'src/main.rs', line: 5, symbol: 'discount' };
    assert.deepEqual((await placesOf(ide, goToDefinition, used)).places, ['src/cart.rs:13']);
  });

  it('a rename goes through all files; an invalid name is refused', async () => {
    const discount = { path: 'src/cart.rs', line: 13, symbol: 'discount' };
    await ide.refused('refactor-refused', renameSymbol, { ...discount, new_name: '1x' });
    assert.ok((await ide.call(renameSymbol, { ...discount, new_name: 'rebate' })).applied);
    assert.match((await ide.onDisk('src/main.rs')) ?? '', /cart::rebate\(3\)/);
  });

  it('the program builds and runs', async () => {
    const {
      stdout: output,
      stderr,
      exitCode: exit,
    } = await ide.call(shell, {
      command: 'cargo run -q',
      timeoutMs: 300_000,
    });
    assert.equal(exit, 0, output + stderr);
    assert.match(output, /^14 3$/m);
  });

  it('the program is debugged', async () => {
    await ide.call(setBreakpoint, { path: 'src/cart.rs', line: 14 });
    const at = await ide.call(debugStart, { program: 'target/debug/shop', wait_ms: 60_000 });
    assert.deepEqual([at.state, at.frame?.path, at.frame?.line], ['stopped', 'src/cart.rs', 14]);
    assert.match((await ide.call(debugEvaluate, { expression: 'sum' })).result, /\b15$/);
  });
});

describe('A language server that does not start', function () {
  this.timeout(300_000);

  it('is not taken for one that finds nothing; the next call starts it again', async () => {
    await using ide = await ToolIde.start(() => openWith(['cpp', 'go']), go);
    await ide.bash('mv /usr/bin/gopls /usr/bin/gone');
    const place = { path: 'cart/cart.go', line: 19, symbol: 'Discount' };
    assert.match(await ide.refused('no-language-server', findReferences, place), /go does not run: .+/);
    await ide.refused('no-language-server', renameSymbol, { ...place, new_name: 'Rebate' });
    const { files } = await ide.call(getErrors, { paths: [place.path], wait_ms: 60_000 });
    assert.equal(files[0]?.state, 'stale');
    assert.match(files[0]?.why ?? '', /Go does not run/);
    await ide.bash('mv /usr/bin/gone /usr/bin/gopls');
    assert.equal((await placesOf(ide, findReferences, place)).places.length, 4);
  });
});

describe('Languages by tools, in the usual image', function () {
  this.timeout(300_000);

  it('have no language server, and the answers say so', async () => {
    await using ide = await ToolIde.start(openLocal, { ...cpp, ...go });
    for (const place of [
      { path: 'src/cart.cpp', line: 5, symbol: 'discount' },
      { path: 'cart/cart.go', line: 19, symbol: 'Discount' },
    ]) {
      const why = await ide.refused('no-language-server', findReferences, place);
      assert.match(why, place.path.endsWith('.go') ? /pwp up --with go/ : /pwp up --with cpp/);
      await ide.refused('no-language-server', renameSymbol, { ...place, new_name: 'rebate' });
      const { files } = await ide.call(getErrors, { paths: [place.path], wait_ms: 60_000 });
      assert.equal(files[0]?.state, 'none');
      assert.match(files[0]?.why ?? '', /pwp up --with/);
    }
    await ide.call(writeFile, { path: 'A.java', content: 'class A {}\n' });
    const java = { path: 'A.java', line: 1, symbol: 'A' };
    assert.match(await ide.refused('no-language-server', findReferences, java), /no image of this program/);
  });
});
