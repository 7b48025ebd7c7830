import assert from 'node:assert/strict';
import { desktop, dom, hello, ide, limits, type Method, shell } from '../../../bridge/protocol/index.ts';

const rooms = { desktop, dom, ide, shell };
const methods = [hello, ...Object.values(rooms).flatMap((room) => Object.values(room) as object[])].filter(
  (one): one is Method => 'name' in one,
);

describe('protocol', () => {
  it('has one descriptor for each name', () => {
    const names = methods.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
  });

  it('accepts missing parameters as an empty object if none is required', () => {
    for (const { name, params } of methods) {
      if (!/observe|activity|status|wait|info|workspace|tabs|tree/.test(name)) continue;
      assert.ok(params.safeParse({}).success, name);
    }
  });

  it('bounds what a caller may ask for', () => {
    const beyond: [Method, object][] = [
      [dom.observe, { limit: limits.marks + 1 }],
      [dom.tree, { maxBytes: limits.treeText + 1 }],
      [shell.run, { command: 'true', maxOutputBytes: limits.outputBytes + 1 }],
      [shell.run, { command: '' }],
      [desktop.wait, { timeoutMs: 0 }],
    ];
    for (const [{ name, params }, given] of beyond) {
      assert.equal(params.safeParse(given).success, false, `${name} ${JSON.stringify(given)}`);
    }
  });

  it('accepts a setting without any value', () => {
    const settings = { settings: [{ key: 'a', source: 'default' }] };
    assert.ok(ide.settings.result.safeParse(JSON.parse(JSON.stringify(settings))).success);
  });

  it('keeps only the true states of a mark', () => {
    const mark = {
      id: 1,
      role: 'button',
      name: 'Go',
      state: { focused: true },
      box: { x: 0, y: 0, width: 1, height: 1 },
    };
    const shape = dom.observe.result.shape.marks;
    assert.deepEqual(shape.parse([mark]), [mark]);
    assert.equal(shape.safeParse([{ ...mark, state: { focused: false } }]).success, false);
  });
});
