import { pause } from '../../bridge/lib/index.ts';
import { dom, type DomProbe } from '../../bridge/protocol/index.ts';
import type { InputCommand, Sandbox } from '../node/index.ts';

/** Input may never reach the page, e.g. keys that open something that takes the rest; in milliseconds. */
const arriveMs = 1500;
const againMs = 20;
/** Higher numbers are the wheel's. */
const mostButton = 3;

/** How many keys go down at least, and mouse buttons. */
export interface Sent {
  readonly keys: number;
  readonly clicks: number;
}

export const nothingSent: Sent = { keys: 0, clicks: 0 };

/** A modifier that is held already does not go down once more. */
export function sentBy(commands: readonly InputCommand[], before = nothingSent): Sent {
  return commands.reduce((sum, command) => {
    if (command.kind === 'type') return { ...sum, keys: sum.keys + [...command.text].length };
    if (command.kind === 'key' && command.action !== 'up') return { ...sum, keys: sum.keys + 1 };
    if (command.kind !== 'button' || command.action === 'up' || command.button > mostButton) return sum;
    return { ...sum, clicks: sum.clicks + command.repeat };
  }, before);
}

/**
 * Waits until the page has got the keys and clicks that were sent: the browser has them at once, and the page on a busy
 * machine much later. What is looked at before is the state without them. Nothing is known of keys that go to another
 * document.
 * @param before what was seen of the page before they were sent
 */
export async function awaitInput(
  sandbox: Sandbox,
  before: DomProbe,
  { keys, clicks }: Sent,
  signal: AbortSignal,
): Promise<void> {
  const ofKeys = before.surface === null ? 0 : keys;
  if (ofKeys + clicks === 0) return;
  const haveCome = (now: DomProbe) =>
    now.clicks - before.clicks >= clicks && (now.surface === null || now.keys - before.keys >= ofKeys);
  await awaitPage(sandbox, before, haveCome, arriveMs, signal);
}

/**
 * Waits until input that was sent has come to something in the page, a time at most. A page that is another one by then,
 * or that a dialog of the browser holds up, is not waited for.
 * @returns the page as it was seen last; undefined where it does not answer
 */
export async function awaitPage(
  sandbox: Sandbox,
  before: DomProbe,
  hasCome: (now: DomProbe) => boolean,
  mostMs: number,
  signal: AbortSignal,
): Promise<DomProbe | undefined> {
  if (before.dialog) return undefined;
  await sandbox.input([{ kind: 'flush' }], { signal });
  const start = performance.now();
  for (;;) {
    const now = await sandbox.call(dom.probe, {}, { signal }).catch(() => {
      signal.throwIfAborted();
      return undefined;
    });
    if (now?.loadedAt !== before.loadedAt || now.dialog || hasCome(now)) return now;
    if (performance.now() - start >= mostMs) return now;
    await pause(againMs, signal);
  }
}
