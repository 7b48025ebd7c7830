import * as vscode from 'vscode';
import {
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DocumentDiagnosticRequest,
  DocumentSymbolRequest,
  FileChangeType,
  LanguageClient,
  type LanguageClientOptions,
  type Message,
  State,
} from 'vscode-languageclient/node';
import { deadline, describeError, SerialQueue } from '../../../bridge/lib/index.ts';
import { writeCompileDatabase } from './compile-database.ts';
import type { ServerManifest } from './language-manifest.ts';
import { ServerReports } from './server-reports.ts';

export type FileChange = 'created' | 'changed' | 'deleted';

const changeTypes = {
  created: FileChangeType.Created,
  changed: FileChangeType.Changed,
  deleted: FileChangeType.Deleted,
} as const;

/** How long to wait for a server to read a project before asking it anyway, in milliseconds. */
const loadMs = 60_000;
/** A server that does not repeat its report on an unchanged text is asked again after this many milliseconds. */
const silentMs = 3000;

interface Running {
  readonly client: LanguageClient;
  readonly reports: ServerReports;
}

/** Clangd's report on a file. */
interface FileStatus {
  readonly uri: string;
  readonly state: string;
}

/** The server of one language, from its first document on. */
export class LanguageServer implements vscode.Disposable {
  readonly #id: string;
  readonly #manifest: ServerManifest;
  readonly #storage: vscode.Uri | undefined;
  readonly #listening: vscode.Disposable[];
  #running: Running | undefined;
  /** Why no server runs, after an attempt to start it. */
  #failure: string | undefined;
  /** Its start options have changed: it is restarted before the next question. */
  #outdated = false;
  /** Queue of starts and stops. */
  readonly #changes = new SerialQueue();

