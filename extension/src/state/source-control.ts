import * as vscode from 'vscode';
import { describeError } from '../../../bridge/lib/index.ts';
import {
  ErrorCode,
  type ide,
  type OpenRepository,
  type ParamsOut,
  type ResultOf,
  RpcError,
} from '../../../bridge/protocol/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import { clipText } from '../lib/index.ts';

const sourceControlLimits = { repositories: 50, changes: 1000, branches: 500 };

export async function readSourceControl(): Promise<ResultOf<typeof ide.sourceControl>> {
  try {
    const api = await activateGit();
    if (!api) return { repositories: [], missing: 'the git extension of VS Code is not there' };
    const { repositories } = api;
    return {
      repositories: await Promise.all(
        repositories.slice(0, sourceControlLimits.repositories).map(describeRepository),
      ),
      missing: null,
    };
  } catch (error) {
    // Its error if git itself is missing, or switched off by `git.enabled`.
    return { repositories: [], missing: clipText(describeError(error)) };
  }
}

/** Answers `ide.diff`. */
export async function readDiff({
  root,
  staged,
  maxChars,
}: ParamsOut<typeof ide.diff>): Promise<ResultOf<typeof ide.diff>> {
  const repositories = (await activateGit().catch(() => undefined))?.repositories ?? [];
  const found =
    root === undefined ? repositories[0] : repositories.find(({ rootUri }) => rootUri.toString() === root);
  if (!found) {
    const there = repositories.map(({ rootUri }) => rootUri.toString()).join(', ');
    throw new RpcError(
      ErrorCode.NotFound,
      `ide.diff: no such repository; there are: ${clip(there, 1000) || 'none'}`,
    );
  }
  const whole = await found.diff(staged);
  return { root: found.rootUri.toString(), diff: clip(whole, maxChars), truncated: whole.length > maxChars };
}

async function describeRepository(repository: GitRepository): Promise<OpenRepository> {
  await repository.status();
  const {
    HEAD: head,
    indexChanges,
    workingTreeChanges,
    untrackedChanges = [],
    mergeChanges,
  } = repository.state;
  const unstaged = [...workingTreeChanges, ...untrackedChanges];
  const branches = await repository.getBranches({ remote: false });
  const lists = [indexChanges, unstaged, mergeChanges];
  return {
    root: repository.rootUri.toString(),
    branch: head?.name ?? null,
    commit: head?.commit ?? null,
    ahead: head?.ahead ?? 0,
    behind: head?.behind ?? 0,
    staged: describeChanges(indexChanges),
    unstaged: describeChanges(unstaged),
    conflicts: describeChanges(mergeChanges),
    branches: branches.slice(0, sourceControlLimits.branches).map(({ name }) => clipText(name ?? '')),
    truncated:
      lists.some((list) => list.length > sourceControlLimits.changes) ||
      branches.length > sourceControlLimits.branches,
  };
}

function describeChanges(changes: readonly GitChange[]): OpenRepository['staged'] {
  return changes
    .slice(0, sourceControlLimits.changes)
    .map(({ uri, status }) => ({ uri: uri.toString(), status: statusNames[status] ?? `status ${status}` }));
}

/** The git extension's `Status`, in its order. */
const statusNames: readonly string[] = [
  'modified',
  'added',
  'deleted',
  'renamed',
  'copied',
  'modified',
  'deleted',
  'untracked',
  'ignored',
  'intent to add',
  'intent to rename',
  'type changed',
  'added by us',
  'added by them',
  'deleted by us',
  'deleted by them',
  'both added',
  'both deleted',
  'both modified',
];

/** The parts of the git extension's API that are used here. */
interface GitApi {
  readonly repositories: readonly GitRepository[];
  readonly onDidOpenRepository: vscode.Event<GitRepository>;
  readonly onDidCloseRepository: vscode.Event<GitRepository>;
  openRepository(root: vscode.Uri): Promise<GitRepository | null>;
}

interface GitRepository {
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

interface GitChange {
  readonly uri: vscode.Uri;
  readonly status: number;
}

/** Undefined without the extension. Rejects if git itself is missing, or switched off by `git.enabled`. */
export async function activateGit(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
  return (await extension?.activate())?.getAPI(1);
}

/** Calls `changed` when a repository is opened, closed or changed. Reading its status is not a change. */
export function watchRepositories(changed: () => void): vscode.Disposable {
  const owned: vscode.Disposable[] = [];
  let over = false;
  // Without git there is nothing to report.
  void activateGit().then(
    (api) => {
      if (!api || over) return;
      for (const repository of api.repositories) owned.push(watchRepository(repository, changed));
      owned.push(
        api.onDidOpenRepository((repository) => {
          owned.push(watchRepository(repository, changed));
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

function watchRepository({ state }: GitRepository, changed: () => void): vscode.Disposable {
  let last = digestRepository(state);
  return state.onDidChange(() => {
    const now = digestRepository(state);
    if (now === last) return;
    last = now;
    changed();
  });
}

function digestRepository(state: GitRepository['state']): string {
  const { HEAD: head, indexChanges, workingTreeChanges, untrackedChanges = [], mergeChanges } = state;
  const lists = [indexChanges, workingTreeChanges, untrackedChanges, mergeChanges];
  return JSON.stringify([
    [head?.name, head?.commit, head?.ahead, head?.behind],
    ...lists.map((list) => list.map(({ uri, status }) => `${status} ${uri.toString()}`)),
  ]);
}
