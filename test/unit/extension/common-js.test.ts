import assert from 'node:assert/strict';
import { otherSides } from '../../../extension/src/lib/code-text.ts';

describe('the other sides of a name in CommonJS', () => {
  /** The text has «» around the name that was found, and ‹› around each name to look up. */
  const cases = [
    'exports.‹a› = «b»;',
    'module.exports.‹a›  =  «b»;',
    'exports.«‹a›» = ‹b›;',
    'module.exports = { «‹a›» };',
    'module.exports = { ‹a›: «b» };',
    'module.exports = { «‹a›»: ‹b› };',
    "module.exports = {\n  ...require('./x'),\n  one,\n  «‹two›»,\n};",
    "const { «‹a›» } = require('./x');",
    "const { one, «‹a›»: ‹b›, two } = require('./x');",
    "const { ‹a›: «b» } = require('./x');",
    // Not CommonJS.
    'const x = { «a» };',
    'const x = { a: «b» };',
    'module.exports = { run() { return { «a» }; } };',
    'module.exports = { a };\nconst x = { «a» };',
    'const { «a» } = props;',
    'x.exports.a = «b»;',
    "f({ «a» }, require('./x'));",
    '«a»(1);',
  ];
  for (const marked of cases)
    it(marked.replaceAll('\n', ' '), () => {
      const plain = marked.replaceAll(/[«»‹›]/g, '');
      const at = (sign: string) =>
        [...marked.matchAll(new RegExp(sign, 'g'))].map(({ index }) => {
          return marked.slice(0, index).replaceAll(/[«»‹›]/g, '').length;
        });
      const [start = 0] = at('«');
      const [end = 0] = at('»');
      assert.deepEqual(
        otherSides(plain, start, end).toSorted((a, b) => a - b),
        at('‹'),
      );
    });
});
