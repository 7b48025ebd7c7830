import { messageOf } from '../../../bridge/lib/index.ts';
import {
  ErrorCode,
  RpcError,
  type ParamsOut,
  type Repository,
  type ResultOf,
  type ide,
} from '../../../bridge/protocol/index.ts';
import { clip, clipText } from '../lib/index.ts';
import { gitApi, type GitChange, type GitRepository } from './git.ts';

const most = { repositories: 50, changes: 1000, branches: 500 };

export async function sourceControl(): Promise<ResultOf<typeof ide.sourceControl>> {
  try {
    const api = await gitApi();
    if (!api) return { repositories: [], missing: 'the git extension of VS Code is not there' };
    const { repositories } = api;
    return {
      repositories: await Promise.all(repositories.slice(0, most.repositories).map(describe)),
      missing: null,
    };
  } catch (error) {
    // Its error if git itself is missing, or switched off by `git.enabled`.
    return { repositories: [], missing: clipText(messageOf(error)) };
  }
}

/** Answers `ide.diff`. */
export async function diff({
  root,
  staged,
  maxChars,
}: ParamsOut<typeof ide.diff>): Promise<ResultOf<typeof ide.diff>> {
  const repositories = (await gitApi().catch(() => undefined))?.repositories ?? [];
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
