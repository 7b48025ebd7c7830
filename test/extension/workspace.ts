import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { leaveDeadSocket } from '../support/vscode/deadSocket.ts';

const markdownOverride = (settings: object) => ({ '[markdown]': settings });

/** The user's settings, two folders with their own settings, and the workspace file that holds both. */
const files: Readonly<Record<string, string>> = {
  'user/User/settings.json': json({
    'editor.fontSize': 17,
    'editor.rulers': [120],
    'files.autoSave': 'off',
    'files.exclude': { '**/*.tmp': true },
    'workbench.startupEditor': 'none',
    'chat.disableAIFeatures': true,
    'editor.detectIndentation': false,
    'pwpTest.huge': 'x'.repeat(10_000),
    ...markdownOverride({ 'editor.tabSize': 6 }),
  }),
  'app/.vscode/settings.json': json({
    'files.trimTrailingWhitespace': true,
    ...markdownOverride({ 'editor.wordWrap': 'bounded' }),
  }),
  'app/bad.ts': "export const count: number = 'three';\n",
  'app/notes.md': '# Notes\n\nThe second paragraph.\n',
  'app/long.txt': Array.from({ length: 1000 }, (_, n) => `line ${n + 1}\n`).join(''),
  'lib/crlf.txt': 'one\r\ntwo\r\n',
  'both.code-workspace': json({
    folders: [{ path: 'app' }, { path: 'lib' }],
    settings: { 'editor.rulers': [80], 'pwp.socketDirectory': '/nowhere' },
  }),
};

/** Fills an empty folder with all of it, a socket that a dead window left, and a file that only looks like one. */
export async function layOut(folder: string): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  await mkdir(join(folder, 'sockets'), { mode: 0o700 });
  await leaveDeadSocket(join(folder, 'sockets/dead.sock'));
  await writeFile(join(folder, 'sockets/notes.sock'), 'not a socket\n');
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
