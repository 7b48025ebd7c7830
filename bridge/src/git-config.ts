import { writeFile } from 'node:fs/promises';
import { places } from './config.ts';

/**
 * What a machine that people work on has: an identity for commits, and an editor for their messages. In a terminal of the
 * IDE that is the IDE itself; elsewhere Git says what to do instead. A repository's and a user's own settings come first.
 */
const text = `[user]
	name = Developer
	email = developer@localhost
[core]
	editor = "f() { if [ -n \\"$VSCODE_IPC_HOOK_CLI\\" ]; then NODE_EXEC_PATH=${places.node} ${places.codeServer}/lib/vscode/bin/remote-cli/code-server --wait \\"$1\\"; else echo 'there is no editor here: give the message with -m' >&2; exit 1; fi; }; f"
`;

/** Writes Git's settings of the machine where it has none. */
export async function writeGitConfig(path = '/etc/gitconfig'): Promise<void> {
  // An IDE without it is better than none.
  await writeFile(path, text, { flag: 'wx', mode: 0o644 }).catch(() => undefined);
}
