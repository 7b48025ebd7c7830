import x11, { type Client, type Display } from 'x11';
import { PwpError, poll, raceSignal } from '../../lib/index.ts';
import type { Screen } from '../config.ts';

/**
 * Makes the browser's window as large as the screen. Without a window manager, a kiosk window is one pixel short in each
 * direction, and then the sizes of page and screen would differ.
 */
export function fitWindow(screen: Screen, signal: AbortSignal): Promise<void> {
  return withWindow(screen, signal, (client, window) => {
    client.MoveResizeWindow(window, 0, 0, screen.width, screen.height);
  });
}

/** Gives the keyboard to the browser's window after another window has closed: there is no window manager to do so. */
export function focusWindow(screen: Screen, signal: AbortSignal): Promise<void> {
  return withWindow(screen, signal, (client, window) => {
    const revertToPointerRoot = 1;
    client.SetInputFocus(window, revertToPointerRoot);
  });
}

async function withWindow(
  screen: Screen,
  signal: AbortSignal,
  change: (client: Client, window: number) => void,
): Promise<void> {
  const { client, root } = await open(signal);
  try {
    const window = await poll("the browser's window", () => findWindow(client, root, screen), {
      intervalMs: 25,
      signal,
    });
    change(client, window);
    // The answer to any later request confirms that the server has done it.
    await ask<unknown>((answer) => client.GetInputFocus(answer));
  } finally {
    client.terminate();
  }
}

async function open(signal: AbortSignal): Promise<{ client: Client; root: number }> {
  const connecting = ask<Display>((answer) => x11.createClient({ display: ':1' }, answer));
  const { client, screen } = await raceSignal(connecting, signal);
  // Errors of this connection reach the requests that wait; the event alone must not end the process.
  client.on('error', () => undefined);
  const [first] = screen;
  if (!first) throw new PwpError('display-lost', 'the X server has no screen');
  return { client, root: first.root };
}

/** The window that covers most of the screen; the browser's helpers are of a few pixels. */
async function findWindow(client: Client, root: number, { width, height }: Screen) {
  const { children } = await ask<{ readonly children: readonly number[] }>((answer) =>
    client.QueryTree(root, answer),
  );
  for (const window of children) {
    const size = await ask<Screen>((answer) => client.GetGeometry(window, answer));
    if (size.width > width / 2 && size.height > height / 2) return { done: true, value: window } as const;
  }
  return { done: false, saw: `${children.length} small windows` } as const;
}

function ask<T>(request: (answer: (error: Error | null | undefined, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    request((error, value) => (error ? reject(error) : resolve(value)));
  });
}
