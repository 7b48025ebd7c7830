/** Makes things in parallel; if one fails, disposes those that were made and throws the first failure. */
export async function makeAll<T extends AsyncDisposable>(
  count: number,
  make: () => Promise<T>,
): Promise<T[]> {
  const ends = await Promise.allSettled(Array.from({ length: count }, make));
  const made = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  const failed = ends.find((end) => end.status === 'rejected');
  if (!failed) return made;
  await Promise.allSettled(made.map((one) => one[Symbol.asyncDispose]()));
  throw failed.reason;
}
