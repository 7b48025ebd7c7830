import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type Command, Option } from 'commander';
import { PwpError, type PwpErrorCode } from '../../../../bridge/lib/index.ts';
import { Session } from '../../../ide/index.ts';
import type { CheckpointInfo, CheckpointKind, Node, Sandbox } from '../../../node/index.ts';
import { withNode, withNodeHolding } from '../context.ts';
import { deleteAndForget, findOriginId } from '../copied-folder.ts';
import { parseCount } from '../options.ts';
import { print, printJson, withProgramName } from '../output.ts';
import { checkpointTree, sizeText } from '../tables.ts';

interface CheckpointOptions {
  readonly json?: boolean;
}

interface TakeCheckpointOptions extends CheckpointOptions {
  readonly name?: string;
  readonly kind?: CheckpointKind;
}

interface RestoreCheckpointOptions extends CheckpointOptions {
  readonly yes?: boolean;
}

interface ForkCheckpointOptions extends CheckpointOptions {
  readonly number: number;
}

export function addCheckpointCommand(program: Command): void {
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
    .action(takeCheckpoint);
}

export function addRestoreCommand(program: Command): void {
  program
    .command('restore')
    .description('return a running sandbox to a checkpoint, in place')
    .argument('<sandbox>', 'id of a running sandbox')
    .argument('<checkpoint>', 'id of a checkpoint')
    .option('--yes', 'do not ask when the checkpoint is of another task or folder')
    .option('--json', 'print as JSON')
    .action(restoreCheckpoint);
}

export function addForkCommand(program: Command): void {
  program
    .command('fork')
    .description('start new sandboxes from a checkpoint and leave them running')
    .argument('<checkpoint>', 'id of a checkpoint')
    .option('-n, --number <n>', 'number of sandboxes', parseCount, 1)
    .option('--json', 'print as JSON')
    .action(forkCheckpoint);
}

async function takeCheckpoint(
  id: string,
  { json = false, ...options }: TakeCheckpointOptions,
): Promise<void> {
  await withNodeHolding(id, async ({ node, signal }) => {
    await using sandbox = await node.open(id, { signal });
    const info = await sandbox.checkpoint({ ...options, signal });
    print(info, json, () => takenText(info));
  });
}

function takenText({ id, kind, frozenMs, bytes }: CheckpointInfo): string {
  const what = kind === 'live' ? 'programs and files' : 'only files: a restore starts programs again';
  return `${id} saved: ${what} (${kind}; frozen for ${Math.round(frozenMs)} ms, ${sizeText(bytes)})`;
}

async function restoreCheckpoint(
  id: string,
  checkpoint: string,
  { json = false, yes = false }: RestoreCheckpointOptions,
): Promise<void> {
  await withNodeHolding(id, async ({ node, signal }) => {
    await using sandbox = await node.open(id, { signal });
    if (!yes) await confirmOtherOrigin(node, id, checkpoint, signal);
    using session = new Session(sandbox);
    const start = performance.now();
    const restoring = session.restore(checkpoint, { signal });
    const { number: observation } = await restoring.catch((error: unknown) =>
      explainOtherContainer(error, node, id, checkpoint),
    );
    const ms = Math.round(performance.now() - start);
    const result = { id, checkpoint, ms, observation };
    print(result, json, () => `${id} returned to ${checkpoint} after ${ms} ms; earlier marks are stale`);
  });
}

/** Each container in Docker has its own checkpoints, but lists those of all. */
async function explainOtherContainer(
  error: unknown,
  node: Node,
  id: string,
  checkpoint: string,
): Promise<never> {
  const isMissing = error instanceof PwpError && error.code === 'no-such-checkpoint';
  if (!isMissing || !(await node.checkpoints()).some((one) => one.id === checkpoint)) throw error;
  throw new PwpError('no-such-checkpoint', `${checkpoint} is in another container than ${id}`, {
    help: `Start a new sandbox from it: pwp fork ${checkpoint}`,
    cause: error,
  });
}

