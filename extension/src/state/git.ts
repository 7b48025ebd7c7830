import * as vscode from 'vscode';

/** The parts of the git extension's API that are used here. */
export interface GitApi {
  readonly repositories: readonly GitRepository[];
  readonly onDidOpenRepository: vscode.Event<GitRepository>;
  readonly onDidCloseRepository: vscode.Event<GitRepository>;
  openRepository(root: vscode.Uri): Promise<GitRepository | null>;
}

export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly HEAD:
      | {
          readonly name?: string;
          readonly commit?: string;
          readonly ahead?: number;
          readonly behind?: number;
        }
      | undefined;
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    readonly untrackedChanges?: readonly GitChange[];
    readonly mergeChanges: readonly GitChange[];
    readonly onDidChange: vscode.Event<void>;
  };
  status(): Promise<void>;
  diff(cached?: boolean): Promise<string>;
  getBranches(query: { readonly remote: boolean }): Promise<readonly { readonly name?: string }[]>;
}

export interface GitChange {
  readonly uri: vscode.Uri;
  readonly status: number;
}

/** Undefined without the extension. Rejects if git itself is missing, or switched off by `git.enabled`. */
export async function gitApi(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
  return (await extension?.activate())?.getAPI(1);
}

/** Calls `changed` when a repository is opened, closed or changed. Reading its status is not a change. */
export function onRepositories(changed: () => void): vscode.Disposable {
  const owned: vscode.Disposable[] = [];
  let over = false;
  // Without git there is nothing to report.
  void gitApi().then(
    (api) => {
      if (!api || over) return;
      for (const repository of api.repositories) owned.push(follow(repository, changed));
      owned.push(
        api.onDidOpenRepository((repository) => {
          owned.push(follow(repository, changed));
          changed();
        }),
        api.onDidCloseRepository(changed),
      );
    },
    () => undefined,
  );
  return {
    dispose() {
      over = true;
      for (const one of owned) one.dispose();
    },
  };
}

function follow({ state }: GitRepository, changed: () => void): vscode.Disposable {
  let last = digest(state);
  return state.onDidChange(() => {
    const now = digest(state);
    if (now === last) return;
    last = now;
    changed();
  });
}

function digest(state: GitRepository['state']): string {
  const { HEAD: head, indexChanges, workingTreeChanges, untrackedChanges = [], mergeChanges } = state;
  const lists = [indexChanges, workingTreeChanges, untrackedChanges, mergeChanges];
  return JSON.stringify([
    [head?.name, head?.commit, head?.ahead, head?.behind],
    ...lists.map((list) => list.map(({ uri, status }) => `${status} ${uri.toString()}`)),
  ]);
}
