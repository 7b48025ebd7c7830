import { deadline } from '../../../bridge/lib/index.ts';
import type { InputCommand, InputResult } from '../input.ts';
import type { Capture } from '../node.ts';
import type { Picture, ViewOptions } from '../picture.ts';
import { Connection } from './connection.ts';
import { DamageWatch } from './damage.ts';
import { Player } from './player.ts';
import { Screen } from './screen.ts';

/** An X server's screen, keyboard and pointer, over its Unix socket. Disposing it closes the connection. */
export interface XDisplay extends AsyncDisposable {
  /** Pixels. */
  readonly size: { readonly width: number; readonly height: number };
  /** Plays a batch in order. What can't be played is in the result. Errors: `display-lost`. */
  play(commands: readonly InputCommand[], signal: AbortSignal): Promise<InputResult>;
  /** The screen with the pointer. Errors: `display-lost`. */
  capture(signal: AbortSignal, view?: ViewOptions): Promise<Capture>;
  /** Errors: `display-lost`, `bad-picture`. */
  picture(options: ViewOptions): Promise<Picture>;
  /** `performance.now()` when something was last drawn; undefined when nothing was since the connection was made. */
  lastDamage(): number | undefined;
  /** Resolves when the server is gone or the display was disposed; never rejects. */
  readonly closed: Promise<void>;
}

/** Milliseconds for the parting round trip. */
const partingMs = 1000;

/**
 * Connects to the X server that listens on a Unix socket.
 * @param socketPath e.g. `/tmp/.X11-unix/X1`, or where that folder is bind-mounted
 */
export async function connectDisplay(socketPath: string, signal: AbortSignal): Promise<XDisplay> {
  const connection = await Connection.open(socketPath, signal);
  try {
    const player = await Player.on(connection);
    const damage = await DamageWatch.on(connection);
    const screen = await Screen.on(connection);
    // A server that goes away by itself must not leave the memory that was shared with it.
    void connection.closed.then(() => screen[Symbol.dispose]());
    return {
      size: connection.size,
      play: (commands, playSignal) => player.play(commands, playSignal),
      capture: (captureSignal, view) => screen.capture(captureSignal, view),
      picture: (options) => screen.picture(options),
      lastDamage: () => damage.last,
      closed: connection.closed,
      [Symbol.asyncDispose]: () => part(connection, screen),
    };
  } catch (error) {
    connection[Symbol.dispose]();
    throw error;
  }
}

async function part(connection: Connection, screen: Screen): Promise<void> {
  screen[Symbol.dispose]();
  connection[Symbol.dispose]();
  using parting = deadline('the end of the connection to X', partingMs);
  await Promise.race([connection.closed, once(parting.signal)]);
}

function once(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
