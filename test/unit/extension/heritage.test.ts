import assert from 'node:assert/strict';
import { findPythonBases, findSupertypeNames } from '../../../extension/src/tools/code/heritage.ts';

const at = (text: string, offsets: readonly number[]) =>
  offsets.map((offset) => /^\w+/.exec(text.slice(offset))?.[0]);

describe('the supertypes in the head of a type', () => {
  it('are read in Python, without keyword arguments and type arguments', () => {
    for (const [text, names] of [
      ['(Base):\n    pass', ['Base']],
      ['(a.b.Base, Generic[T, U], metaclass=Meta):', ['Base', 'Generic']],
      ['[T](Base[dict[str, T]]):', ['Base']],
      [':\n    def f(self, Base): ...', []],
      ['():', []],
      ['(\n    One,\n    Two,\n):', ['One', 'Two']],
      ['(make(1), *bases, **more):', []],
    ] as const)
      assert.deepEqual(at(text, findPythonBases(text)), names, text);
  });

  it('are read in TypeScript', () => {
    const text = '<T extends X> extends Base<Y> implements One, ns.Two { z = class extends Three {} }';
    assert.deepEqual(at(text, findSupertypeNames(text)), ['Base', 'One', 'Two']);
  });
});
