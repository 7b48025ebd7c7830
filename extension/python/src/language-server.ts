import * as vscode from 'vscode';
import {
  DidChangeWatchedFilesNotification,
  DocumentDiagnosticRequest,
  FileChangeType,
  LanguageClient,
  type LanguageClientOptions,
  TransportKind,
  type WorkspaceEdit,
} from 'vscode-languageclient/node';
import {
  deadline,
  imageMountPoint,
  imagePrograms,
  raceSignal,
  SerialQueue,
} from '../../../bridge/lib/index.ts';
import type { Interpreters } from './interpreters.ts';
import { cleanEnvironment } from './program-environment.ts';

const pyrightScript = `${imageMountPoint}/opt/pyright/langserver.index.js`;
/** Maximum time for VS Code to make an edit that the server has requested, in milliseconds. */
const editMs = 10_000;

export type PythonFileChange = 'created' | 'changed' | 'deleted';

const changeTypes = {
  created: FileChangeType.Created,
  changed: FileChangeType.Changed,
  deleted: FileChangeType.Deleted,
} as const;

/** Pyright, from the first Python document on, unless the settings turn off the language server. */
export class PyrightServer implements vscode.Disposable {
  readonly #interpreters: Interpreters;
  readonly #listening: vscode.Disposable[];
  #client: LanguageClient | undefined;
  /** Queue of starts and stops. */
  readonly #changes = new SerialQueue();

