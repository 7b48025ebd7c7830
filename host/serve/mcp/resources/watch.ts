import { pause } from '../../../../bridge/lib/index.ts';
import { ide } from '../../../../bridge/protocol/index.ts';
import type { Sandbox } from '../../../node/index.ts';
import { keyOf, openFiles } from './list.ts';

/** Milliseconds that one call waits for a change, before it is repeated. */
const waitMs = 60_000;
/** Milliseconds between two tries while the IDE can't be asked, e.g. because it is being restarted. */
const retryMs = 1000;

/**
 * Reports changes of the open files, until the signal fires.
 * @param listed the open files in the client's last list
 */
export async function watchOpenFiles(
  sandbox: Sandbox,
  listed: () => string,
  onChange: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let after: string | undefined;
  let reported: string | undefined;
  while (!signal.aborted) {
    try {
      const { cursor, changed } = await sandbox.call(ide.changes, { after, waitMs }, { signal });
      after = cursor;
      if (!changed.includes('tabs')) continue;
      const now = keyOf(await openFiles(sandbox, signal));
      if (now === listed() || now === reported) continue;
      reported = now;
      await onChange();
    } catch {
      if (!signal.aborted) await pause(retryMs, signal).catch(() => undefined);
    }
  }
}
