import { workspace } from '../../protocol/index.ts';
import type { Handlers } from '../../rpc/index.ts';
import type { IdeWindow } from './extension.ts';
import { idleDeadline } from './ide-work.ts';
import type { Status } from './status.ts';

/** How long a window may do nothing before its extensions run, in milliseconds. */
const OPEN_MS = 90_000;

/** Serves the opening of the window anew. */
export function addReopen(handlers: Handlers, status: Status, window: Pick<IdeWindow, 'reload'>): void {
  handlers.add(workspace.reopen, async (_, parent) => {
    using limit = idleDeadline('workspace.reopen', OPEN_MS, parent);
    const { signal } = limit;
    // Listens before: what is ready now is the window that goes.
    const gone = status.until((services) => services.some(({ state }) => state !== 'ready'), signal);
    await Promise.all([window.reload(signal), gone]);
    await status.until((services) => services.every(({ state }) => state === 'ready'), signal);
    return {};
  });
}