  constructor(interpreters: Interpreters) {
    this.#interpreters = interpreters;
    this.#listening = [
      vscode.workspace.onDidOpenTextDocument(({ languageId }) => {
        if (languageId === 'python') void this.ready();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('python.languageServer')) void this.#adjust();
      }),
      interpreters.onDidChange(() => void this.#sendSettings()),
    ];
    if (anyPython()) void this.ready();
  }

  /** Resolves when it answers, or if no server runs. */
  ready(): Promise<void> {
    return this.#next(async () => {
      if (this.#client || !isWanted()) return;
      this.#client = this.#make();
      await this.#client.start();
    });
  }

  /** Has the server run a command that edits a document, and waits until it is edited. */
  async edit(document: vscode.TextDocument, command: string): Promise<void> {
    await this.ready();
    let listening: vscode.Disposable | undefined;
    const edited = new Promise<void>((resolve) => {
      listening = vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document) resolve();
      });
    });
    try {
      const request = { command, arguments: [document.uri.toString()] };
      const edit = await this.#client?.sendRequest<WorkspaceEdit | undefined>(
        'workspace/executeCommand',
        request,
      );
      // It asks VS Code for the edit and does not wait for it.
      using limit = deadline(command, editMs);
      if (edit && hasEdits(edit)) await raceSignal(edited, limit.signal);
    } finally {
      listening?.dispose();
    }
  }

  /** Requests the diagnostics of the current text; undefined without a server. */
  async diagnose(document: vscode.TextDocument): Promise<readonly vscode.Diagnostic[] | undefined> {
    await this.ready();
    const client = this.#client;
    if (!client) return undefined;
    const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
    const report = await client.sendRequest(DocumentDiagnosticRequest.type, { textDocument });
    return report.kind === 'full' ? client.protocol2CodeConverter.asDiagnostics(report.items) : [];
  }

  /** A change of a file: VS Code's own watcher reports it a moment later. */
  async hear(uri: vscode.Uri, change: PythonFileChange): Promise<void> {
    const client = this.#client;
    if (!client?.isRunning()) return;
    const event = (one: vscode.Uri, type: FileChangeType) => ({
      uri: client.code2ProtocolConverter.asUri(one),
      type,
    });
    const folder = change === 'changed' ? undefined : vscode.workspace.getWorkspaceFolder(uri)?.uri;
    const changes = [
      event(uri, changeTypes[change]),
      // It forgets a file that it has found to be gone and ignores the notification, so imports stay resolved.
      ...(folder ? [event(folder, FileChangeType.Changed)] : []),
    ];
    await client.sendNotification(DidChangeWatchedFilesNotification.type, { changes });
  }

  restart(): Promise<void> {
    void this.#stop();
    return this.ready();
  }

  dispose(): void {
    for (const one of this.#listening) one.dispose();
    void this.#stop();
  }

  #adjust(): Promise<void> {
    if (!isWanted()) return this.#stop();
    return anyPython() ? this.ready() : this.#changes.settled();
  }

  #stop(): Promise<void> {
    return this.#next(async () => {
      const client = this.#client;
      this.#client = undefined;
      await client?.dispose();
    });
  }

  #next(work: () => Promise<void>): Promise<void> {
    return this.#changes.run(work).catch((error: unknown) => {
      void vscode.window.showErrorMessage(`Python's language server: ${String(error)}`);
    });
  }

  #make(): LanguageClient {
    const server = {
      command: imagePrograms.node,
      args: [pyrightScript],
      options: { env: { ...cleanEnvironment(), NODE_OPTIONS: process.env['NODE_OPTIONS'] } },
      transport: TransportKind.stdio,
    };
    return new LanguageClient('pwp.python', 'Python', server, this.#options());
  }

  #options(): LanguageClientOptions {
    return {
      documentSelector: [{ language: 'python', scheme: 'file' }],
      synchronize: { configurationSection: ['python', 'pyright'] },
      // It publishes diagnostics by itself, which VS Code shows; it still answers requests for them.
      initializationOptions: { disablePullDiagnostics: true },
      middleware: {
        workspace: {
          configuration: async (params, token, next) => {
            const answers = await next(params, token);
            if (!Array.isArray(answers)) return answers;
            return params.items.map(({ section, scopeUri }, at) => {
              const settings: unknown = answers[at];
              return section === 'python' ? this.#withInterpreter(settings, scopeUri) : settings;
            });
          },
        },
      },
    };
  }

  /** Pyright asks for the interpreter by the name of an older setting. */
  #withInterpreter(settings: unknown, scope: string | undefined): unknown {
    const folder =
      scope === undefined ? undefined : vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(scope));
    const { path } = this.#interpreters.of(folder ?? vscode.workspace.workspaceFolders?.[0]);
    return { ...(typeof settings === 'object' ? settings : {}), pythonPath: path };
  }

  /** It then requests all of them. */
  #sendSettings(): Promise<void> {
    return this.#next(async () => {
      await this.#client?.sendNotification('workspace/didChangeConfiguration', { settings: null });
    });
  }
}

function isWanted(): boolean {
  return vscode.workspace.getConfiguration('python').get<string>('languageServer') !== 'None';
}

function anyPython(): boolean {
  return vscode.workspace.textDocuments.some(({ languageId }) => languageId === 'python');
}

function hasEdits({ documentChanges, changes }: WorkspaceEdit): boolean {
  const lists = [
    ...(documentChanges ?? []).map((one) => ('edits' in one ? one.edits : [])),
    ...Object.values(changes ?? {}),
  ];
  return lists.some((edits) => edits.length > 0);
}

/** Offers pyright's sorting of imports, which is only a command, as a code action of VS Code. */
export class ImportActions implements vscode.CodeActionProvider {
  static readonly kind = vscode.CodeActionKind.SourceOrganizeImports;

  provideCodeActions(document: vscode.TextDocument): vscode.CodeAction[] {
    const action = new vscode.CodeAction('Organize Imports', ImportActions.kind);
    action.command = {
      command: 'pwp.python.organizeImports',
      title: action.title,
      arguments: [document.uri],
    };
    return [action];
  }
}

export async function organizePythonImports(server: PyrightServer, given?: vscode.Uri): Promise<void> {
  const uri = given ?? vscode.window.activeTextEditor?.document.uri;
  if (uri) await server.edit(await vscode.workspace.openTextDocument(uri), 'pyright.organizeimports');
}
