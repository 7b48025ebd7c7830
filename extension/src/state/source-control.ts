import * as vscode from 'vscode';
import { messageOf } from '../../../bridge/lib/index.ts';
import type { Repository, ResultOf, ide } from '../../../bridge/protocol/index.ts';
import { clipText } from './clip.ts';

/** What VS Code's own git extension offers to others, as far as it is used here. */
interface GitApi {
  readonly repositories: readonly GitRepository[];
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
  };
  status(): Promise<void>;
  getBranches(query: { readonly remote: boolean }): Promise<readonly { readonly name?: string }[]>;
}

interface GitChange {
  readonly uri: vscode.Uri;
  readonly status: number;
}

const most = { repositories: 50, changes: 1000, branches: 500 };

export async function sourceControl(): Promise<ResultOf<typeof ide.sourceControl>> {
  const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
  if (!extension) return { repositories: [], missing: 'the git extension of VS Code is not there' };
  try {
    const { repositories } = (await extension.activate()).getAPI(1);
    return {
      repositories: await Promise.all(repositories.slice(0, most.repositories).map(describe)),
      missing: null,
    };
  } catch (error) {
    // So it says when git itself is missing, or switched off by `git.enabled`.
    return { repositories: [], missing: clipText(messageOf(error)) };
  }
}

async function describe(repository: GitRepository): Promise<Repository> {
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
    staged: plain(indexChanges),
    unstaged: plain(unstaged),
    conflicts: plain(mergeChanges),
    branches: branches.slice(0, most.branches).map(({ name }) => clipText(name ?? '')),
    truncated: lists.some((list) => list.length > most.changes) || branches.length > most.branches,
  };
}

function plain(changes: readonly GitChange[]): Repository['staged'] {
  return changes
    .slice(0, most.changes)
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
