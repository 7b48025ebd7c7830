import { deadline, describeError, isTimeout, poll, PwpError } from '../../../bridge/lib/index.ts';
import { FreezeAwareTimeout } from '../freeze-aware-timeout.ts';
import type { InputCommand, InputResult } from '../input-commands.ts';
import type { Capture } from '../node.ts';
import type { ScreenPicture, ScreenUpdate, UpdateOptions, ViewOptions } from '../screen-picture.ts';
import { BatchPlayer, type PlayPermission } from './batch-player.ts';
import { DamageWatch, type DrawnArea } from './screen-changes.ts';
import { XScreen } from './screen.ts';
import { displayLimits } from './wire/index.ts';
import { XConnection, type XConnectionOptions } from './x-connection.ts';

/** An X server's screen, keyboard and pointer, over its Unix socket. Disposing it closes the connection. */
export interface XDisplay extends AsyncDisposable {
  /** Pixels. */
  readonly size: { readonly width: number; readonly height: number };
  /**
   * Plays a batch in order. The result says what can't be played. Errors: `display-lost`, and what `leave` throws.
   * @param leave has a say in whether it is played; default: it is
   */
  play(commands: readonly InputCommand[], signal: AbortSignal, leave?: PlayPermission): Promise<InputResult>;
  /**
   * Releases every key and button, once no other connection is in the middle of a batch.
   * @param waitMs milliseconds to wait for that at most
   */
  letGo(waitMs: number, signal: AbortSignal): Promise<void>;
  /** The screen with the pointer. Errors: `display-lost`. */
  capture(signal: AbortSignal, view?: ViewOptions): Promise<Capture>;
  /** Errors: `display-lost`, `bad-picture`. */
  picture(options: ViewOptions): Promise<ScreenPicture>;
  /** The parts of the screen that differ from an earlier update; none if nothing does. Errors: `display-lost`. */
  update(options: UpdateOptions): Promise<ScreenUpdate>;
  /** Resolves when a new picture may differ from the last one: something was drawn, or it is time to look at the pointer. */
  changed(signal: AbortSignal): Promise<void>;
  /** `performance.now()` when something was last drawn; undefined when nothing was since the connection was made. */
  lastDamage(): number | undefined;
  /** Drawings since then (`performance.now()`) as boxes around them, the oldest first; the newest 2000 at least. */
  drawnSince(time: number): readonly DrawnArea[];
  /** Resolves when the server is gone or the display was disposed; never rejects. */
  readonly closed: Promise<void>;
}

/** How a display is connected to. */
interface XDisplayOptions extends XConnectionOptions {
  /** A folder on tmpfs for the memory that is shared with the server, which can make it grow. Default: `/dev/shm`. */
  readonly memory?: string;
}

/** Between two looks at the pointer, which sends no event when it moves; milliseconds. */
const pointerMs = 50;
/** Milliseconds for the parting round trip. */
const partingMs = 1000;

/**
 * Connects to the X server that listens on a Unix socket.
 * @param socketPath e.g. `/tmp/.X11-unix/X1`, or where that folder is bind-mounted
 * Errors: `display-lost`, also if the server there is not an X server, or exceeds the limits.
 */
export async function connectDisplay(
  socketPath: string,
  signal: AbortSignal,
  options: XDisplayOptions = {},
): Promise<XDisplay> {
  const { greetMs } = options.limits ?? displayLimits;
  using greeting = new FreezeAwareTimeout(greetMs, options.isFrozen, signal);
  try {
    return await openDisplay(socketPath, greeting.signal, options);
  } catch (error) {
    signal.throwIfAborted();
    if (!greeting.expired) throw toDisplayLost(error);
    throw new PwpError('display-lost', `the X server has not greeted within ${greetMs} ms`, { cause: error });
  }
}

async function openDisplay(
  socketPath: string,
  signal: AbortSignal,
  options: XDisplayOptions,
): Promise<XDisplay> {
  const connection = await XConnection.open(socketPath, signal, options);
  const abandon = () => connection.abandon();
  signal.addEventListener('abort', abandon, { once: true });
  try {
    const player = await BatchPlayer.on(connection);
    const damage = await DamageWatch.on(connection);
    const screen = await XScreen.on(connection, damage, options.memory ?? '/dev/shm', signal);
    // A server that goes away by itself must not leave the memory that was shared with it.
    void connection.closed.then(() => screen[Symbol.dispose]());
    return {
      size: connection.size,
      play: (commands, playSignal, leave) => player.play(commands, playSignal, leave),
      letGo: (waitMs, letGoSignal) => releaseWhenIdle(player, waitMs, letGoSignal),
      capture: (captureSignal, view) => screen.capture(captureSignal, view),
      picture: (pictureOptions) => screen.picture(pictureOptions),
      update: (updateOptions) => screen.update(updateOptions),
      changed: (within) => damage.next(pointerMs, within),
      lastDamage: () => damage.last,
      drawnSince: (time) => damage.since(time),
      closed: connection.closed,
      [Symbol.asyncDispose]: () => disconnect(connection, screen),
    };
  } catch (error) {
    connection.abandon();
    throw error;
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}

/** Any failure between a connection and its first use means that there is no display. */
function toDisplayLost(error: unknown): unknown {
  if (error instanceof PwpError) return error;
  return new PwpError('display-lost', `the X server can't be used: ${describeError(error)}`, {
    cause: error,
  });
}

async function disconnect(connection: XConnection, screen: XScreen): Promise<void> {
  using parting = deadline('the end of the connection to X', partingMs);
  await screen.giveBack(parting.signal).catch(() => undefined);
  connection[Symbol.dispose]();
  await Promise.race([connection.closed, awaitAbort(parting.signal)]);
  // A server that does not hang up must not keep the socket open.
  connection.abandon();
}

function awaitAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Pause between two checks whether others play, in milliseconds. */
const idleCheckMs = 20;

/**
 * Releases every key and button, once no other connection is in the middle of a batch.
 * @param waitMs milliseconds to wait for that at most
 */
async function releaseWhenIdle(player: BatchPlayer, waitMs: number, signal: AbortSignal): Promise<void> {
  using limit = deadline('the end of the input under way', waitMs, signal);
  // A display that can't be asked can't be released either, which says more.
  const probe = async () =>
    (await player.othersPlay().catch(() => false))
      ? ({ done: false, saw: 'input under way' } as const)
      : ({ done: true, value: undefined } as const);
  await poll('the end of the input under way', probe, {
    intervalMs: idleCheckMs,
    signal: limit.signal,
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    // A process that was stopped midway must not keep everyone waiting.
    if (!isTimeout(error)) throw error;
  });
  await player.play([{ kind: 'release' }], signal);
}
