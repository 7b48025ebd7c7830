import assert from 'node:assert/strict';
import { toolError } from '../../../bridge/protocol/index.ts';
import { toolErrorData } from '../../../bridge/protocol/tools/tool-errors.ts';

describe('a tool error', () => {
  const helpOf = (error: ReturnType<typeof toolError>) => toolErrorData.parse(error.data).help;

  it("says what to do, with its kind's usual advice by default", () => {
    const error = toolError('not-a-folder', 'a.txt is a file');
    assert.match(helpOf(error) ?? '', /Give the path of a folder/);
    assert.equal(error.message, `a.txt is a file. ${helpOf(error)}`);
  });

  it("keeps its thrower's own advice", () => {
    assert.equal(
      helpOf(toolError('not-found', 'there is no task x', { help: 'There are y' })),
      'There are y',
    );
  });
});
