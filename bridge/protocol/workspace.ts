import * as z from 'zod';
import { method } from './descriptor.ts';

/** Files that were put into the workspace from outside, under a window that was open on it. Nobody has worked in it yet. */
export const workspace = {
  /**
   * Has the window know them as a window that opens on them does: shows them, watches their folders, opens their
   * repositories, activates the extensions that wait for them. Served by the extension.
   */
  takeIn: method(
    'workspace.takeIn',
    z.object({}),
    z.object({
      newWindow: z
        .string()
        .max(1000)
        .nullable()
        .describe('why only a window that is opened now knows all of them; else null'),
    }),
  ),
  /** Opens the window anew. Answered when all of it is ready. Served by the desktop's side of the bridge. */
  reopen: method('workspace.reopen', z.object({}), z.object({})),
};
