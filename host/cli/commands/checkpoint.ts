import { Option, type Command } from 'commander';
import { PwpError } from '../../../bridge/lib/index.ts';
import { Session } from '../../env/index.ts';
import type { CheckpointInfo, CheckpointKind, Node, Sandbox } from '../../node/index.ts';
import { originOf } from '../changes.ts';
import { confirm } from '../confirm.ts';
import { withNodeOf } from '../context.ts';
import { count } from '../options.ts';
import { print } from '../output.ts';
import { asTyped } from '../program-name.ts';
import { sizeText } from '../tree.ts';

interface Json {
  readonly json?: boolean;
}

interface TakeOptions extends Json {
  readonly name?: string;
  readonly kind?: CheckpointKind;
}

interface RestoreOptions extends Json {
  readonly yes?: boolean;
}

interface ForkOptions extends Json {
  readonly number: number;
}

export function addCheckpoint(program: Command): void {
  program
    .command('checkpoint')
    .description('save a running sandbox with its programs, unsaved text and files')
    .argument('<sandbox>', 'id of a running sandbox')
    .option('--name <words>', 'a name for people')
    .addOption(
      new Option('--kind <kind>', "default: the best kind on this machine; see 'pwp doctor'").choices([
        'live',
        'disk',
      ]),
    )
    .option('--json', 'print as JSON')
    .action(take);
}

export function addRestore(program: Command): void {
  program
    .command('restore')
    .description('return a running sandbox to a checkpoint, in place')
    .argument('<sandbox>', 'id of a running sandbox')
    .argument('<checkpoint>', 'id of a checkpoint')
    .option('--yes', 'do not ask when the checkpoint is of another task or folder')
    .option('--json', 'print as JSON')
    .action(restore);
}

export function addFork(program: Command): void {
  program
    .command('fork')
    .description('start new sandboxes from a checkpoint and leave them running')
    .argument('<checkpoint>', 'id of a checkpoint')
    .option('-n, --number <n>', 'number of sandboxes', count, 1)
    .option('--json', 'print as JSON')
    .action(fork);
}

async function take(id: string, { json = false, ...options }: TakeOptions): Promise<void> {
  await withNodeOf(id, async ({ node, signal }) => {
    await using sandbox = await node.open(id, { signal });
    const info = await sandbox.checkpoint({ ...options, signal });
    print(info, json, () => taken(info));
  });
}

function taken({ id, kind, frozenMs, bytes }: CheckpointInfo): string {
  const what = kind === 'live' ? 'programs and files' : 'only files: a restore starts programs again';
  return `${id} saved: ${what} (${kind}; frozen for ${Math.round(frozenMs)} ms, ${sizeText(bytes)})`;
}

async function restore(
  id: string,
  checkpoint: string,
  { json = false, yes = false }: RestoreOptions,
): Promise<void> {
  await withNodeOf(id, async ({ node, signal }) => {
    await using sandbox = await node.open(id, { signal });
    if (!yes) await askIfOther(node, id, checkpoint, signal);
    using session = new Session(sandbox);
    const start = performance.now();
    const restoring = session.restore(checkpoint, { signal });
    const { number: observation } = await restoring.catch((error: unknown) =>
      explainPlace(error, node, id, checkpoint),
    );
    const ms = Math.round(performance.now() - start);
    const result = { id, checkpoint, ms, observation };
    print(result, json, () => `${id} returned to ${checkpoint} after ${ms} ms; earlier marks are stale`);
  });
}

/** Each container in Docker has its own checkpoints, but lists those of all. */
async function explainPlace(error: unknown, node: Node, id: string, checkpoint: string): Promise<never> {
  const isMissing = error instanceof PwpError && error.code === 'no-such-checkpoint';
  if (!isMissing || !(await node.checkpoints()).some((one) => one.id === checkpoint)) throw error;
  throw new PwpError('no-such-checkpoint', `${checkpoint} is in another container than ${id}`, {
    help: `Start a new sandbox from it: pwp fork ${checkpoint}`,
    cause: error,
  });
}

/** A restore would replace the sandbox's files by those of an unrelated checkpoint. */
async function askIfOther(node: Node, id: string, checkpoint: string, signal: AbortSignal): Promise<void> {
  const known = (await node.checkpoints()).find((one) => one.id === checkpoint);
  const origin = await originOf(node, id);
  if (!known?.origin || origin === null || known.origin === origin) return;
  const what = `${checkpoint} began as ${known.origin}, with other files than ${id}, which would be gone`;
  const help = 'Nothing was changed. Restore it with --yes, or start a new sandbox: pwp fork <checkpoint>';
  await confirm({ what, code: 'checkpoint-other-origin', help }, signal);
}

async function fork(id: string, { number, json = false }: ForkOptions): Promise<void> {
  await withNodeOf(id, async ({ node, signal }) => {
    const start = performance.now();
    const sandboxes = await forks(node, id, number, signal);
    const ms = Math.round(performance.now() - start);
    print({ checkpoint: id, sandboxes: sandboxes.map((each) => ({ id: each })), ms }, json, () =>
      [...sandboxes, asTyped(`ready after ${ms} ms; end them with: pwp down ${sandboxes.join(' ')}`)].join(
        '\n',
      ),
    );
  });
}

/** All or none. */
async function forks(node: Node, id: string, number: number, signal: AbortSignal): Promise<string[]> {
  const ends = await Promise.allSettled(Array.from({ length: number }, () => forkOne(node, id, signal)));
  const made = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  const failed = ends.find((end) => end.status === 'rejected');
  if (!failed) return made.map((sandbox) => sandbox.id);
  await Promise.allSettled(made.map((sandbox) => sandbox.stop()));
  throw failed.reason;
}

async function forkOne(node: Node, id: string, signal: AbortSignal): Promise<Sandbox> {
  const sandbox = await node.fork(id, { name: 'fork', keep: true, signal });
  try {
    await sandbox.ready({ signal });
    return sandbox;
  } catch (error) {
    await sandbox.stop();
    throw error;
  }
}
