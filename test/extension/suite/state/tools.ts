import assert from 'node:assert/strict';
import {
  ErrorCode,
  type fileTools,
  toolMethods,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import { ask, wireError } from '../client.ts';
import { fileIn } from '../place.ts';

const read = async (path: string) => {
  const { result } = await ask(toolMethods.call, { name: 'read_file', arguments: { path } });
  return result as ToolOutput<typeof fileTools.readFile>;
};

describe("tools over the extension's own socket", () => {
  it('are listed with their schemas', async () => {
    const { tools, missing } = await ask(toolMethods.list, {});
    assert.equal(missing, null);
    const found = tools.find(({ name }) => name === 'read_file');
    assert.deepEqual(found?.input.required, ['path']);
    assert.ok(!tools.some(({ name }) => name === 'shell'));
  });

  it('take paths relative to the first folder, and absolute paths into any folder', async () => {
    const notes = await read('notes.md');
    assert.deepEqual([notes.path, notes.text.split('\n')[0]], ['notes.md', '1\t# Notes']);
    const other = fileIn('lib', 'crlf.txt').fsPath;
    const crlf = await read(other);
    assert.deepEqual([crlf.path, crlf.end_of_line], [other, '\r\n']);
  });

  it('refuse paths outside all folders', async () => {
    await assert.rejects(
      read('../both.code-workspace'),
      wireError(ErrorCode.Tool, /outside of the workspace/),
    );
  });
});
