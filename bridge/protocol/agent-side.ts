import * as z from 'zod';
import { method } from './descriptor.ts';

const window = z.int().positive().describe('which window was connected to, counted');

/**
 * What the desktop's side of the bridge asks of the agent's side, beside the methods that it passes on. The agent can be
 * the one who answers: nothing here may have power over the desktop.
 */
export const agentSide = {
  /** What the IDE's window shows when it opens. Passes the caller on to windows that ask for the desktop's side. */
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
