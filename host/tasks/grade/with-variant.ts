import { type Cancellable, describeError, neverAborted, PwpError } from '../../../bridge/lib/index.ts';
import { forEachParallel } from '../../lib/index.ts';
import { defaultDisplay, type Node } from '../../node/index.ts';
import { chooseImage, type Task, type VariantAnswer, type VariantProgram } from '../format/index.ts';

export interface WithVariantOptions extends Cancellable {
  readonly node: Node;
  /** As in `chooseImage`: a task that is made for its image is made for this one. */
  readonly image?: string | undefined;
}

const variantLimits = { cpus: 1, memoryMb: 512, pids: 64, diskMb: 512 };
const largeLimits = { cpus: 2, memoryMb: 2048, pids: 512, diskMb: 4096 };
const mostVariantOutputBytes = 20_000;
/** Variants that are made at a time. */
const variantsAtOnce = 2;

/**
 * The whole task: its variant.mjs, which is its author's code, runs in a bare sandbox without network, once for a task.
 * A task without variants is given back as it is. Errors: `bad-task`, and those of {@link Node.start}.
 */
export async function withVariant(
  task: Task,
  { node, image, signal = neverAborted }: WithVariantOptions,
): Promise<Task> {
  if (!task.make) return task;
  return await task.make((program) => runVariantProgram(node, program, signal), chooseImage(task, image));
}

/** As {@link withVariant}, of several, in their order. */
export function withVariants(tasks: readonly Task[], options: WithVariantOptions): Promise<Task[]> {
  const { signal = neverAborted } = options;
  return forEachParallel(tasks, variantsAtOnce, signal, (task) => withVariant(task, options));
}

/** A task of a dataset that can't be made on this node. */
export interface UnmadeTask {
  readonly task: Task;
  readonly why: string;
}

/** Errors of a single record, whose set-up is its owners' code. */
const recordFaults: ReadonlySet<string> = new Set(['unsupported', 'bad-data']);

/** As {@link withVariants}; records of datasets that can't be made here are left out, with the reason. */
export async function makeTasks(
  tasks: readonly Task[],
  options: WithVariantOptions,
): Promise<{ readonly tasks: readonly Task[]; readonly unmade: readonly UnmadeTask[] }> {
  const { signal = neverAborted } = options;
  const all = await forEachParallel(tasks, variantsAtOnce, signal, async (task) => {
    try {
      return await withVariant(task, options);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof PwpError && recordFaults.has(error.code)) return { task, why: error.message };
      throw error;
    }
  });
  return {
    tasks: all.filter((one): one is Task => !('why' in one)),
    unmade: all.filter((one): one is UnmadeTask => 'why' in one),
  };
}

async function runVariantProgram(
  node: Node,
  program: VariantProgram,
  signal: AbortSignal,
): Promise<VariantAnswer> {
  const { seeds, root, argv, answer, timeoutMs, mostBytes, isLarge = false } = program;
  const spec = {
    name: 'variant',
    role: 'bare',
    seeds,
    keep: false,
    display: defaultDisplay,
    limits: isLarge ? largeLimits : variantLimits,
    ...(root !== undefined && { root }),
  } as const;
  await using sandbox = await node.start(spec, { signal });
  const ran = await sandbox.exec(
    {
      argv: [...argv],
      cwd: '/',
      env: { ...(root === undefined && { PATH: '/usr/bin:/bin' }), LANG: 'C.UTF-8', TZ: 'UTC' },
      timeoutMs,
      maxOutputBytes: mostVariantOutputBytes,
    },
    { signal },
  );
  if (ran.timedOut) return { problem: `expected an answer within ${timeoutMs / 1000} s` };
  if (ran.exitCode !== 0) return { problem: ran.stderr };
  await using frozen = new AsyncDisposableStack();
  frozen.use(await sandbox.freeze());
  try {
    const bytes = await sandbox.readFile(answer, mostBytes);
    return bytes ? { answer: bytes } : { problem: 'expected an answer, found none' };
  } catch (error) {
    signal.throwIfAborted();
    return { problem: describeError(error) };
  }
}
