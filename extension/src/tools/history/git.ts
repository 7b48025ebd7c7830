import * as vscode from 'vscode';
import { messageOf } from '../../../../bridge/lib/index.ts';
import { toolError } from '../../../../bridge/protocol/index.ts';

/** The parts of the git extension's API that are used here. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  log(options: { readonly path: string; readonly maxEntries: number }): Promise<readonly GitCommit[]>;
  buffer(ref: string, path: string): Promise<Uint8Array>;
}

export interface GitCommit {
  readonly hash: string;
  readonly message: string;
  readonly authorName?: string;
  readonly authorDate?: Date;
  readonly commitDate?: Date;
}

interface GitApi {
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<string>;
  getRepository(uri: vscode.Uri): GitRepository | null;
  openRepository?(root: vscode.Uri): Promise<GitRepository | null>;
}

/** The repository that contains a file, or why none was found. */
export async function repositoryOf(uri: vscode.Uri): Promise<GitRepository | string> {
  const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
  if (!extension) return 'the git extension of VS Code is not there';
  try {
    const api = (await extension.activate()).getAPI(1);
    const known = api.getRepository(uri);
    if (known) return known;
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const opened = folder && (await api.openRepository?.(folder.uri));
    return opened ?? api.getRepository(uri) ?? 'it is in no git repository';
  } catch (error) {
    // Its error if git itself is missing, or switched off by `git.enabled`.
    return messageOf(error);
  }
}

/** Errors: `not-found` if there is no repository, no such commit, or the commit does not have the file. */
export async function gitBytes(uri: vscode.Uri, commit: string): Promise<Uint8Array> {
  const repository = await repositoryOf(uri);
  if (typeof repository === 'string') throw toolError('not-found', repository);
  try {
    return await repository.buffer(commit, uri.fsPath);
  } catch (cause) {
    throw toolError('not-found', `git has no ${uri.fsPath} at ${commit}`, {
      help: 'Take an id from list_history; the file may have had another name then',
      cause,
    });
  }
}
