/** Makes things at once; where one fails, those that were made are disposed and the first failure is thrown. */
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
