import { AgentFiles } from '../../../host/tasks/grade/checks/agent-files.ts';
import { Settings } from '../../../host/tasks/grade/checks/effective-settings.ts';
import { tempFolder, type TempFolder } from '../tasks/folder.ts';

export const userSettings = 'ide/data/User/settings.json';
export const remoteSettings = 'ide/data/Machine/settings.json';
export const workspaceSettings = 'workspace/.vscode/settings.json';

/** An agent's files, below a temporary folder with `ide`, `workspace` and `root`. */
export async function left(
  files: Readonly<Record<string, string>>,
): Promise<TempFolder & { files: AgentFiles }> {
  const folder = await tempFolder({
    'ide/start.json': '{}',
    'workspace/.keep': '',
    'root/.keep': '',
    ...files,
  });
  return { ...folder, files: new AgentFiles(folder.path) };
}

/** The settings of the given files: objects are written as JSON, strings as they are. */
export async function settingsOf(files: Readonly<Record<string, object | string>>): Promise<Settings> {
  const texts = Object.entries(files).map(([path, value]) => [
    path,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  await using folder = await left(Object.fromEntries(texts) as Record<string, string>);
  return await Settings.read(folder.files);
}

/** The settings of a user's settings.json. */
export function userHas(settings: object | string): Promise<Settings> {
  return settingsOf({ [userSettings]: settings });
}
