import * as z from 'zod';
import { method } from './descriptor.ts';

const window = z.int().positive().describe('which window was connected to, counted');

/**
 * The desktop's side of the bridge calls these on the agent's side, beside the methods that it passes on. The agent may
 * answer in its place, so nothing here may have power over the desktop.
 */
export const agentSide = {
  /** The files that the IDE's window shows when it opens. Makes the caller the desktop's side that windows ask for. */
  attach: method(
    'agentSide.attach',
    z.object({}),
    z.object({ open: z.array(z.string().startsWith('/').max(4096)).max(50).describe('files') }),
  ),
  /** Connects to the newest window of the IDE. Errors: `Unavailable` if none answers. */
  window: method(
    'agentSide.window',
    z.object({ notBefore: z.number().nonnegative().describe('older ones are gone; ms since 1970') }),
    z.object({ window }),
  ),
  /** Answers when that connection is over. */
  windowEnd: method('agentSide.windowEnd', z.object({ window }), z.object({})),
};
