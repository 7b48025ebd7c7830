import * as vscode from 'vscode';
import type { Interpreters } from '../interpreter/index.ts';
import { readEnvFile } from './env-file.ts';

/** The default launch configuration. */
export const currentFile: vscode.DebugConfiguration = {
  name: 'Python Debugger: Current File',
  type: 'debugpy',
  request: 'launch',
  program: '${file}',
  console: 'integratedTerminal',
};

/** Completes launch configurations: with the interpreter, the console, and the options that debugpy requires. */
export class ConfigurationProvider implements vscode.DebugConfigurationProvider {
  readonly #interpreters: Interpreters;

  constructor(interpreters: Interpreters) {
    this.#interpreters = interpreters;
  }

  /** Without a launch.json all fields are missing: then the active file is debugged. */
  resolveDebugConfiguration(
    _folder: vscode.WorkspaceFolder | undefined,
    given: vscode.DebugConfiguration,
  ): vscode.DebugConfiguration | undefined {
    if (given.type || given.request || given.name) return given;
    if (vscode.window.activeTextEditor?.document.languageId === 'python') return { ...currentFile };
    void vscode.window.showErrorMessage('Open a Python file to debug it.');
    return undefined;
  }

  async resolveDebugConfigurationWithSubstitutedVariables(
    folder: vscode.WorkspaceFolder | undefined,
    given: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration> {
    const common = { ...given, debugOptions: optionsOf(given), workspaceFolder: folder?.uri.fsPath };
    if (given.request !== 'launch') return common;
    const where = folder ?? vscode.workspace.workspaceFolders?.[0];
    return {
      ...common,
      ...(given['python'] === undefined && { python: this.#interpreters.of(where).path }),
      ...(given['console'] === undefined && { console: 'integratedTerminal' }),
      ...(given['cwd'] === undefined && where !== undefined && { cwd: where.uri.fsPath }),
      ...(given['justMyCode'] === undefined && { justMyCode: true }),
      env: { ...(await readEnvFile(envFileOf(given, where))), ...(given['env'] as object | undefined) },
    };
  }
}

/** The configuration's own, in which VS Code has resolved variables, or that of the settings. */
function envFileOf(given: vscode.DebugConfiguration, folder: vscode.WorkspaceFolder | undefined): string {
  const own: unknown = given['envFile'];
  if (typeof own === 'string') return own;
  const setting = vscode.workspace.getConfiguration('python', folder).get('envFile', '');
  return setting.replaceAll('${workspaceFolder}', folder?.uri.fsPath ?? '');
}

/** The older form of some fields, in which debugpy expects them. */
function optionsOf(given: vscode.DebugConfiguration): string[] {
  const wanted = (field: string, otherwise: boolean) => {
    const value: unknown = given[field];
    return typeof value === 'boolean' ? value : otherwise;
  };
  const internal = given['console'] === 'internalConsole';
  const options: readonly [string, boolean][] = [
    ['ShowReturnValue', wanted('showReturnValue', true)],
    ['RedirectOutput', wanted('redirectOutput', internal)],
    ['Jinja', wanted('jinja', false)],
    ['Django', wanted('django', false)],
    ['GeventSupport', wanted('gevent', false)],
    ['MultiProcess', wanted('subProcess', true)],
  ];
  return options.filter(([, on]) => on).map(([name]) => name);
}
