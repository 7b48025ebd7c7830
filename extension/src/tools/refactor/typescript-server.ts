import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { deadline, LspMessageReader, raceSignal } from '../../../../bridge/lib/index.ts';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { clip } from '../../../../bridge/text/index.ts';

/** Maximum time for one question to the server, including loading the project, in milliseconds. */
const typeScriptAnswerMs = 60_000;

interface TypeScriptAnswer {
  readonly type: string;
  readonly request_seq?: number;
  readonly success?: boolean;
  readonly message?: string;
  readonly body?: unknown;
}

/**
 * Our own TypeScript server, of VS Code's version: VS Code's extension does not pass on requests that need a target, such
 * as moving a symbol, but asks the person for it. Knows unsaved text. Dispose it.
 */
export class TypeScriptServer implements Disposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #pending = new Map<number, (answer: TypeScriptAnswer) => void>();
  readonly #gone: Promise<never>;
  #seq = 0;

  private constructor(server: string) {
    // Options that save memory in the IDE don't suit a server that loads a project.
    const env = { ...process.env, NODE_OPTIONS: undefined };
    this.#child = spawn(
      process.execPath,
      [
        server,
        '--disableAutomaticTypingAcquisition',
        '--suppressDiagnosticEvents',
        '--useInferredProjectPerProjectRoot',
      ],
      {
        env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
      },
    );
    const frames = new LspMessageReader((message) => this.#onMessage(message as TypeScriptAnswer));
    this.#child.stdout.on('data', (chunk: Buffer) => frames.add(chunk));
    this.#child.stderr.resume();
    this.#child.stdin.on('error', () => undefined);
    this.#gone = new Promise((_resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('exit', () => reject(toolError('failed', 'the TypeScript server ended')));
    });
    this.#gone.catch(() => undefined);
  }

  /** Errors: `no-language-server` if VS Code's TypeScript is missing. */
  static start(): TypeScriptServer {
    const extension = vscode.extensions.getExtension('vscode.typescript-language-features');
    const path = extension && join(extension.extensionPath, '../node_modules/typescript/lib/tsserver.js');
    if (path === undefined || !existsSync(path))
      throw toolError('no-language-server', "VS Code's own TypeScript server is not there");
    const server = new TypeScriptServer(path);
    server.#send('configure', {
      preferences: { allowTextChangesInNewFiles: true, allowRenameOfImportPath: true },
    });
    for (const document of vscode.workspace.textDocuments)
      if (document.isDirty && isScript(document.uri.fsPath)) server.#open(document.uri, document.getText());
    return server;
  }

  /** Opens files so that their projects are loaded; files of one folder without a project form one together. */
  openAll(uris: readonly vscode.Uri[]): void {
    const unique = new Map(uris.map((uri) => [uri.fsPath, uri]));
    for (const uri of unique.values()) if (!isUnsaved(uri)) this.#open(uri);
  }

  /** @param text unsaved text of the file */
  #open(uri: vscode.Uri, text?: string): void {
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
    this.#send('open', {
      file: uri.fsPath,
      ...(root !== undefined && { projectRootPath: root }),
      ...(text !== undefined && { fileContent: text }),
    });
  }

  /** Errors: `language-server-timeout`, `refactor-refused` with the server's words. */
  async ask(command: string, given: object, signal: AbortSignal): Promise<unknown> {
    using limit = deadline(command, typeScriptAnswerMs, signal);
    const seq = this.#send(command, given);
    const answered = new Promise<TypeScriptAnswer>((resolve) => this.#pending.set(seq, resolve));
    try {
      const answer = await raceSignal(Promise.race([answered, this.#gone]), limit.signal);
      if (answer.success === true) return answer.body;
      throw toolError('refactor-refused', `TypeScript: ${clip(answer.message ?? 'no', 1000)}`);
    } catch (error) {
      signal.throwIfAborted();
      if (!limit.signal.aborted) throw error;
      throw toolError(
        'language-server-timeout',
        `TypeScript did not answer ${command} within ${typeScriptAnswerMs} ms`,
      );
    } finally {
      this.#pending.delete(seq);
    }
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
  }

  #send(command: string, given: object): number {
    this.#seq += 1;
    this.#child.stdin.write(
      `${JSON.stringify({ seq: this.#seq, type: 'request', command, arguments: given })}\n`,
    );
    return this.#seq;
  }

  #onMessage(answer: TypeScriptAnswer): void {
    if (answer.type === 'response' && answer.request_seq !== undefined)
      this.#pending.get(answer.request_seq)?.(answer);
  }
}

function isUnsaved(uri: vscode.Uri): boolean {
  return vscode.workspace.textDocuments.some((one) => one.isDirty && one.uri.fsPath === uri.fsPath);
}

/** A file of a language that TypeScript's server knows. */
export function isScript(path: string): boolean {
  return /\.(?:[cm]?[jt]s|[jt]sx)$/.test(path);
}

/** A place in TypeScript's own protocol: both numbers count from 1. */
interface TsPlace {
  readonly line: number;
  readonly offset: number;
}

interface TsSpan {
  readonly start: TsPlace;
  readonly end: TsPlace;
}

/** TypeScript's changes of one file. */
export interface FileCodeEdits {
  readonly fileName: string;
  readonly textChanges: readonly (TsSpan & { readonly newText: string })[];
}

/** Part of TypeScript's outline of a file. */
export interface NavigationItem {
  readonly text: string;
  readonly spans: readonly TsSpan[];
  readonly nameSpan?: TsSpan;
  readonly childItems?: readonly NavigationItem[];
}

export function convertEdits(files: readonly FileCodeEdits[]): [vscode.Uri, vscode.TextEdit[]][] {
  return files.map(({ fileName, textChanges }) => [
    vscode.Uri.file(fileName),
    textChanges.map(({ start, end, newText }) => {
      const place = ({ line, offset }: TsPlace) =>
        new vscode.Position(Math.max(0, line - 1), Math.max(0, offset - 1));
      return vscode.TextEdit.replace(new vscode.Range(place(start), place(end)), newText);
    }),
  ]);
}

/** The top-level item whose name is at a position. */
export function findNavigationItem(
  tree: NavigationItem,
  line: number,
  offset: number,
): NavigationItem | undefined {
  return tree.childItems?.find(({ nameSpan }) => {
    if (!nameSpan || nameSpan.start.line !== line) return false;
    return nameSpan.start.offset <= offset && offset <= nameSpan.end.offset;
  });
}
