import assert from 'node:assert/strict';
import { findImports, importsTypesOnly } from '../../../extension/src/tools/refactor/imports-in.ts';

describe('imports in a script', () => {
  const from = (text: string) => findImports(text).map((one) => one.from);

  for (const [text, found] of [
    ["import { a } from './a.js';", './a.js'],
    ["import a, { b } from './a';", './a'],
    ["import * as a from '../a';", '../a'],
    ["import './a';", './a'],
    ["import {\n  a,\n  type B,\n} from './a';", './a'],
    ["export * from './a';", './a'],
    ["export { a } from './a';", './a'],
    ["const { a } = require('./a');", './a'],
  ] as const)
    it(`count: ${JSON.stringify(text)}`, () => assert.deepEqual(from(text), [found]));

  for (const text of [
    "import type { A } from './a';",
    "import { type A, type B } from './a';",
    "import { a } from 'package';",
    "// import { a } from './a';",
    "/*\nimport { a } from './a';\n*/",
    "function later() {\n  return import('./a');\n}",
    "export const text = 'from';\nexport const a = './a';",
  ])
    it(`do not count: ${JSON.stringify(text)}`, () => assert.deepEqual(from(text), []));

  it('have the original names of renamed imports', () => {
    assert.deepEqual(findImports("import { a as b, type C, d } from './a';"), [
      { from: './a', names: ['a', 'd'] },
    ]);
  });

  it('of only types do not exist at run time', () => {
    const text = 'export interface Shape {}\nexport type Side = number;\nexport class Box {}\n';
    assert.ok(importsTypesOnly(['Shape', 'Side'], text));
    assert.ok(!importsTypesOnly(['Shape', 'Box'], text));
    assert.ok(!importsTypesOnly([], text));
  });
});