/** A restore would replace the sandbox's files by those of an unrelated checkpoint. */
async function confirmOtherOrigin(
  node: Node,
  id: string,
  checkpoint: string,
  signal: AbortSignal,
): Promise<void> {
  const known = (await node.checkpoints()).find((one) => one.id === checkpoint);
  const origin = await findOriginId(node, id);
  if (!known?.origin || origin === null || known.origin === origin) return;
  const what = `${checkpoint} began as ${known.origin}, with other files than ${id}, which would be gone`;
  const help = 'Nothing was changed. Restore it with --yes, or start a new sandbox: pwp fork <checkpoint>';
  await confirmAtTerminal({ what, code: 'checkpoint-other-origin', help }, signal);
}

async function forkCheckpoint(id: string, { number, json = false }: ForkCheckpointOptions): Promise<void> {
  await withNodeHolding(id, async ({ node, signal }) => {
    const start = performance.now();
    const sandboxes = await forkAll(node, id, number, signal);
    const ms = Math.round(performance.now() - start);
    print({ checkpoint: id, sandboxes: sandboxes.map((each) => ({ id: each })), ms }, json, () =>
      [
        ...sandboxes,
        withProgramName(`ready after ${ms} ms; end them with: pwp down ${sandboxes.join(' ')}`),
      ].join('\n'),
    );
  });
}

/** All or none. */
async function forkAll(node: Node, id: string, number: number, signal: AbortSignal): Promise<string[]> {
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

interface CheckpointsOptions {
  readonly json?: boolean;
}

export function addCheckpointsCommand(program: Command): void {
  const checkpoints = program
    .command('checkpoints')
    .description('list, delete, export and import checkpoints of sandboxes');
  checkpoints
    .command('list', { isDefault: true })
    .description('list all checkpoints, each below its parent')
    .option('--json', 'print as JSON')
    .action(listCheckpoints);
  checkpoints
    .command('delete')
    .description('delete checkpoints')
    .argument('<checkpoint...>', 'ids of checkpoints')
    .option('--json', 'print as JSON')
    .action(removeCheckpoints);
  checkpoints
    .command('export')
    .description('write a checkpoint to one file')
    .argument('<checkpoint>', 'id of a checkpoint')
    .argument('<file>', 'the file to write')
    .option('--json', 'print as JSON')
    .action(exportCheckpoint);
  checkpoints
    .command('import')
    .description('read a checkpoint from an exported file')
    .argument('<file>', 'the exported file')
    .option('--json', 'print as JSON')
    .action(importCheckpoint);
}

async function listCheckpoints({ json = false }: CheckpointsOptions): Promise<void> {
  await withNode(async ({ node }) => {
    const all = await node.checkpoints();
    print(all, json, () => checkpointsText(all));
  });
}

function checkpointsText(all: readonly CheckpointInfo[]): string {
  if (all.length === 0) return 'no checkpoints';
  const bytes = all.reduce((sum, one) => sum + one.bytes, 0);
  return `${checkpointTree(all, new Date())}\n${all.length} in total, ${sizeText(bytes)}`;
}

async function removeCheckpoints(ids: string[], { json }: CheckpointsOptions): Promise<void> {
  for (const id of ids) await withNodeHolding(id, ({ node }) => deleteAndForget(node, id));
  if (json) printJson(ids.map((id) => ({ id })));
}

async function exportCheckpoint(id: string, to: string, { json }: CheckpointsOptions): Promise<void> {
  const file = resolve(to);
  await withNodeHolding(id, ({ node, signal }) => node.exportCheckpoint(id, file, { signal }));
  if (json) printJson({ id, file });
}

async function importCheckpoint(file: string, { json = false }: CheckpointsOptions): Promise<void> {
  await withNode(async ({ node, signal }) => {
    const info = await node.importCheckpoint(resolve(file), { signal });
    print(info, json, () => info.id);
  });
}

interface Confirmation {
  /** The pending change, as one sentence. */
  readonly what: string;
  /** Code of the error if there is no terminal to ask at. */
  readonly code: PwpErrorCode;
  readonly help: string;
}

/** Asks a person at a terminal. Errors: `code` if there is no terminal; `cancelled` for any answer but yes. */
async function confirmAtTerminal({ what, code, help }: Confirmation, signal: AbortSignal): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw new PwpError(code, what, { help });
  using terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${what}. Continue? [y/N] `, { signal });
  if (!/^y(es)?$/i.test(answer.trim())) throw new PwpError('cancelled', 'nothing was changed');
}
