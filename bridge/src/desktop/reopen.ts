import { deadline } from '../../lib/index.ts';
import { workspace } from '../../protocol/index.ts';
import type { Handlers } from '../../rpc/index.ts';
import type { IdeWindow } from './extension.ts';
import type { Status } from './status.ts';

/** What a window may take until its extensions run, beside other load, in milliseconds. */
const OPEN_MS = 90_000;

/** Serves the opening of the window anew. */
export function addReopen(handlers: Handlers, status: Status, window: Pick<IdeWindow, 'reload'>): void {
  handlers.add(workspace.reopen, async (_, parent) => {
    using limit = deadline('workspace.reopen', OPEN_MS, parent);
    const { signal } = limit;
    // Listens before: what is ready now is the window that goes.
    const gone = status.until((services) => services.some(({ state }) => state !== 'ready'), signal);
    await Promise.all([window.reload(signal), gone]);
    await status.until((services) => services.every(({ state }) => state === 'ready'), signal);
    return {};
  });
}
