import assert from 'node:assert/strict';
import * as z from 'zod';
import { listArgumentsReadFromText, readToolArguments } from '../../../bridge/protocol/index.ts';

const edit = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('insert'), line: z.int(), content: z.string() }),
  z.strictObject({ type: z.literal('delete'), from: z.int(), to: z.int().optional() }),
]);
const schema = z.strictObject({
  path: z.string().optional(),
  line: z.int().min(1).default(1),
  numbers: z.boolean().optional(),
  edits: z.array(edit).optional(),
  limit: z.union([z.int(), z.literal('all')]).optional(),
  owner: z.string().nullable().optional(),
});

describe("a tool's arguments", () => {
  const meant: Readonly<Record<string, readonly [sent: Record<string, unknown>, given: object]>> = {
    'a number as text': [{ line: '7' }, { line: 7 }],
    'a flag as text': [{ numbers: 'false' }, { numbers: false }],
    'a list as text': [
      { edits: '[{"type": "insert", "line": 1, "content": "2"}]' },
      { edits: [{ type: 'insert', line: 1, content: '2' }] },
    ],
    'a list as text, and in it a number as text': [
      { edits: '[{"type": "delete", "from": "3", "to": null}]' },
      { edits: [{ type: 'delete', from: 3 }] },
    ],
    'the items of a list as text': [
      { edits: ['{"type": "delete", "from": 3}'] },
      { edits: [{ type: 'delete', from: 3 }] },
    ],
    'null for absent values': [{ path: null, line: null, numbers: null, edits: null }, {}],
    'a number as text where a word is possible too': [{ limit: '12' }, { limit: 12 }],
  };
  for (const [what, [sent, given]] of Object.entries(meant))
    it(`are read as intended: ${what}`, () => {
      const before = structuredClone(sent);
      const read = readToolArguments(schema, sent);
      assert.deepEqual(read.success ? read.given : read.error, given);
      assert.deepEqual(sent, before, 'the sent arguments must not change');
    });

  it('are named where they were read from text', () => {
    const sent = { path: '7', line: '7', numbers: true, edits: '[]', owner: null };
    const read = readToolArguments(schema, sent);
    assert.ok(read.success);
    assert.deepEqual(listArgumentsReadFromText(sent, read.given), ['line', 'edits']);
  });

  for (const sent of [{ path: '7' }, { path: '["a"]' }, { path: 'null' }, { limit: 'all' }, { owner: null }])
    it(`stay unchanged if they fit: ${JSON.stringify(sent)}`, () => {
      const read = readToolArguments(schema, sent);
      assert.deepEqual(read.success ? read.given : read.error, sent);
    });

  for (const sent of [
    { line: 'seven' },
    { line: '' },
    { line: '7.5' },
    { line: '0' },
    { numbers: 'no' },
    { edits: '{"type": "insert"}' },
    { edits: '[{"type": "insert"' },
    { path: 7 },
    { unknown: null },
    { edits: [null] },
    { edits: `${'['.repeat(50_000)}${']'.repeat(50_000)}` },
  ])
    it(`are refused with the sent value: ${JSON.stringify(sent).slice(0, 60)}`, () => {
      const read = readToolArguments(schema, sent);
      assert.ok(!read.success);
      assert.deepEqual(read.error.issues, schema.safeParse(sent).error?.issues);
    });
});
