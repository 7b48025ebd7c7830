import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ErrorCode, ide, limits } from '../../../../bridge/protocol/index.ts';
import { ask, eventually, wireError } from '../client.ts';
import { closeAll, fileIn, open } from '../place.ts';

describe('ide.editor', () => {
  afterEach(closeAll);

  it('is null while no editor is open', async () => {
    await closeAll();
    assert.equal(await eventually('no editor', activeEditor, (editor) => editor === null), null);
  });

  it('describes the document, and leaves its text out unless asked', async () => {
    const { document } = await open(fileIn('app', 'notes.md'));
    const editor = await activeEditor();
    assert.equal(editor?.uri, document.uri.toString());
    assert.equal(editor.language, 'markdown');
    assert.equal(editor.lines, document.lineCount);
    assert.equal(editor.dirty, false);
    assert.equal(editor.endOfLine, '\n');
    assert.equal('text' in editor, false);
  });

  it('returns the text in the buffer, unsaved changes included', async () => {
    const shown = await open(fileIn('app', 'notes.md'));
    const { version } = shown.document;
    await shown.edit((edit) => edit.insert(new vscode.Position(0, 0), 'unsaved 🦊 '));
    const editor = await activeEditor({ includeText: true });
    assert.equal(editor?.text, shown.document.getText());
    assert.match(editor.text ?? '', /^unsaved 🦊 /);
    assert.equal(editor.dirty, true);
    assert.equal(editor.truncated, false);
    assert.ok(editor.version > version);
  });

  it('bounds the text and never cuts a character in two', async () => {
    const shown = await open(fileIn('app', 'notes.md'));
    await shown.edit((edit) => edit.insert(new vscode.Position(0, 0), 'ab🦊'));
    const cut = await activeEditor({ includeText: true, maxChars: 3 });
    assert.deepEqual([cut?.text, cut?.truncated], ['ab', true]);
    const whole = await activeEditor({ includeText: true, maxChars: 4 });
    assert.deepEqual([whole?.text, whole?.truncated], ['ab🦊', true]);
  });

  it("refuses a bound above the protocol's", async () => {
    const call = ask(ide.editor, { includeText: true, maxChars: limits.editorText + 1 });
    await assert.rejects(call, wireError(ErrorCode.InvalidParams));
  });

  it('reports every selection with its direction', async () => {
    const shown = await open(fileIn('app', 'notes.md'));
    shown.selections = [new vscode.Selection(0, 2, 0, 5), new vscode.Selection(2, 4, 1, 0)];
    const editor = await eventually('two selections', activeEditor, (one) => one?.selections.length === 2);
    assert.deepEqual(editor?.selections, [
      { anchor: { line: 0, character: 2 }, active: { line: 0, character: 5 } },
      { anchor: { line: 2, character: 4 }, active: { line: 1, character: 0 } },
    ]);
  });

  it('reports which lines are on the screen', async () => {
    const shown = await open(fileIn('app', 'long.txt'));
    shown.revealRange(new vscode.Range(500, 0, 500, 0), vscode.TextEditorRevealType.InCenter);
    const editor = await eventually(
      'line 501',
      activeEditor,
      (one) => (one?.visible[0]?.start.line ?? 0) > 400,
    );
    const lines = editor?.visible[0];
    assert.ok(
      lines && lines.start.line < 500 && lines.end.line > 500 && lines.end.line < 600,
      JSON.stringify(lines),
    );
  });

  it('reports Windows line endings', async () => {
    await open(fileIn('lib', 'crlf.txt'));
    assert.equal((await activeEditor())?.endOfLine, '\r\n');
  });
});

async function activeEditor(params: { includeText?: boolean; maxChars?: number } = {}) {
  return (await ask(ide.editor, params)).editor;
}
