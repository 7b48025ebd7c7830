import assert from 'node:assert/strict';
import {
  listTouchedPaths,
  readTaskDescription,
} from '../../../../host/tasks/datasets/ide-bench/ide-bench-record.ts';

const read = (text: string) => readTaskDescription('task_description.txt', text);

describe('the description of an IDE-Bench task', () => {
  it('keeps title, free text and instructions of the block form, and their indentation', () => {
    const text =
      'task_description: |\n\n  Task: a\n\n  What is wrong.\n\n  Instructions:\n\n    Do:\n      - this\n\ndifficulty: easy\ntags: [a, "b c"]\nparser_name: pytest\n';
    const { statement, difficulty, tags, parser } = read(text);
    assert.equal(statement, 'Task: a\n\nWhat is wrong.\n\nInstructions:\n\n  Do:\n    - this');
    assert.deepEqual([difficulty, tags, parser], ['easy', ['a', 'b c'], 'pytest']);
  });

  it('reads the plain form, with keys in angle brackets and Windows line endings', () => {
    const text =
      'Task: a\r\nFree.\r\nObjective:\r\nDo it.\r\nauthor_name: A B\r\ntags: <x> <y>\r\nparser_name: <Jest>\r\n';
    const { statement, tags, parser, author } = read(text);
    assert.equal(statement, 'Task: a\nFree.\nObjective:\nDo it.');
    assert.deepEqual([tags, parser, author], [['x', 'y'], 'jest', 'A B']);
  });

  it('treats indented lines as part of the statement, even if they look like keys', () => {
    const { statement, difficulty } = read(
      'task_description: |\n  Do it.\n  difficulty: of what\ndifficulty: hard\n',
    );
    assert.equal(statement, 'Do it.\ndifficulty: of what');
    assert.equal(difficulty, 'hard');
  });

  it('refuses an empty one, and names the file', () => {
    assert.throws(
      () => read('task_description: |\ndifficulty: easy\n'),
      /task_description\.txt: expected what is to be done/,
    );
  });
});

describe('the diff of an IDE-Bench task', () => {
  const paths = (text: string) => listTouchedPaths('task_diff.txt', text);

  it('names the files that it changes, creates, removes and renames', () => {
    const text =
      '--- a/one.py\n+++ b/one.py\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/two.py b/two.py\n--- /dev/null\n+++ b/two.py\n@@ -0,0 +1 @@\n+a\nrename from three.py\nrename to four.py\n';
    assert.deepEqual(paths(text), ['four.py', 'one.py', 'three.py', 'two.py']);
  });

  it('is refused if it is not a diff, or leads out of the folder', () => {
    assert.throws(() => paths('Nothing here.'), /expected a unified diff/);
    assert.throws(() => paths('--- a/../x\n+++ b/../x\n'), /expected paths in the code base, found \.\.\/x/);
  });
});
