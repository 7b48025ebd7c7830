import { raceSignal } from '../../../../bridge/lib/index.ts';

/** The last work on each file. */
const tails = new Map<string, Promise<unknown>>();

/** Does work on one file after all that was asked for before on the same file, whatever came of that. */
export async function inTurn<T>(file: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const before = tails.get(file) ?? Promise.resolve();
  const own = before.then(
    () => begin(signal, work),
    () => begin(signal, work),
  );
  tails.set(file, own);
  const forget = () => {
    if (tails.get(file) === own) tails.delete(file);
  };
  own.then(forget, forget);
  await raceSignal(
    before.catch(() => undefined),
    signal,
  );
  return own;
}

/** What was given up while it waited is not begun; what was begun is done to its end. */
function begin<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  return work();
}
