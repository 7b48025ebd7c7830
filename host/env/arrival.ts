import { pause } from '../../bridge/lib/index.ts';
import { dom, type DomProbe } from '../../bridge/protocol/index.ts';
import type { InputCommand, Sandbox } from '../node/index.ts';

/** Keys may never reach the page, e.g. where they open something that takes the rest; in milliseconds. */
const arriveMs = 1500;
const againMs = 20;

/** How many keys go down at least. A modifier that is held already does not go down once more. */
export function keysIn(commands: readonly InputCommand[]): number {
  return commands.reduce((sum, command) => {
    if (command.kind === 'type') return sum + [...command.text].length;
    return command.kind === 'key' && command.action !== 'up' ? sum + 1 : sum;
  }, 0);
}

/**
 * Waits until the page has got the keys that were sent: the browser has them at once, and the page on a busy machine much
 * later. What is looked at before is the state without them. Nothing is known of keys that go to another document.
 * @param before what was seen of the page before they were sent
 */
export async function awaitKeys(
  sandbox: Sandbox,
  before: DomProbe,
  sent: number,
  signal: AbortSignal,
): Promise<void> {
  if (before.surface === null || before.dialog) return;
  await sandbox.input([{ kind: 'flush' }], { signal });
  const haveCome = (now: DomProbe) => now.surface === null || now.keys - before.keys >= sent;
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
