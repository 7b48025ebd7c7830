import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { folderTask, type FolderTaskOptions } from '../../../host/tasks/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { readArchive } from './read-archive.ts';

describe('a folder as a task', () => {
  let folder: TemporaryFolder;
  before(async () => {
    folder = await temporaryFolder();
    const files = { 'app.js': '1', '.env': 'KEY=1', 'out.log': '', '.gitignore': '*.log\n' };
    for (const [name, text] of Object.entries(files)) await writeFile(folder.file(name), text);
  });
  after(() => folder[Symbol.asyncDispose]());

  async function copied(options: FolderTaskOptions): Promise<string[]> {
    const [seed] = await (await folderTask(folder.path, options)).seeds();
    assert.ok(seed?.tar instanceof Uint8Array);
    return [...(await readArchive(seed.tar)).keys()].filter((path) => !path.endsWith('/')).toSorted();
  }

  it('leaves out ignored files and files with secrets, and says so', async () => {
    const said: string[] = [];
    const onLeftOut = (leftOut: readonly { path: string; why: string }[]) =>
      said.push(...leftOut.map(({ path, why }) => `${path} ${why}`));
    assert.deepEqual(await copied({ onLeftOut }), ['./.gitignore', './app.js']);
    assert.deepEqual(said.toSorted(), ['.env secret', 'out.log ignored']);
  });

  it('includes them on request, and reports nothing', async () => {
    const onLeftOut = () => assert.fail('nothing must be left out');
    assert.deepEqual(await copied({ includeIgnored: true, includeSecrets: true, onLeftOut }), [
      './.env',
      './.gitignore',
      './app.js',
      './out.log',
    ]);
  });
});