  constructor(id: string, manifest: ServerManifest, storage: vscode.Uri | undefined) {
    this.#id = id;
    this.#manifest = manifest;
    this.#storage = storage;
    this.#listening = [
      vscode.workspace.onDidOpenTextDocument(({ languageId }) => {
        if (manifest.languages.includes(languageId)) void this.ready();
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#outside(uri)),
      vscode.workspace.onDidChangeTextDocument(({ document: { uri } }) => this.#outside(uri)),
      ...(manifest.compileDatabase ? [this.#watchProject()] : []),
    ];
    const isOpen = vscode.workspace.textDocuments.some(({ languageId }) =>
      manifest.languages.includes(languageId),
    );
    if (isOpen) void this.ready();
  }

  /** Resolves when it answers and has read the project, or with the reason why it does not run. */
  async ready(): Promise<string | undefined> {
    await this.#next(async () => {
      // An abandoned client stays stopped, and would answer all questions with nothing.
      if (this.#outdated || this.#running?.client.state === State.Stopped) await this.#end();
      this.#outdated = false;
      this.#running ??= await this.#begin();
      if (this.#manifest.reportsStatus) await awaitQuiet(this.#running.reports);
    });
    return this.#running ? undefined : (this.#failure ?? 'it was ended');
  }

  /** Waits until the shown diagnostics are about the current text. Rejects if no server runs. */
  async check(document: vscode.TextDocument): Promise<void> {
    const failure = await this.ready();
    if (!this.#running) throw new Error(`the server of ${this.#manifest.name} does not run: ${failure}`);
    using limit = deadline(`the report of ${this.#manifest.name}`, loadMs);
    const { signal } = limit;
    const { client, reports } = this.#running;
    if (this.#manifest.reports === 'version') await this.#checkVersion(document, this.#running, signal);
    if (this.#manifest.reports === 'pull') {
      if (!document.isDirty) await runCompiler(document, this.#running, signal);
      const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
      await client.sendRequest(DocumentDiagnosticRequest.type, { textDocument });
    }
    if (this.#manifest.reports === 'progress') {
      // It handles messages in order: when it answers, it has begun to check earlier changes.
      const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
      await client.sendRequest(DocumentSymbolRequest.type, { textDocument });
      await reports.until(() => reports.isIdle, signal);
    }
  }

  /** A change of a file: VS Code's own watcher reports it a moment later. */
  async hear(uri: vscode.Uri, change: FileChange): Promise<void> {
    const running = this.#running;
    if (!running?.client.isRunning()) return;
    this.#outside(uri);
    const isOpen = vscode.workspace.textDocuments.some((one) => one.uri.toString() === uri.toString());
    // Its index has files as they were when indexing began.
    if (this.#manifest.compileDatabase && (!isOpen || change !== 'changed')) this.#outdated = true;
    const event = { uri: running.client.code2ProtocolConverter.asUri(uri), type: changeTypes[change] };
    await running.client.sendNotification(DidChangeWatchedFilesNotification.type, { changes: [event] });
  }

  dispose(): void {
    for (const one of this.#listening) one.dispose();
    void this.#next(() => this.#end());
  }

  async #checkVersion(
    document: vscode.TextDocument,
    { client, reports }: Running,
    signal: AbortSignal,
  ): Promise<void> {
    const uri = document.uri.toString();
    const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
    const isAbout = () => reports.isAbout(uri, document.version);
    if (isAbout() && reports.isVerified(uri)) return;
    const moment = reports.now;
    // It first reports on a text with the headers that it read earlier, then with the current ones.
    await client.sendNotification(DidChangeTextDocumentNotification.method, {
      textDocument: { ...textDocument, version: document.version },
      contentChanges: [],
      wantDiagnostics: true,
      forceRebuild: true,
    });
    // Answered once it has begun that check.
    await client.sendRequest(DocumentSymbolRequest.type, { textDocument });
    await reports.until(() => reports.isDone(uri) && isAbout(), signal);
    reports.verified(uri, moment);
  }

  /** After a change of one file, others may have other problems. */
  #outside({ fsPath }: vscode.Uri): void {
    if (this.#manifest.languages.length > 0 && !fsPath.includes('/.git/')) this.#running?.reports.outside();
  }

  /** Files that specify how a project is built. */
  #watchProject(): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher('**/{compile_commands.json,compile_flags.txt}');
    const outdate = () => (this.#outdated = true);
    watcher.onDidCreate(outdate);
    watcher.onDidChange(outdate);
    watcher.onDidDelete(outdate);
    return watcher;
  }

  #next(work: () => Promise<void>): Promise<void> {
    return this.#changes.run(work).then(
      () => void (this.#failure = undefined),
      (error: unknown) => void (this.#failure = describeError(error)),
    );
  }

  async #end(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    // A server that ended by itself can't be stopped, and reports that.
    await running?.client.dispose().catch(() => undefined);
  }

  async #begin(): Promise<Running> {
    const { command, args, compileDatabase, name } = this.#manifest;
    const database = compileDatabase && this.#storage ? await writeCompileDatabase(this.#storage) : undefined;
    const reports = new ServerReports();
    // Without a transport: the client would add `--stdio`, which not all servers know.
    const server = {
      command,
      args: [...args, ...(database === undefined ? [] : [`--compile-commands-dir=${database}`])],
      options: { env: this.#environment() },
    };
    const client = new LanguageClient(this.#id, name, server, this.#options(reports));
    if (this.#manifest.reportsStatus) followStatus(client, reports);
    client.onNotification('textDocument/clangd.fileStatus', ({ uri, state }: FileStatus) =>
      reports.fileState(vscode.Uri.parse(uri).toString(), state),
    );
    await client.start();
    if (database !== undefined) await awaitIndex(reports);
    return { client, reports };
  }

  #environment(): NodeJS.ProcessEnv {
    const own = /^(?:VSCODE_|ELECTRON_|NODE_OPTIONS$|NODE_CHANNEL|NODE_EXEC_PATH$|MALLOC_ARENA_MAX$|PWP_)/;
    const clean = Object.entries(process.env).filter(([name]) => !own.test(name));
    return { ...Object.fromEntries(clean), ...this.#manifest.env };
  }

  #options(reports: ServerReports): LanguageClientOptions {
    const { languages, section, settings, initializationOptions } = this.#manifest;
    return {
      documentSelector: languages.map((language) => ({ language, scheme: 'file' })),
      initializationOptions,
      // The next question starts it again.
      initializationFailedHandler: () => false,
      connectionOptions: {
        messageStrategy: {
          handleMessage: (message, next) => {
            noteMessage(message, reports);
            return next(message);
          },
        },
      },
      middleware: {
        handleDiagnostics: (uri, diagnostics, next) => {
          next(uri, diagnostics);
          reports.shown(uri.toString());
        },
        handleWorkDoneProgress: (token, params, next) => {
          reports.work(token, params.kind);
          // A message for each typed key would only make the status bar flicker.
          if (params.kind === 'end') next(token, params);
        },
        workspace: {
          configuration: async (params, token, next) => {
            const answers = await next(params, token);
            if (!Array.isArray(answers)) return answers;
            return params.items.map((item, at) => {
              const own: unknown = answers[at];
              if (item.section !== section) return own;
              return { ...settings, ...(typeof own === 'object' ? own : {}) };
            });
          },
        },
      },
    };
  }
}

/** The server reports when it has read the project, and when it reads it again. */
function followStatus(client: LanguageClient, reports: ServerReports): void {
  client.registerFeature({
    fillClientCapabilities: (capabilities) => {
      capabilities.experimental = {
        ...(capabilities.experimental as object),
        serverStatusNotification: true,
      };
    },
    initialize: () => undefined,
    getState: () => ({ kind: 'static' }),
    clear: () => undefined,
  });
  client.onNotification('experimental/serverStatus', ({ quiescent }: { readonly quiescent: boolean }) =>
    reports.status(quiescent),
  );
}

/** The compiler reads the disk. A file outside of any project is not compiled. */
async function runCompiler(
  document: vscode.TextDocument,
  { client, reports }: Running,
  signal: AbortSignal,
): Promise<void> {
  const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
  const { begun } = reports.checks;
  await client.sendNotification('rust-analyzer/runFlycheck', { textDocument });
  using silent = deadline('the start of the compiler', silentMs, signal);
  const runs = await reports
    .until(() => reports.checks.begun > begun, silent.signal)
    .then(
      () => true,
      () => false,
    );
  signal.throwIfAborted();
  if (runs) await reports.until(() => reports.checks.begun === reports.checks.ended, signal);
}

async function awaitQuiet(reports: ServerReports): Promise<void> {
  using limit = deadline('the project', loadMs);
  await reports.until(() => reports.isQuiet, limit.signal).catch(() => undefined);
}

/** A new index is complete when the first piece of work has ended; one that was read from disk is complete at once. */
async function awaitIndex(reports: ServerReports): Promise<void> {
  using limit = deadline('the index', loadMs);
  await reports.until(() => reports.worksEnded > 0 && reports.isIdle, limit.signal).catch(() => undefined);
}

function noteMessage(message: Message, reports: ServerReports): void {
  const { method, params } = message as { readonly method?: string; readonly params?: unknown };
  if (method !== 'textDocument/publishDiagnostics') return;
  const { uri, version } = params as { readonly uri: string; readonly version?: number };
  reports.received(vscode.Uri.parse(uri).toString(), version);
}
