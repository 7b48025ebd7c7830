import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { agentPaths } from '../../../bridge/src/config.ts';
import { packageFolder } from '../../../host/lib/index.ts';

describe('the system-wide Git settings of a sandbox', () => {
  const read = async (name: string) => {
    const file = join(packageFolder(), 'images/sandbox/files/etc/gitconfig');
    return (await promisify(execFile)('git', ['config', '--file', file, name])).stdout.trimEnd();
  };

  it('have an identity for commits', async () => {
    assert.deepEqual(
      [await read('user.name'), await read('user.email')],
      ['Developer', 'developer@localhost'],
    );
  });

  it('have the IDE as the editor, by the paths that it has in each root', async () => {
    const editor = await read('core.editor');
    const cli = `${agentPaths.codeServer}/lib/vscode/bin/remote-cli/code-server --wait "$1"`;
    assert.ok(editor.includes(`NODE_EXEC_PATH=${agentPaths.node} ${cli};`), editor);
  });
});
