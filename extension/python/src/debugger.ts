import { imagePrograms } from '../../../bridge/lib/index.ts';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { chooseAdapter } from './debugger-choice.ts';
import { askVersion, type Interpreters } from './interpreters.ts';
import { readEnvFile } from './program-environment.ts';

/** Its own type, and the type in older launch configurations. */
const debuggerTypes = ['debugpy', 'python'];

/** Debugs Python with debugpy. */
export function registerPythonDebugger(interpreters: Interpreters): vscode.Disposable {
  const provider = new ConfigurationProvider(interpreters);
  const offered = { provideDebugConfigurations: () => [currentFileConfiguration] };
  return vscode.Disposable.from(
    ...debuggerTypes.flatMap((type) => [
      vscode.debug.registerDebugConfigurationProvider(type, provider),
      vscode.debug.registerDebugAdapterDescriptorFactory(type, new AdapterFactory()),
    ]),
    vscode.debug.registerDebugConfigurationProvider('debugpy', offered),
    vscode.debug.registerDebugConfigurationProvider(
      'debugpy',
      offered,
      vscode.DebugConfigurationProviderTriggerKind.Dynamic,
    ),
  );
}

/** Starts debugpy's adapter, or connects to a debugpy that listens already. */
class AdapterFactory implements vscode.DebugAdapterDescriptorFactory {
  /** Errors: for a Python that none of our debuggers runs in. */
  async createDebugAdapterDescriptor({
    configuration,
  }: vscode.DebugSession): Promise<vscode.DebugAdapterDescriptor> {
    const connect = configuration['connect'] as { host?: unknown; port?: unknown } | undefined;
    if (configuration.request === 'attach' && connect !== undefined) {
      const host = typeof connect.host === 'string' ? connect.host : '127.0.0.1';
      return new vscode.DebugAdapterServer(Number(connect.port), host);
    }
    // It may have options.
    const [python] = [configuration['python'] as unknown].flat();
    const version = typeof python === 'string' ? await askVersion(python) : '';
    return new vscode.DebugAdapterExecutable(imagePrograms.python, chooseAdapter(version));
  }
}

/** The default launch configuration. */
const currentFileConfiguration: vscode.DebugConfiguration = {
  name: 'Python Debugger: Current File',
  type: 'debugpy',
  request: 'launch',
  program: '${file}',
  console: 'integratedTerminal',
};

/** Completes launch configurations: with the interpreter, the console, and the options that debugpy requires. */
class ConfigurationProvider implements vscode.DebugConfigurationProvider {
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
    if (vscode.window.activeTextEditor?.document.languageId === 'python')
      return { ...currentFileConfiguration };
    void vscode.window.showErrorMessage('Open a Python file to debug it.');
    return undefined;
  }

  async resolveDebugConfigurationWithSubstitutedVariables(
    folder: vscode.WorkspaceFolder | undefined,
    given: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration> {
    const common = { ...given, debugOptions: readDebugOptions(given), workspaceFolder: folder?.uri.fsPath };
    if (given.request !== 'launch') return common;
    const where = folder ?? vscode.workspace.workspaceFolders?.[0];
    return {
      ...common,
      ...(given['python'] === undefined && { python: this.#interpreters.of(where).path }),
      ...(given['console'] === undefined && { console: 'integratedTerminal' }),
      ...(given['cwd'] === undefined && where !== undefined && { cwd: where.uri.fsPath }),
      ...(given['justMyCode'] === undefined && { justMyCode: true }),
      env: { ...(await readEnvFile(findEnvFile(given, where))), ...(given['env'] as object | undefined) },
    };
  }
}

/** The configuration's own, in which VS Code has resolved variables, or that of the settings. */
function findEnvFile(given: vscode.DebugConfiguration, folder: vscode.WorkspaceFolder | undefined): string {
  const own: unknown = given['envFile'];
  if (typeof own === 'string') return own;
  const setting = vscode.workspace.getConfiguration('python', folder).get('envFile', '');
  return setting.replaceAll('${workspaceFolder}', folder?.uri.fsPath ?? '');
}

/** The older form of some fields, in which debugpy expects them. */
function readDebugOptions(given: vscode.DebugConfiguration): string[] {
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

/** Runs the active file, or the given one, in a terminal. */
export async function runFile(interpreters: Interpreters, given?: vscode.Uri): Promise<void> {
  const uri = await saveFile(given);
  if (!uri) return;
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const { path } = interpreters.of(folder);
  const inItsFolder = vscode.workspace
    .getConfiguration('python', uri)
    .get('terminal.executeInFileDir', false);
  const wanted = inItsFolder ? dirname(uri.fsPath) : folder?.uri.fsPath;
  const name = inItsFolder ? `Python: ${wanted}` : 'Python';
  const open = vscode.window.terminals.find((one) => one.name === name && one.exitStatus === undefined);
  const terminal =
    open ?? vscode.window.createTerminal({ name, ...(wanted !== undefined && { cwd: wanted }) });
  terminal.show(true);
  terminal.sendText(`${quoteWord(path)} ${quoteWord(uri.fsPath)}`);
}

export async function debugFile(given?: vscode.Uri): Promise<void> {
  const uri = await saveFile(given);
  if (!uri) return;
  const configuration = { ...currentFileConfiguration, program: uri.fsPath };
  await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(uri), configuration);
}

async function saveFile(given: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
  const shown = vscode.window.activeTextEditor?.document;
  const document = given ? await vscode.workspace.openTextDocument(given) : shown;
  if (!document || document.languageId !== 'python') {
    void vscode.window.showErrorMessage('Open a Python file to run it.');
    return undefined;
  }
  return !document.isDirty || (await document.save()) ? document.uri : undefined;
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
