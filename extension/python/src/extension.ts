import * as vscode from 'vscode';
import { debugFile, registerPythonDebugger, runFile } from './debugger.ts';
import { Interpreters, InterpreterStatus, selectInterpreter } from './interpreters.ts';
import {
  ImportActions,
  organizePythonImports,
  PyrightServer,
  type PythonFileChange,
} from './language-server.ts';
import { computeMoveEdits, MoveActions, movePythonSymbolToFile } from './move-symbol.ts';
import { PytestController } from './test-controller.ts';

/** The exports of `vscode.extensions.getExtension('pwp.python')`. */
export interface PythonApi {
  /** Resolves when the language server answers, or if the settings turn it off. Never rejects. */
  ready(): Promise<void>;
  /** Absolute path of the interpreter of a workspace folder, with unresolved links. */
  interpreter(folder: vscode.WorkspaceFolder | undefined): string;
  /** Requests the diagnostics of the current text from the language server; undefined if no server runs. */
  diagnose(document: vscode.TextDocument): Promise<readonly vscode.Diagnostic[] | undefined>;
  /** Notifies the language server at once of a change of a file; the watcher's notification comes later. */
  hear(uri: vscode.Uri, change: PythonFileChange): Promise<void>;
  readonly moveEdits: typeof computeMoveEdits;
}

export async function activate(context: vscode.ExtensionContext): Promise<PythonApi | undefined> {
  const log = vscode.window.createOutputChannel('Python (pwp)', { log: true });
  context.subscriptions.push(log);
  if (isServedByAnother()) {
    log.info('ms-python.python is installed and replaces this extension, which does nothing');
    return undefined;
  }
  const interpreters = await Interpreters.open(context.globalStorageUri);
  const server = new PyrightServer(interpreters);
  const tests = new PytestController(interpreters, log);
  const { registerCommand } = vscode.commands;
  context.subscriptions.push(
    interpreters,
    server,
    tests,
    new InterpreterStatus(interpreters),
    registerPythonDebugger(interpreters),
    vscode.languages.registerCodeActionsProvider('python', new MoveActions(), {
      providedCodeActionKinds: [MoveActions.kind],
    }),
    vscode.languages.registerCodeActionsProvider('python', new ImportActions(), {
      providedCodeActionKinds: [ImportActions.kind],
    }),
    registerCommand('pwp.python.organizeImports', (uri?: vscode.Uri) => organizePythonImports(server, uri)),
    registerCommand('pwp.python.selectInterpreter', () => selectInterpreter(interpreters)),
    registerCommand('pwp.python.runFile', (uri?: vscode.Uri) => runFile(interpreters, uri)),
    registerCommand('pwp.python.debugFile', (uri?: vscode.Uri) => debugFile(uri)),
    registerCommand('pwp.python.moveSymbol', (uri?: vscode.Uri, at?: unknown) =>
      movePythonSymbolToFile(uri, at instanceof vscode.Position ? at : undefined),
    ),
    registerCommand('pwp.python.restartLanguageServer', () => server.restart()),
    registerCommand('pwp.python.refreshTests', () => tests.refresh()),
  );
  return {
    ready: () => server.ready(),
    interpreter: (folder) => interpreters.of(folder).path,
    diagnose: (document) => server.diagnose(document),
    hear: (uri, change) => server.hear(uri, change),
    moveEdits: computeMoveEdits,
  };
}

/** The real extension, if it is installed. A stand-in that only has its name does none of this. */
function isServedByAnother(): boolean {
  const manifest = vscode.extensions.getExtension('ms-python.python')?.packageJSON as
    { readonly contributes?: { readonly commands?: readonly { readonly command?: string }[] } } | undefined;
  return manifest?.contributes?.commands?.some(({ command }) => command === 'python.setInterpreter') === true;
}
