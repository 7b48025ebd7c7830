/** A listener's result is ignored; a promise is awaited. */
type Listener<A extends unknown[]> = (...args: A) => unknown;

/**
 * A listener that can't end the process. An error, thrown at once or later, goes to `onFail` with the listener's arguments.
 * @param onFail ends what the event came from, e.g. destroys the socket
 */
export function guarded<A extends unknown[]>(
  listener: Listener<A>,
  onFail: (error: unknown, ...args: A) => void,
): (...args: A) => void {
  const fail = (error: unknown, args: A) => {
    try {
      onFail(error, ...args);
    } catch {
      // The source of the event is broken already.
    }
  };
  return (...args) => {
    try {
      const result = listener(...args);
      if (result instanceof Promise) result.catch((error: unknown) => fail(error, args));
    } catch (error) {
      fail(error, args);
    }
  };
}
