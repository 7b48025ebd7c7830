import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { writeGitConfig } from '../../../bridge/src/agent-side.ts';
import { temporaryFolder } from '../../support/folder.ts';

describe('the system-wide Git settings of a sandbox', () => {
  it('are written if missing, and those of the image stay', async () => {
    await using folder = await temporaryFolder();
    const notes: string[] = [];
    const path = folder.file('gitconfig');
    await writeGitConfig((line) => notes.push(line), path);
    const { stdout } = await promisify(execFile)('git', ['config', '--file', path, 'user.name']);
    assert.equal(stdout, 'Developer\n');
    await writeFile(path, '[user]\n\tname = Other\n');
    await writeGitConfig((line) => notes.push(line), path);
    assert.equal(await readFile(path, 'utf8'), '[user]\n\tname = Other\n');
    assert.deepEqual(notes, []);
  });

  it("are noted as missing if they can't be written", async () => {
    await using folder = await temporaryFolder();
    const notes: string[] = [];
    await writeGitConfig((line) => notes.push(line), folder.file('nothing/gitconfig'));
    assert.equal(notes.length, 1);
    assert.match(notes[0] ?? '', /^git has no identity and no editor here: ENOENT/);
  });
});
