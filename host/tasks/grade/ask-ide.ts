import { deadline, describeError, PwpError } from '../../../bridge/lib/index.ts';
import { debugTools, ide as ideMethods, toolMethods } from '../../../bridge/protocol/index.ts';
import { defaultLimits, type Node, type Sandbox, type Seed, type StreamedSeed } from '../../node/index.ts';
import { makeTextEntry, packArchive, type Task, type TaskSeed } from '../format/index.ts';
import { packInstalledExtensions } from './grading-seeds.ts';
import { isNodeLost } from './verdict.ts';

export interface AskIdeOptions {
  readonly node: Node;
  /** The agent's sandbox. */
  readonly sandbox: Sandbox;
  readonly task: Task;
  readonly signal: AbortSignal;
}

const browserProfile = '/desk-profile';
/**
 * Data alone. A service worker or a cached page, which an agent could have had installed by a server of its own in the
 * place of code-server, would answer for the workbench.
 */
const keptProfilePaths = ['chromium/Default/IndexedDB'];

/** Milliseconds until an IDE must have started and answered. */
const askMs = 180_000;
const settleCapMs = 10_000;

/**
 * State that only an IDE can report about what the agent left, as a file for the checks; undefined if the task doesn't
 * ask. A pristine IDE is booted on the task's own initial state and the database in the agent's browser, in which VS Code
 * keeps what has no file. Nothing else of the agent's is in there, so none of its programs can answer instead. For
 * extensions, all of the gallery are installed, and the profile says which are enabled.
 */
export async function askIde(options: AskIdeOptions): Promise<TaskSeed | undefined> {
  if (options.task.config.pwp.ask.length === 0) return undefined;
  const facts = await askWithRetry(options);
  return { path: '/opt/pwp/grade', tar: packArchive([makeTextEntry('ide.json', JSON.stringify(facts))]) };
}

async function askWithRetry(options: AskIdeOptions): Promise<object> {
  const { signal } = options;
  const first = await askOnce(options, true).catch(toError);
  if (!(first instanceof Error)) return first;
  signal.throwIfAborted();
  // Either the machine can't boot an IDE, which gives no score, or the agent has spoilt its profile, which gives one.
  // The profile is at fault only if an IDE boots without it, and twice fails to boot with it.
  await askOnce(options, false);
  const again = await askOnce(options, true).catch(toError);
  if (!(again instanceof Error)) return again;
  signal.throwIfAborted();
  if (isNodeLost(again)) throw again;
  return { problem: `VS Code does not start on what was left: ${describeError(again)}` };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

async function askOnce({ node, sandbox, task, signal }: AskIdeOptions, copy: boolean): Promise<object> {
  using limit = deadline('the IDE that grading asks', askMs, signal);
  await using ide = await startIde({ node, sandbox, task, signal: limit.signal }, copy);
  await ide.ready({ signal: limit.signal });
  // The window reports restored state to the extensions a moment later.
  await ide.settle({ capMs: settleCapMs, pointerOnly: false, signal: limit.signal });
  const { ask } = task.config.pwp;
  return {
    ...(ask.includes('breakpoints') && { breakpoints: await listBreakpoints(ide, limit.signal) }),
    ...(ask.includes('extensions') && { extensions: await listExtensions(ide, limit.signal) }),
  };
}

async function listBreakpoints(ide: Sandbox, signal: AbortSignal): Promise<readonly object[]> {
  const params = { name: debugTools.listBreakpoints.name, arguments: {} };
  const { result } = await ide.call(toolMethods.call, params, { signal });
  const checked = debugTools.listBreakpoints.output.safeParse(result);
  if (checked.success) return checked.data.breakpoints;
  throw new PwpError('grading-failed', 'the IDE reported breakpoints in an unexpected form', {
    cause: checked.error,
  });
}

/** Ids, in lower case. */
async function listExtensions(ide: Sandbox, signal: AbortSignal): Promise<readonly string[]> {
  const { extensions } = await ide.call(ideMethods.extensions, {}, { signal });
  return extensions.map(({ id }) => id.toLowerCase());
}

async function startIde({ node, sandbox, task, signal }: AskIdeOptions, copy: boolean): Promise<Sandbox> {
  const installed = task.config.pwp.ask.includes('extensions') ? [await packInstalledExtensions()] : [];
  const own = await task.seeds({}, sandbox.workspace);
  // Only the last one can be streamed.
  const [whole, streamed] = [own.filter(isHeldInMemory), own.filter((seed) => !isHeldInMemory(seed))];
  const seeds = [...whole, ...installed, ...streamed];
  await using frozen = new AsyncDisposableStack();
  frozen.use(await sandbox.freeze());
  return await node.start(
    {
      name: 'ask',
      role: 'ide',
      seeds,
      copy: { from: sandbox.id, paths: copy ? [browserProfile] : [], only: keptProfilePaths },
      keep: false,
      display: sandbox.display,
      workspace: sandbox.workspace,
      limits: { ...defaultLimits, diskMb: 2 * (task.config.environment.storage_mb ?? defaultLimits.diskMb) },
    },
    { signal },
  );
}

/** Whether it is held in memory; else it is streamed, which only the last seed of a sandbox can be. */
export function isHeldInMemory({ tar }: Pick<Seed | StreamedSeed, 'tar'>): boolean {
  return tar instanceof Uint8Array;
}
