import assert from 'node:assert/strict';
import { validateValue } from '../../../extension/src/lib/json-schema.ts';

const fits = [
  [4, { type: 'number', minimum: 1 }],
  [null, { type: ['string', 'null'] }],
  ['off', { type: 'string', enum: ['off', 'on'] }],
  [{ a: [1] }, { enum: [{ a: [1] }] }],
  [[1, 2], { type: 'array', items: { type: 'integer' }, uniqueItems: true, maxItems: 2 }],
  [{ '*.x': 'json' }, { type: 'object', additionalProperties: { type: 'string' } }],
  [
    { a: 1, '[b]': true },
    { properties: { a: { type: 'number' } }, patternProperties: { '^\\[': {} }, additionalProperties: false },
  ],
  ['bold', { anyOf: [{ type: 'number' }, { type: 'string', pattern: '^(normal|bold|\\d+)$' }] }],
  [{ anything: 1 }, { $ref: 'vscode://schemas/other' }],
  ['x', { type: 'string', pattern: '(' }],
  ['x', true],
  ['x', undefined],
] as const;

const misfits = [
  ['four', { type: 'number' }, '"four" is not a number'],
  [1.5, { type: 'integer' }, '1.5 is not a whole number'],
  ['true', { type: 'boolean' }, '"true" is not true or false'],
  [1, { type: ['string', 'null'] }, '1 is not a text or null'],
  ['always', { type: 'string', enum: ['off', 'on'] }, '"always" is not one of "off", "on"'],
  [0, { type: 'number', minimum: 1 }, '0 is less than 1'],
  [101, { maximum: 100 }, '101 is more than 100'],
  [0, { exclusiveMinimum: 0 }, '0 is not more than 0'],
  [1, { exclusiveMaximum: 1 }, '1 is not less than 1'],
  ['', { minLength: 1 }, '"" is shorter than 1 characters'],
  ['abc', { maxLength: 2 }, '"abc" is longer than 2 characters'],
  [
    'x',
    { pattern: '^\\d$', patternErrorMessage: 'Give a digit.' },
    '"x" does not match ^\\d$: Give a digit.',
  ],
  [['a'], { items: { type: 'number' } }, '[0] = "a" is not a number'],
  [['a', 1], { items: [{}, { type: 'string' }] }, '[1] = 1 is not a text'],
  [[1, 1], { uniqueItems: true }, '[1,1] has an item twice'],
  [[], { minItems: 1 }, '[] has fewer than 1 items'],
  [[1, 2], { maxItems: 1 }, '[1,2] has more than 1 items'],
  [
    { a: { b: 'x' } },
    { properties: { a: { additionalProperties: { type: 'boolean' } } } },
    '["a"]["b"] = "x" is not true or false',
  ],
  [{ a: 1 }, { additionalProperties: false }, '["a"] is not known'],
  [{ ab: 1 }, { patternProperties: { '^a': { type: 'string' } } }, '["ab"] = 1 is not a text'],
  [{}, { required: ['a'] }, '{} lacks "a"'],
  [true, { anyOf: [{ type: 'number' }, { type: 'string' }] }, 'true is not a number, and true is not a text'],
  [true, { oneOf: [{ type: 'number' }] }, 'true is not a number'],
  [true, { allOf: [{}, { type: 'number' }] }, 'true is not a number'],
] as const;

describe('a value and its schema', () => {
  for (const [value, schema] of fits)
    it(`fit: ${JSON.stringify(value)}, ${JSON.stringify(schema)}`, () => {
      assert.equal(validateValue(value, schema), undefined);
    });

  for (const [value, schema, expected] of misfits)
    it(`don't fit: ${expected}`, () => {
      assert.equal(validateValue(value, schema), expected);
    });

  it('are compared through references to parts of the schema, without endless recursion', () => {
    const root = {
      $defs: { count: { type: 'number' }, 'a/b': { items: { $ref: '#/$defs/count' } } },
      properties: {
        one: { $ref: '#/$defs/a~1b' },
        round: { $ref: '#/properties/round' },
        none: { $ref: '#/x' },
      },
    };
    const { one, round, none } = root.properties;
    assert.equal(validateValue([1, 'x'], one, root), '[1] = "x" is not a number');
    assert.equal(validateValue([1], one, root), undefined);
    for (const schema of [round, none]) assert.equal(validateValue('x', schema, root), undefined);
  });

  it('are reported in one bounded line', () => {
    const choice = Array.from({ length: 500 }, (_, n) => `choice ${n}`);
    const found = validateValue('x'.repeat(10_000), { enum: choice }) ?? '';
    assert.ok(found.length < 1000, found);
    assert.match(found, /and 480 more$/);
  });
});
