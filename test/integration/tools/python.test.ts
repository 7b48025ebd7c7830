import assert from 'node:assert/strict';
import { poll } from '../../../bridge/lib/index.ts';
import {
  debugTools,
  fileTools,
  ideTools,
  refactorTools,
  runTools,
  searchTools,
} from '../../../bridge/protocol/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { slowIt } from '../../support/slow.ts';
import { ToolIde } from '../../support/tool-ide.ts';

const { debugStart, debugContinue, debugStep, debugStop, setBreakpoint, removeBreakpoints } = debugTools;
const { debugVariables, debugEvaluate, debugStack } = debugTools;
const { renameSymbol, moveSymbol, organizeImports } = refactorTools;
const { getErrors, setSetting } = ideTools;
const { runPython } = runTools;

const models = `from dataclasses import dataclass, field
from decimal import Decimal

TAX = Decimal("0.19")


@dataclass
class Customer:
    """A Customer, not a Customers."""

    name: str


@dataclass
class Invoice:
    customer: Customer
    lines: list[Decimal] = field(default_factory=list)

    def total(self) -> Decimal:
        return sum(self.lines, Decimal(0)) * (1 + TAX)
`;

onOneNode('Python by tools, in a real IDE', (open) => {
  let ide: ToolIde;
  before(async () => {
    ide = await ToolIde.start(open, {
      'shop/__init__.py': '',
      'shop/models.py': models,
      'shop/billing.py':
        'from shop.models import Customer, Invoice\n\n\ndef bill(name: str) -> Invoice:\n    return Invoice(Customer(name))\n',
      'main.py':
        'from shop.models import Invoice as Bill\nfrom shop.billing import bill\n\nprint("Customer", Bill.__name__, bill("Ada").total())\n',
      'wrong.py': 'import nowhere_to_be_found\n\nnumber = 1\nprint(nubmer)\n',
      'untidy.py': 'import sys\nimport os\n\nprint(sys.path, os.sep)\n',
      'sum.py':
        'def add(a, b):\n    total = a + b\n    return total\n\n\nresult = 0\nfor number in range(5):\n    result = add(result, number)\nprint("result", result)\n',
      'serve.py':
        'import debugpy\n\ndebugpy.listen(5678)\nprint("listening", flush=True)\nturns = 0\nwhile True:\n    debugpy.wait_for_client()\n    turns += 1\n',
      'test_sum.py':
        'def test_right():\n    assert 1 + 1 == 2\n\n\ndef test_wrong():\n    assert 1 + 1 == 3\n',
      'fresh.py': 'value = 1\n',
      'shapes/base.py':
        'class Shape:\n    def area(self) -> float:\n        return 0.0\n\n    def label(self) -> str:\n        return f"{self.area()}"\n',
      'shapes/round.py':
        'from shapes.base import Shape\n\n\nclass Circle(Shape):\n    def area(self) -> float:\n        return 3.0\n\n\nclass Ring(Circle):\n    def area(self) -> float:\n        return 2.0\n',
      'shapes/use.py':
        'from shapes import base\n\n\nclass Square(base.Shape):\n    side = 1\n\n\ndef total(shapes: list[base.Shape]) -> float:\n    area = 0.0\n    for shape in shapes:\n        area += shape.area()\n    return area\n',
      'ring/one.py':
        'LIMIT = 3\n\n\ndef small(n: int) -> bool:\n    return n < LIMIT\n\n\ndef check(n: int) -> bool:\n    return small(n)\n',
      'ring/double.py': 'def double(n: int) -> int:\n    return n * 2\n',
      'ring/use.py': 'from ring.double import double\n\nprint(double(2))\n',
      'web/prices.js': 'export function price(n) { return n * 2; }\n',
      'web/cart.js': "import { price } from './prices.js';\nexport const total = (n) => price(n) + 1;\n",
      'web/late.js': "import * as prices from './prices.js';\nconsole.log(prices.price(3));\n",
    });
  });
  after(() => ide[Symbol.asyncDispose]());

  it('neither a server nor anything else of Python runs before a Python file is opened', async () => {
    assert.equal((await ide.bash('pgrep -fc langserve[r] || true')).trim(), '0');
  });

  it("get_errors returns pyright's problems, also after an edit", async () => {
    const { problems, files } = await ide.call(getErrors, { paths: ['wrong.py'], severity: 'warning' });
    assert.equal(files[0]?.state, 'fresh', files[0]?.why);
    const messages = problems.map(({ message }) => message).join('\n');
    assert.match(messages, /"nowhere_to_be_found" could not be resolved/);
    assert.match(messages, /"nubmer" is not defined/);
    const mended = await ide.call(fileTools.searchReplace, {
      path: 'wrong.py',
      old_string: 'nubmer',
      new_string: 'number',
    });
    assert.deepEqual([mended.problems.state, mended.problems.gone.length], ['fresh', 1]);
    const same = await ide.call(fileTools.searchReplace, {
      path: 'fresh.py',
      old_string: '1',
      new_string: '2',
    });
    assert.deepEqual([same.problems.state, same.problems.appeared], ['fresh', []]);
  });

  it('get_errors knows at once what tools did to imported files', async () => {
    const { writeFile, renameFile, deleteFile } = fileTools;
    const unresolved = async () => {
      const { problems, files } = await ide.call(getErrors, { paths: ['importer.py'], severity: 'warning' });
      assert.equal(files[0]?.state, 'fresh', files[0]?.why);
      return problems.map(({ message }) => /"(\w+)/.exec(message)?.[1]);
    };
    await ide.call(writeFile, { path: 'importer.py', content: 'from first import one\n\none()\n' });
    assert.deepEqual(await unresolved(), ['first']);
    await ide.call(writeFile, { path: 'first.py', content: 'def one() -> None: ...\n' });
    assert.deepEqual(await unresolved(), []);
    await ide.call(renameFile, { path: 'first.py', new_path: 'second.py' });
    assert.deepEqual(await unresolved(), ['first']);
    await ide.call(renameFile, { path: 'second.py', new_path: 'first.py' });
    assert.deepEqual(await unresolved(), []);
    await ide.call(deleteFile, { path: 'first.py' });
    assert.deepEqual(await unresolved(), ['first']);
    await ide.call(writeFile, { path: 'other/inner/one.py', content: '' });
    await ide.call(writeFile, { path: 'importer.py', content: 'from first.inner.one import __name__\n' });
    assert.deepEqual(await unresolved(), ['first']);
    await ide.call(renameFile, { path: 'other', new_path: 'first' });
    assert.deepEqual(await unresolved(), []);
    await ide.call(deleteFile, { path: 'first', recursive: true });
    assert.deepEqual(await unresolved(), ['first']);
  });

  it('a configured severity counts', async () => {
    await ide.call(setSetting, {
      key: 'python.analysis.diagnosticSeverityOverrides',
      value: { reportMissingImports: 'none' },
    });
    const probe = async () => {
      const { problems } = await ide.call(getErrors, { paths: ['wrong.py'] });
      const saw = problems.map(({ message }) => message).join();
      return problems.length === 0
        ? ({ done: true, value: undefined } as const)
        : ({ done: false, saw } as const);
    };
    await poll('no problems', probe, { intervalMs: 100, signal: AbortSignal.timeout(20_000) });
  });

  it('find references and definition', async () => {
    const at = { path: 'shop/models.py', line: 8, symbol: 'Customer' };
    const { total, places } = await ide.call(searchTools.findReferences, at);
    assert.ok(total >= 3, JSON.stringify(places));
    const definition = await ide.call(searchTools.goToDefinition, {
      path: 'shop/billing.py',
      line: 5,
      symbol: 'Customer',
    });
    assert.deepEqual([definition.places[0]?.path, definition.places[0]?.line], ['shop/models.py', 8]);
  });

  it('rename a class everywhere, but not what only looks like it', async () => {
    const done = await ide.call(renameSymbol, {
      path: 'shop/models.py',
      line: 8,
      symbol: 'Customer',
      new_name: 'Client',
    });
    assert.ok(done.applied);
    const text = (await ide.onDisk('shop/models.py')) ?? '';
    assert.match(text, /class Client:\n {4}"""A Customer, not a Customers\."""/);
    assert.match(text, /customer: Client/);
    assert.match(
      (await ide.onDisk('shop/billing.py')) ?? '',
      /import Client, Invoice[^]*Invoice\(Client\(name\)\)/,
    );
    assert.match((await ide.onDisk('main.py')) ?? '', /print\("Customer"/);
  });

  describe('classes', () => {
    const { typeHierarchy, findImplementations } = searchTools;
    const shape = { path: 'shapes/base.py', symbol: 'Shape' };

    it('type_hierarchy and find_implementations know subclasses in other files too', async () => {
      const names = async (given: Parameters<typeof ide.call<typeof typeHierarchy>>[1]) =>
        (await ide.call(typeHierarchy, given)).related.map(({ name, level }) => `${name} ${level}`).sort();
      assert.deepEqual(await names({ ...shape, direction: 'subtypes', depth: 2 }), [
        'Circle 1',
        'Ring 2',
        'Square 1',
      ]);
      const ring = { path: 'shapes/round.py', symbol: 'Ring', direction: 'supertypes', depth: 2 } as const;
      assert.deepEqual(await names(ring), ['Circle 1', 'Shape 2']);
      const lines = async (given: Parameters<typeof ide.call<typeof findImplementations>>[1]) =>
        (await ide.call(findImplementations, given)).places.map(({ path, line }) => `${path}:${line}`);
      assert.deepEqual(await lines(shape), ['shapes/round.py:4', 'shapes/round.py:9', 'shapes/use.py:4']);
      const area = { path: 'shapes/base.py', line: 2, symbol: 'area' };
      assert.deepEqual(await lines(area), ['shapes/round.py:5', 'shapes/round.py:10']);
    });

    it('a method is renamed with its overrides', async () => {
      const area = { path: 'shapes/round.py', line: 5, symbol: 'area' };
      assert.ok((await ide.call(renameSymbol, { ...area, new_name: 'surface' })).applied);
      for (const [path, count] of [
        ['shapes/base.py', 2],
        ['shapes/round.py', 2],
        ['shapes/use.py', 1],
      ] as const)
        assert.equal((await ide.onDisk(path))?.match(/surface\(/g)?.length, count, path);
      assert.match((await ide.onDisk('shapes/use.py')) ?? '', /area \+= shape\.surface\(\)/);
    });
  });

  it('refuse a taken name, a keyword, and an invalid name', async () => {
    const at = (path: string, line: number, symbol: string) => ({ path, line, symbol });
    for (const name of ['class', '1st', 'a b', 'a-b'])
      await ide.refused('bad-arguments', renameSymbol, { ...at('sum.py', 1, 'add'), new_name: name });
    const before = await ide.onDisk('sum.py');
    for (const [line, symbol, name] of [
      [2, 'total', 'a'],
      [1, 'add', 'result'],
      [2, 'total', 'number'],
    ] as const)
      assert.match(
        await ide.refused('refactor-refused', renameSymbol, {
          ...at('sum.py', line, symbol),
          new_name: name,
        }),
        new RegExp(`${name} .*already`),
      );
    const label = { ...at('shapes/base.py', 5, 'label'), new_name: 'area' };
    await ide.refused('refactor-refused', renameSymbol, label);
    assert.equal(await ide.onDisk('sum.py'), before);
  });

  it('move a function without false problems, and refuse circular imports', async () => {
    const given = { path: 'ring/double.py', line: 1, symbol: 'double', new_path: 'ring/maths.py' };
    const moved = await ide.call(moveSymbol, given);
    assert.deepEqual(
      moved.files.flatMap(({ problems }) => problems?.appeared ?? []),
      [],
    );
    assert.match((await ide.onDisk('ring/use.py')) ?? '', /from ring\.maths import double/);
    const small = { path: 'ring/one.py', line: 4, symbol: 'small', new_path: 'ring/two.py' };
    assert.match(await ide.refused('refactor-refused', moveSymbol, small), /circular/);
    assert.equal(await ide.onDisk('ring/two.py'), null);
  });

  slowIt('JavaScript without jsconfig.json: unopened files count', async () => {
    const price = { path: 'web/prices.js', line: 1, symbol: 'price' };
    const { places } = await ide.call(searchTools.findReferences, price);
    assert.deepEqual(
      [...new Set(places.map(({ path }) => path))],
      ['web/cart.js', 'web/late.js', 'web/prices.js'],
    );
    assert.ok((await ide.call(renameSymbol, { ...price, new_name: 'cost' })).applied);
    assert.match((await ide.onDisk('web/late.js')) ?? '', /prices\.cost\(3\)/);
    await ide.call(refactorTools.moveFile, { path: 'web/prices.js', new_path: 'web/lib/prices.js' });
    assert.match((await ide.onDisk('web/cart.js')) ?? '', /'\.\/lib\/prices\.js'/);
    assert.match((await ide.onDisk('web/late.js')) ?? '', /'\.\/lib\/prices\.js'/);
  });

  slowIt('move a class to a new file; importers follow, also under other names', async () => {
    const lines = ((await ide.onDisk('shop/models.py')) ?? '').split('\n');
    const given = {
      path: 'shop/models.py',
      line: lines.indexOf('class Invoice:') + 1,
      symbol: 'Invoice',
      new_path: 'shop/invoice.py',
    };
    const seen = await ide.call(moveSymbol, { ...given, preview: true });
    assert.equal(seen.applied, false);
    assert.equal(await ide.onDisk('shop/invoice.py'), null);
    assert.ok((await ide.call(moveSymbol, given)).applied);
    assert.match(
      (await ide.onDisk('shop/invoice.py')) ?? '',
      /import TAX, Client[^]*@dataclass\nclass Invoice:/,
    );
    assert.doesNotMatch((await ide.onDisk('shop/models.py')) ?? '', /Invoice|field/);
    assert.match((await ide.onDisk('shop/billing.py')) ?? '', /^from shop\.invoice import Invoice$/m);
    assert.match((await ide.onDisk('main.py')) ?? '', /^from shop\.invoice import Invoice as Bill$/m);
    assert.equal(await ide.bash('python3 main.py'), 'Customer Invoice 0.00\n');
    const method = {
      ...given,
      line: 8,
      symbol: 'Invoice',
      path: 'shop/billing.py',
      new_path: 'shop/models.py',
    };
    await ide.refused('bad-arguments', moveSymbol, method);
    const inner = { path: 'sum.py', line: 2, symbol: 'total', new_path: 'other.py' };
    await ide.refused('refactor-refused', moveSymbol, inner);
    assert.equal(await ide.onDisk('other.py'), null);
  });

  it('organize imports', async () => {
    assert.ok((await ide.call(organizeImports, { path: 'untidy.py' })).applied);
    assert.match((await ide.onDisk('untidy.py')) ?? '', /^import os\nimport sys\n/);
  });

  describe('debugger', () => {
    afterEach(async () => {
      await ide.call(debugStop, {});
      await ide.call(removeBreakpoints, {});
    });

    it('stop at a conditional breakpoint, show stack and variables, evaluate, and step', async () => {
      await ide.call(setBreakpoint, { path: 'sum.py', line: 3, condition: 'b == 2' });
      const at = await ide.call(debugStart, { program: 'sum.py' });
      assert.deepEqual([at.state, at.frame?.path, at.frame?.line], ['stopped', 'sum.py', 3]);
      const { threads } = await ide.call(debugStack, {});
      assert.deepEqual(
        threads[0]?.frames.map(({ name, line }) => `${name} ${line}`),
        ['add 3', '<module> 8'],
      );
      const { scopes } = await ide.call(debugVariables, {});
      const local = Object.fromEntries(scopes[0]?.variables.map(({ name, value }) => [name, value]) ?? []);
      assert.deepEqual([local.a, local.b, local.total], ['1', '2', '3']);
      assert.equal((await ide.call(debugEvaluate, { expression: 'total * 100' })).result, '300');
      assert.equal((await ide.call(debugStep, { kind: 'out' })).frame?.name, '<module>');
      const end = await ide.call(debugContinue, {});
      assert.equal(end.state, 'ended');
      assert.match(end.output, /result 10/);
    });

    slowIt("launch a module, under the older type's name", async () => {
      const configuration = { type: 'python', request: 'launch', module: 'sum', console: 'internalConsole' };
      const end = await ide.call(debugStart, { configuration });
      assert.equal(end.state, 'ended');
      assert.match(end.output, /result 10/);
    });

    slowIt('launch in an environment that has only Python', async () => {
      await ide.bash('python3 -m venv --without-pip /root/bare');
      await ide.call(setBreakpoint, { path: 'sum.py', line: 9 });
      const configuration = {
        type: 'debugpy',
        request: 'launch',
        program: '${workspaceFolder}/sum.py',
        python: '/root/bare/bin/python',
      };
      assert.equal((await ide.call(debugStart, { configuration })).state, 'stopped');
      const { result } = await ide.call(debugEvaluate, { expression: '__import__("sys").prefix' });
      assert.equal(result, "'/root/bare'");
    });

    slowIt('attach to a listening program', async () => {
      const { terminal } = await ide.call(runTools.runTerminalCmd, {
        command: 'python3 -Xfrozen_modules=off serve.py',
        is_background: true,
      });
      await ide.bash('until grep -q :162E /proc/net/tcp; do sleep 0.1; done');
      try {
        await ide.call(setBreakpoint, { path: 'serve.py', line: 8 });
        const connect = { host: '127.0.0.1', port: 5678 };
        const at = await ide.call(debugStart, {
          configuration: { type: 'debugpy', request: 'attach', connect },
        });
        assert.deepEqual([at.state, at.frame?.path, at.frame?.line], ['stopped', 'serve.py', 8]);
        await ide.call(debugStop, {});
      } finally {
        await ide.call(runTools.stopTerminal, { terminal, close: true });
      }
    });
  });

  slowIt('an interpreter is chosen in the status bar, and stored with its link', async () => {
    await ide.bash('python3 -m venv --without-pip chosen');
    await ide.ide.key('ctrl+p');
    await ide.ide.type('fresh.py');
    await ide.ide.find('option', /^fresh\.py/);
    await ide.ide.key('Return');
    await ide.ide.click(await ide.ide.find('button', /^3\.\d+\.\d+/));
    await ide.ide.click(await ide.ide.find('option', /'chosen'/));
    const file = '/ide/data/User/globalStorage/pwp.python/interpreters.json';
    const probe = async () => {
      const bytes = await ide.ide.sandbox.readFile(file, 10_000);
      if (bytes === null) return { done: false, saw: 'no file' } as const;
      return { done: true, value: JSON.parse(Buffer.from(bytes).toString()) as unknown } as const;
    };
    const kept = await poll(file, probe, { intervalMs: 100, signal: AbortSignal.timeout(20_000) });
    assert.deepEqual(kept, { '/workspace': '/workspace/chosen/bin/python' });
    await ide.ide.find('button', /'chosen'/);
    const { result } = await ide.call(runPython, { code: '__import__("sys").prefix', session: 'chosen' });
    assert.equal(result, "'/workspace/chosen'");
  });

  slowIt("pyright's state survives a checkpoint and its restore", async () => {
    const { sandbox } = ide.ide;
    const { id } = await sandbox.checkpoint();
    await ide.call(fileTools.writeFile, { path: 'fresh.py', content: 'value = lost\n' });
    await sandbox.restore(id);
    assert.equal(await ide.onDisk('fresh.py'), 'value = 2\n');
    const broken = await ide.call(fileTools.writeFile, { path: 'fresh.py', content: 'value = missing\n' });
    assert.equal(broken.problems.state, 'fresh', broken.problems.why);
    assert.match(broken.problems.appeared[0]?.message ?? '', /"missing" is not defined/);
  });

  it('rename_symbol names places that it skips because the type before the dot is unknown', async () => {
    await ide.bash(`cat > lamp.py <<'END'
class Lamp:
    def shine(self):
        return 1


def all_shine(lamps):
    return [one.shine() for one in lamps], Lamp().shine()
END`);
    const { incomplete, total_changes: total } = await ide.call(renameSymbol, {
      path: 'lamp.py',
      line: 2,
      symbol: 'shine',
      new_name: 'glow',
    });
    assert.equal(total, 2);
    assert.match(incomplete ?? '', /\.shine on a value of unknown type: lamp\.py:7$/);
  });
});
