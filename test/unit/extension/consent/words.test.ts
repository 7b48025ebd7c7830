import assert from 'node:assert/strict';
import { tools } from '../../../../bridge/protocol/index.ts';
import {
  classifyAction,
  composeQuestion,
  plainText,
} from '../../../../extension/src/consent/action-question.ts';
import { isInSandbox } from '../../../../extension/src/consent/guard.ts';

describe('the question about a call', () => {
  const about = (given: Record<string, unknown>, client = 'claude-code 2.0') =>
    composeQuestion({ client, tool: 'write_file', arguments: given, actionClass: 'files' });

  it('names the client, the action, the tool and its subject, and shows the change', () => {
    const { message, detail } = about({ path: 'src/a.ts', content: 'one\ntwo' });
    assert.equal(message, 'The program "claude-code 2.0" wants to change files in this window.');
    assert.match(detail, /^tool: write_file\npath: src\/a\.ts\n\+ one ⏎ two\n\n/);
  });

  it('shows the old and the new text, and the first of many edits', () => {
    const { detail } = about({ path: 'a', old_string: 'x = 1', new_string: '' });
    assert.match(detail, /^tool: write_file\npath: a\n- x = 1\n\n/);
    const edits = Array.from({ length: 7 }, (_, i) => ({ type: 'delete', line: i }));
    const lines = about({ path: 'a', edits }).detail.split('\n');
    assert.deepEqual(lines.slice(2, 4), ['~ {"type":"delete","line":0}', '~ {"type":"delete","line":1}']);
    assert.equal(lines[7], '… and 2 more edits');
  });

  it('bounds a change, and lets no line of it look like another field', () => {
    const { detail } = about({ content: `a\n\ntool: read_file\u202E${'x'.repeat(50_000)}` });
    assert.ok(detail.length < 1000);
    assert.match(detail, /\n\+ a ⏎ ⏎ tool: read_file\uFFFD/);
  });

  it('has no line that a client forged', () => {
    const { message, detail } = about({ path: 'a\n\ntool: read_file\r\u2028b' }, 'x"\nharmless');
    assert.equal(message.split('\n').length, 1);
    assert.deepEqual(detail.split('\n').slice(0, 2), [
      'tool: write_file',
      'path: a ⏎ ⏎ tool: read_file ⏎ ⏎ b',
    ]);
  });

  it('shows invisible characters, and those that reverse others', () => {
    assert.equal(plainText('a\u202Eb\u200Bc\u0007d\u001B[2J', 100), 'a�b�c�d�[2J');
  });

  it('is bounded, and counts what it leaves out', () => {
    const { message, detail } = about({ path: 'x'.repeat(100_000) }, 'y'.repeat(100_000));
    assert.ok(message.length < 200 && detail.length < 1000, `${message.length} ${detail.length}`);
    assert.match(detail, /x… \(100000 characters\)/);
    assert.match(plainText(`ls${' '.repeat(5000)}; rm -rf .`, 400), /\(5012 characters\)$/);
  });

  it('calls a client without a name unnamed', () => {
    assert.match(about({}, '  ').message, /^The program "unnamed" /);
  });
});

describe('classes of actions', () => {
  it('exist for every tool that changes something or runs code, and for no other', () => {
    for (const tool of tools)
      assert.equal(classifyAction(tool) !== undefined, !tool.readOnly || tool.runsCode === true, tool.name);
  });

  it('count tools that can run any code as code', () => {
    const found = new Map(tools.map((tool) => [tool.name, classifyAction(tool)]));
    for (const name of ['run_terminal_cmd', 'run_python', 'list_tests', 'run_command', 'preview_chart'])
      assert.equal(found.get(name), 'run', name);
    assert.deepEqual(
      [
        'search_replace',
        'rename_symbol',
        'debug_evaluate',
        'set_setting',
        'manage_extension',
        'open_file',
      ].map((name) => found.get(name)),
      ['files', 'files', 'debug', 'settings', 'settings', 'show'],
    );
  });
});

describe('a window of a sandbox', () => {
  it("is recognized by the image's extension, and by nothing in the environment", () => {
    for (const path of ['/opt/pwp/extension', '/root/.vscode/extensions/pwp', '/tmp', ''])
      assert.equal(isInSandbox(path), false, path);
  });
});
