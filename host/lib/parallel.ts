/** Maps over items, at most `width` at a time, results in the items' order; nothing new starts once `signal` fires. */
export async function forEachParallel<T, R>(
  items: readonly T[],
  width: number,
  signal: AbortSignal,
  run: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Map<number, R>();
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) {
      signal.throwIfAborted();
      results.set(index, await run(item));
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return [...results.entries()].sort(([a], [b]) => a - b).map(([, result]) => result);
}
