import x11 from 'x11';
import type { Client, Display } from 'x11';
import { PwpError, raceSignal } from '../lib/index.ts';

/** A connection to the desktop's X server, and its root window. End it with `terminate`. Errors: `display-lost`. */
export async function openDisplay(signal: AbortSignal): Promise<{ client: Client; root: number }> {
  const connecting = askXServer<Display>((answer) => x11.createClient({ display: ':1' }, answer));
  const { client, screen } = await raceSignal(connecting, signal);
  // Errors of this connection reach the requests that wait; the event alone must not end the process.
  client.on('error', () => undefined);
  const [first] = screen;
  if (!first) throw new PwpError('display-lost', 'the X server has no screen');
  return { client, root: first.root };
}

/** The answer to a request. */
export function askXServer<T>(
  request: (answer: (error: Error | null | undefined, value: T) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    request((error, value) => (error ? reject(error) : resolve(value)));
  });
}
