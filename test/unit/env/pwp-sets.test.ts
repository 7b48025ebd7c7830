import assert from 'node:assert/strict';
import { PwpError } from '../../../bridge/lib/index.ts';
import { findTool } from '../../../bridge/protocol/index.ts';
import { describeSetTool, toolSet, translateSetCall } from '../../../host/ide/index.ts';

describe('the tool sets of "Programming with Pixels"', () => {
  const pwp = toolSet('pwp');

  it('have the names of its Table 9, by family', () => {
    const all = ['bash', 'file_edit'];
    const own: Readonly<Record<string, readonly string[]>> = {
      'pwp-swe': ['search_repository', 'file_name_search', 'view_structure'],
      'pwp-design': ['view_html_preview', 'view_original_image', 'zoom_in', 'zoom_out'],
      'pwp-chart': ['view_python_preview', 'view_original_image'],
      'pwp-sql': ['test_sql', 'get_relevant_schemas'],
    };
    for (const [set, names] of Object.entries(own))
      assert.deepEqual(
        toolSet(set).tools.map(({ name }) => name),
        [...all, ...names],
      );
    const expected = [...new Set([...all, ...Object.values(own).flat()])];
    assert.deepEqual(
      pwp.tools.map(({ name }) => name),
      expected,
    );
  });

  const calls: readonly (readonly [string, Record<string, unknown>, string, Record<string, unknown>])[] = [
    ['bash', { command: 'ls' }, 'shell', { command: 'ls' }],
    ['file_edit', { command: 'view', path: 'a' }, 'read_file', { path: 'a' }],
    [
      'file_edit',
      { command: 'view', path: 'a', start_line: 2, end_line: 3 },
      'read_file',
      { path: 'a', start_line: 2, end_line: 3 },
    ],
    ['file_edit', { command: 'create', path: 'a', file_text: '' }, 'write_file', { path: 'a', content: '' }],
    [
      'file_edit',
      { command: 'str_replace', path: 'a', old_str: 'x' },
      'search_replace',
      { path: 'a', old_string: 'x', new_string: '' },
    ],
    [
      'file_edit',
      { command: 'insert', path: 'a', insert_line: 0, insert_text: 'x\ny\n' },
      'edit_file',
      { path: 'a', edits: [{ type: 'insert', line: 1, content: 'x\ny' }] },
    ],
    [
      'search_repository',
      { query: 'a(' },
      'grep_search',
      { query: 'a(', regex: false, case_sensitive: true },
    ],
    ['file_name_search', { query: 'a.py' }, 'file_search', { query: 'a.py' }],
    ['view_structure', {}, 'repository_structure', {}],
    ['view_html_preview', {}, 'preview_html', { path: 'index.html' }],
    ['view_original_image', { path: 'a.png' }, 'view_image', { path: 'a.png' }],
    ['zoom_in', {}, 'zoom_preview', { to: 'in' }],
    ['zoom_out', { explanation: 'see more' }, 'zoom_preview', { to: 'out' }],
    ['view_python_preview', { path: 'a.py' }, 'preview_chart', { path: 'a.py' }],
    ['test_sql', { database: 'a.db', query: 'select 1' }, 'sqlite_query', { path: 'a.db', sql: 'select 1' }],
    [
      'get_relevant_schemas',
      { database: 'a.db', tables: ['t'] },
      'sqlite_schema',
      { path: 'a.db', tables: ['t'] },
    ],
  ];
  for (const [name, given, tool, expected] of calls)
    it(`translate ${name} ${JSON.stringify(given)} to ${tool}, which accepts it`, () => {
      const call = translateSetCall(pwp, name, given);
      assert.deepEqual([call.name, call.arguments], [tool, expected]);
      const checked = findTool(tool)?.input.safeParse(call.arguments);
      assert.ok(checked?.success, checked?.error?.message);
    });

  it('name the argument that a command of file_edit lacks', () => {
    const missing = (command: string) => () => translateSetCall(pwp, 'file_edit', { command, path: 'a' });
    for (const [command, field] of [
      ['create', 'file_text'],
      ['str_replace', 'old_str'],
      ['insert', 'insert_line'],
    ] as const)
      assert.throws(missing(command), (error) => {
        assert.ok(error instanceof PwpError && error.code === 'bad-action', String(error));
        assert.equal(error.message, `tool file_edit: bad arguments: ${command} needs ${field}`);
        return true;
      });
  });

  it('name all tools that they may use', () => {
    const fileEdit = pwp.tools.find(({ name }) => name === 'file_edit');
    assert.ok(fileEdit);
    assert.deepEqual(describeSetTool(fileEdit).answeredBy, [
      ...['read_file', 'write_file', 'search_replace', 'edit_file'],
    ]);
  });
});
