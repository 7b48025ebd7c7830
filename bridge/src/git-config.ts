import { writeFile } from 'node:fs/promises';
import { messageOf } from '../lib/index.ts';
import { places } from './config.ts';

/**
 * Settings as on a machine that people work on: an identity for commits, and an editor for their messages. In a terminal
 * of the IDE, the editor is the IDE itself; elsewhere Git says what to do instead. Settings of a repository and of a user
 * take precedence.
 */
const text = `[user]
	name = Developer
	email = developer@localhost
[core]
	editor = "f() { if [ -n \\"$VSCODE_IPC_HOOK_CLI\\" ]; then NODE_EXEC_PATH=${places.node} ${places.codeServer}/lib/vscode/bin/remote-cli/code-server --wait \\"$1\\"; else echo 'there is no editor here: give the message with -m' >&2; exit 1; fi; }; f"
`;

/**
 * Writes Git's system settings, unless they exist. The IDE also works without them: a failure is only noted.
 * @param note writes a line into the bridge's log
 */
export async function writeGitConfig(note: (line: string) => void, path = '/etc/gitconfig'): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o644 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    note(`git has no identity and no editor here: ${messageOf(error)}`);
  }
}
