import { workspace } from '../../protocol/index.ts';
import type { Handlers } from '../../rpc/index.ts';
import type { IdeWindow } from './extension.ts';
import { idleDeadline } from './ide-work.ts';
import type { Status } from './status.ts';

/** How long a window may do nothing before its extensions run, in milliseconds. */
const OPEN_MS = 90_000;

/** Serves `workspace.reopen`, which reloads the window. */
export function addReopen(handlers: Handlers, status: Status, window: Pick<IdeWindow, 'reload'>): void {
  handlers.add(workspace.reopen, async (_, parent) => {
    using limit = idleDeadline('workspace.reopen', OPEN_MS, parent);
    const { signal } = limit;
    // Listens first: the part that is ready now belongs to the window that ends.
    const gone = status.until((services) => services.some(({ state }) => state !== 'ready'), signal);
    await Promise.all([window.reload(signal), gone]);
    await status.until((services) => services.every(({ state }) => state === 'ready'), signal);
    return {};
  });
}
