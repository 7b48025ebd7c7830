/**
 * Takes pictures until one has another serial.
 * @param after the serial that is waited to be over; undefined for the first picture
 * @param wait resolves when it is worth while to take the next, or rejects
 */
export async function changedPicture<T extends { readonly serial: number }>(
  take: () => Promise<T>,
  after: number | undefined,
  wait: () => Promise<void>,
): Promise<T> {
  for (;;) {
    const picture = await take();
    if (picture.serial !== after) return picture;
    await wait();
  }
}
