import assert from 'node:assert/strict';
import { PwpError } from '../../../bridge/lib/index.ts';
import { findTool } from '../../../bridge/protocol/index.ts';
import { callTool, describeSetTool, toolSet, translateSetCall } from '../../../host/ide/index.ts';
import { ideBenchTools } from '../../../host/ide/tools/ide-bench-tools.ts';
import type { Sandbox } from '../../../host/node/index.ts';

/** The tools that the paper lists. */
const names = [
  'codebase_search',
  'read_file',
  'run_terminal_cmd',
  'list_dir',
  'grep_search',
  'file_search',
  'delete_file',
  'edit_file',
  'search_replace',
  'write_file',
  'edit_notebook',
  'api_call',
  'database_query',
  'websocket_test',
  'ui_test',
  'web_search',
  'create_diagram',
  'create_directory',
];

describe("IDE-Bench's tool set", () => {
  const call = (name: string, given: Record<string, unknown>) => {
    // Tools of a set that this version does not have can't be translated either.
    const tool = ideBenchTools.tools.find((one) => one.name === name);
    assert.ok(tool);
    return tool.translate(tool.input.parse(given))[1];
  };

  it('has all its names, and accepts an explanation with each', () => {
    assert.deepEqual(ideBenchTools.tools.map(({ name }) => name).sort(), names.sort());
    for (const tool of ideBenchTools.tools) {
      const { properties, additionalProperties } = describeSetTool(tool).input;
      assert.ok('explanation' in (properties as object), tool.name);
      assert.equal(additionalProperties, false, tool.name);
    }
  });

  it('translates to arguments that the registry accepts', () => {
    const calls: readonly [string, Record<string, unknown>][] = [
      ['codebase_search', { query: 'parse dates', target_directories: ['src/', ''] }],
      ['read_file', { target_file: 'a.py', should_read_entire_file: true }],
      ['list_dir', { relative_workspace_path: './' }],
      ['grep_search', { query: 'a+', case_sensitive: true, include_pattern: '*.py' }],
      ['file_search', { query: 'usrctl', explanation: 'find it' }],
      ['delete_file', { target_file: 'a.py' }],
      ['search_replace', { file_path: 'a.py', old_string: 'a', new_string: '' }],
      ['write_file', { file_path: 'a.py', content: '' }],
      ['create_directory', { path: 'new' }],
      [
        'edit_notebook',
        {
          target_notebook: 'a.ipynb',
          cell_idx: 0,
          is_new_cell: true,
          cell_language: 'python',
          old_string: '',
          new_string: 'x = 1',
        },
      ],
      ['api_call', { method: 'post', url: 'http://127.0.0.1:8000/', headers: {}, body: { a: 1 } }],
      ['database_query', { query_type: 'findOne', collection: 'users', query: { a: 1 } }],
      ['websocket_test', { action: 'emit', url: 'ws://127.0.0.1:1/', data: { a: 1 }, timeout: 100 }],
      ['websocket_test', { action: 'emit', url: 'http://127.0.0.1:1', event: 'hi', data: 1 }],
      ['create_diagram', { content: 'graph TD; a-->b', explanation: 'show it' }],
      ['ui_test', { action: 'navigate', url: 'http://127.0.0.1:8000/' }],
      ['ui_test', { action: 'fill', selector: '#a', text: 'b' }],
      ['ui_test', { action: 'press', text: 'Enter' }],
      ['ui_test', { action: 'get_text', selector: '#a', timeout: 500 }],
      [
        'edit_file',
        {
          target_file: 'a.py',
          instructions: 'say two',
          edit_type: 'line_edits',
          line_edits: [
            { type: 'replace', line_number: 1, content: 'two' },
            { type: 'delete', line_number: 2, content: '' },
          ],
        },
      ],
    ];
    for (const [name, given] of calls) {
      const [own] = describeSetTool(ideBenchTools.tools.find((one) => one.name === name) as never).answeredBy;
      const checked = findTool(own ?? '')?.input.safeParse(call(name, given));
      assert.ok(checked?.success, `${name}: ${checked?.error?.message}`);
    }
  });

  it('reads the requested lines, or all lines for the whole file', () => {
    const range = { start_line_one_indexed: 2, end_line_one_indexed_inclusive: 3 };
    assert.deepEqual(call('read_file', { target_file: 'a', should_read_entire_file: false, ...range }), {
      path: 'a',
      start_line: 2,
      end_line: 3,
    });
    assert.deepEqual(call('read_file', { target_file: 'a', should_read_entire_file: true, ...range }), {
      path: 'a',
    });
  });

  it('accepts seconds, waiting for elements, and addresses without a server', () => {
    assert.deepEqual(call('ui_test', { action: 'wait_for_element', selector: '#a', timeout: 5 }), {
      actions: [{ do: 'wait', selector: '#a' }],
      keep: true,
      timeout_ms: 5000,
    });
    const listen = { action: 'listen', url: 'ws://127.0.0.1:1/', timeout: 0.5 };
    assert.equal(call('websocket_test', listen).timeout_ms, 500);
    // In seconds; longer than any call may take.
    assert.equal(call('ui_test', { action: 'screenshot', timeout: 5000 }).timeout_ms, 5000);
    const asked = (url: string) => call('api_call', { method: 'get', url }).url;
    assert.equal(asked('/users?id=1'), 'http://127.0.0.1:3000/users?id=1');
    assert.equal(asked('http://127.0.0.1:8000/x'), 'http://127.0.0.1:8000/x');
  });

  it('accepts diagrams with or without a fence', () => {
    const bare = 'graph TD\n  a-->b';
    for (const content of [bare, `\`\`\`mermaid\n${bare}\n\`\`\`\n`, `~~~~ Mermaid\r\n${bare}\r\n~~~~`])
      assert.deepEqual(call('create_diagram', { content }), { source: bare });
    const other = '```python\nx\n```';
    assert.deepEqual(call('create_diagram', { content: other }), { source: other });
  });

  it('names absent tools before anything is sent', async () => {
    const definition = describeSetTool(
      ideBenchTools.tools.find(({ name }) => name === 'web_search') as never,
    );
    assert.match(definition.absent ?? '', /no network/);
    assert.match(definition.description, /Absent here/);
    const noSandbox = undefined as never as Sandbox;
    const asked = { name: 'web_search', arguments: { search_term: 'x' }, set: 'ide-bench' };
    await assert.rejects(
      callTool(noSandbox, asked, { signal: AbortSignal.timeout(1000) }),
      refused(/web_search is absent/),
    );
  });

  it('lets the registry refuse unknown values', () => {
    const write = call('database_query', { query_type: 'insert', collection: 'users', data: {} });
    assert.equal(findTool('mongo_query')?.input.safeParse(write).success, false);
    const dance = call('ui_test', { action: 'dance' });
    assert.equal(findTool('browser_test')?.input.safeParse(dance).success, false);
  });

  it('refuses unknown names, arguments and sets', () => {
    assert.throws(
      () => translateSetCall(ideBenchTools, 'no_such_tool', {}),
      refused(/unknown tool no_such_tool/),
    );
    assert.throws(() => translateSetCall(ideBenchTools, 'read_file', { path: 'a' }), refused(/target_file/));
    assert.throws(() => toolSet('other'), refused(/expected ide-bench/));
  });
});

function refused(message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof PwpError && error.code === 'bad-action', String(error));
    assert.match(error.message, message);
    return true;
  };
}
