import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { readLoginEnvironment } from '../../../bridge/src/image-environment.ts';
import { temporaryFolder } from '../../support/folder.ts';

/** What commands get where these lines are in the start-up file of the home folder. */
async function withStartUp(lines: string): Promise<NodeJS.ProcessEnv> {
  await using home = await temporaryFolder();
  await writeFile(home.file('.bashrc'), lines);
  return await readLoginEnvironment({ PATH: process.env['PATH'], HOME: home.path });
}

describe("the environment of an image's commands", () => {
  it('is that of a terminal, with values of several lines', async () => {
    const { PATH, LINES_OF_TEXT } = await withStartUp(
      "echo hello\nPATH=/active:$PATH\nexport LINES_OF_TEXT=$'a\\nb=c'\n",
    );
    assert.match(PATH ?? '', /^\/active:/);
    assert.equal(LINES_OF_TEXT, 'a\nb=c');
  });

  it('is there also if a start-up file leaves a job that keeps its output', async () => {
    const { READY } = await withStartUp('export READY=yes\nsleep 60 &\n');
    assert.equal(READY, 'yes');
  });

  it('is refused if a start-up file ends the shell', async () => {
    await assert.rejects(withStartUp('exit 0\n'), /did not print its variables/);
  });
});
