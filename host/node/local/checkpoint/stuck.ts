import { PwpError, pause } from '../../../../bridge/lib/index.ts';
import { isFrozen, thaw } from '../cgroup.ts';

/** CRIU gets hold of a hundred frozen processes in less than half a second, on a busy machine too. In milliseconds. */
const patienceMs = 2000;

/**
 * Runs a dump of a frozen sandbox that may have stopped processes (Ctrl+Z, SIGSTOP). Under cgroup v1 one that is frozen
 * can't be traced before it is thawed, and CRIU waits for that forever, inside the kernel. So the sandbox is thawed
 * where CRIU has not done it itself in time: what it has got hold of stays where it is, and the rest follows one by one,
 * as without a freezer. At its end it freezes all again. Errors: `checkpoint-failed` where a slow dump was just over when
 * it was thawed: then the processes have gone on, and files no longer go with the memory that was dumped.
 */
export async function withoutStuck<T>(id: string, dump: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const watching = thawLate(id, over.signal);
  let result: T;
  try {
    result = await dump();
  } finally {
    over.abort();
    await watching;
  }
  if ((await watching) && !(await isFrozen(id)))
    throw new PwpError('checkpoint-failed', 'the sandbox went on before its files were copied');
  return result;
}

/** Whether the sandbox was thawed. */
async function thawLate(id: string, over: AbortSignal): Promise<boolean> {
  await pause(patienceMs, over).catch(() => undefined);
  if (over.aborted || !(await isFrozen(id))) return false;
  await thaw(id);
  return true;
}
