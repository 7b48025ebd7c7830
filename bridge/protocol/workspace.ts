import * as z from 'zod';
import { method } from './descriptor.ts';

/** Files that were put into the workspace from outside, while a window had it open. No work has been done in it yet. */
export const workspace = {
  /**
   * Makes the window treat them like files that were there when it opened: shows them, watches their folders, opens their
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
  /** Reloads the window. Answered when all of it is ready. Served by the desktop's side of the bridge. */
  reopen: method('workspace.reopen', z.object({}), z.object({})),
};
