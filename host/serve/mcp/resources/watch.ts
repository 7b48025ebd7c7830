import { pause } from '../../../../bridge/lib/index.ts';
import { ide } from '../../../../bridge/protocol/index.ts';
import type { Sandbox } from '../../../node/index.ts';
import { keyOf, openFiles } from './list.ts';

/** Milliseconds that one call waits for a change; then it is made again. */
const waitMs = 60_000;
/** Between two tries while the IDE can't be asked, e.g. because it is being restarted; milliseconds. */
const retryMs = 1000;

/**
 * Reports that other files are open, until the signal fires.
 * @param listed the open files that the client was listed last
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
