import {
  findChanges,
  forgetOrigin,
  listOrigins,
  originArchive,
  readOrigin,
  type FoundChanges,
  type Omitted,
  type Origin,
} from '../changes/index.ts';
import { openTemporaryFolder } from '../lib/index.ts';
import type { Node } from '../node/index.ts';
import { printable } from './printable.ts';
import { forgetSteps } from './step-count.ts';
import type { Context } from './context.ts';

/** Folder of an IDE's files. */
export const workspace = '/workspace';

/** The changes that a sandbox made to the folder that it began with. */
export interface SandboxChanges extends FoundChanges {
  readonly origin: Origin & { readonly id: string };
  /** The folder that has the content of what has changed. */
  readonly contents: string;
}

/** Compares a running sandbox with what it began with. Errors: `no-such-sandbox`, `no-origin`, `too-large`. */
export async function withChanges<T>(
  { node, signal }: Context,
  id: string,
  options: { readonly includeIgnored?: true },
  run: (changes: SandboxChanges) => Promise<T>,
): Promise<T> {
  await using sandbox = await node.open(id, { signal });
  const origin = (await originOf(node, id)) ?? '';
  const began = await readOrigin(origin);
  await using folder = await openTemporaryFolder('changes');
  const contents = folder.path;
  const ignored = began.ignored || options.includeIgnored === true;
  const found = await findChanges(
    (read) => read(originArchive(origin)),
    (read) => sandbox.archive(workspace, read, { signal }),
    { contents, ignored },
  );
  // Awaited: sandbox and folder are disposed when this function returns.
  return await run({ ...found, origin: { ...began, id: origin }, contents });
}

export async function originOf(node: Node, id: string): Promise<string | null> {
  return (await node.list()).find((one) => one.id === id)?.origin ?? null;
}

/** Stops a sandbox, and removes the copy that it began with unless other sandboxes or checkpoints need it. */
export async function stopAndForget(node: Node, id: string): Promise<void> {
  const origin = await originOf(node, id);
  await node.stop(id);
  await forgetSteps(id);
  await forgetIfUnused(node, origin);
}

/** Deletes a checkpoint, and removes the copy that it began with as {@link stopAndForget} does. */
export async function deleteAndForget(node: Node, id: string): Promise<void> {
  const origin = (await node.checkpoints()).find((one) => one.id === id)?.origin ?? null;
  await node.deleteCheckpoint(id);
  await forgetIfUnused(node, origin);
}

async function forgetIfUnused(node: Node, origin: string | null): Promise<void> {
  if (origin === null || !(await listOrigins()).includes(origin)) return;
  const others = [...(await node.list()), ...(await node.checkpoints())];
  if (!others.some((one) => one.origin === origin)) await forgetOrigin(origin);
}

const reasons: Readonly<Record<Omitted['why'], string>> = {
  git: 'in .git, where files can run programs',
  ignored: 'named in .gitignore or .pwpignore; --include-ignored takes it',
  name: 'a name that is not valid on this machine',
  special: 'a pipe, a socket or a device',
};

/** For people: paths in the sandbox that were left out. */
export function omittedLines(omitted: readonly Omitted[]): string[] {
  return (['git', 'ignored', 'name', 'special'] as const).flatMap((why) => {
    const paths = omitted.filter((one) => one.why === why).map(({ path }) => printable(path));
    if (paths.length === 0) return [];
    return [`Left out: ${named(paths)} (${reasons[why]})`];
  });
}

/** Names the first paths and counts the rest. */
export function named(paths: readonly string[], most = 8): string {
  return paths.length > most
    ? `${paths.slice(0, most).join(', ')} and ${paths.length - most} more`
    : paths.join(', ');
}
