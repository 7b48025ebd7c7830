import assert from 'node:assert/strict';
import { evaluate } from '../../../host/tasks/grade/checks/conditions.ts';

describe('an expression in Python', () => {
  const cases: Record<string, unknown> = {
    'n > 3': true,
    '3 < n': true,
    '(n) > (3)': true,
    'n>3': true,
    'not n <= 3': true,
    'not (n < 4)': true,
    'n >= 3 + 1': true,
    '3 < n < 4': false,
    'n == 4 or n == 5': true,
    'n > 3 and m > 3': false,
    'n - 3 > 0': true,
    '-n < -3': true,
    'n // 2 * 2 == n and n % 3 == 1': true,
    '-7 % 3 == 2': true,
    'True and n': 4,
    n: 4,
  };
  for (const [text, expected] of Object.entries(cases)) {
    it(`is understood: ${text}`, () => assert.equal(evaluate(text, { n: 4, m: 1 }), expected));
  }

  const strange = [
    '',
    'n >',
    'n > 3)',
    'x > 3',
    'n > "3"',
    'print(n) > 3',
    'n = 4',
    'n if n else 0',
    'n.real > 3',
    '__import__',
    'constructor',
    'n > 3; n',
    '('.repeat(400),
    'n + '.repeat(300) + 'n',
  ];
  for (const text of strange) {
    it(`is not understood: ${JSON.stringify(text.slice(0, 20))}`, () =>
      assert.equal(evaluate(text, { n: 4 }), undefined));
  }
});
