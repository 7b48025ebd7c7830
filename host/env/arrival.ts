import { pause } from '../../bridge/lib/index.ts';
import { dom, type DomProbe } from '../../bridge/protocol/index.ts';
import type { InputCommand, Sandbox } from '../node/index.ts';

/** The longest wait, in milliseconds: keys may never reach the page, e.g. if they open something that takes the rest. */
const arriveMs = 1500;
const againMs = 20;

/** The minimum number of keys that go down. A modifier that is already held does not go down again. */
export function keysIn(commands: readonly InputCommand[]): number {
  return commands.reduce((sum, command) => {
    if (command.kind === 'type') return sum + [...command.text].length;
    return command.kind === 'key' && command.action !== 'up' ? sum + 1 : sum;
  }, 0);
}

/**
 * Waits until the page has got the keys that were sent: the browser has them at once, and the page on a busy machine much
 * later. A look before that shows the state without them. Keys that go to another document can't be counted.
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
 * Waits until input has had an effect in the page, up to a time limit. It does not wait for a page that was replaced, or
 * that a dialog of the browser blocks.
 * @returns the page as it was last seen; undefined if it does not answer
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
