import * as z from 'zod';
import { event, method } from './descriptor.ts';
import { shellResult } from './shell.ts';

/** The parts of the desktop, in the order in which they are started. */
export const serviceName = z.enum(['xvfb', 'sound', 'code-server', 'chromium', 'extension']);
export type ServiceName = z.output<typeof serviceName>;

export const service = z.object({
  name: serviceName,
  state: z.enum(['waiting', 'starting', 'ready', 'failed']),
  restarts: z.int().nonnegative().describe('times it died and was restarted'),
  reloaded: z
    .boolean()
    .optional()
    .describe('of the extension, when it is ready: it ended because the window was reloaded'),
  detail: z.string().max(4000).optional().describe('why it failed, with the last lines of its log'),
});
export type Service = z.output<typeof service>;

export const desktopStatus = z.object({ services: z.array(service).max(16) });
export type DesktopStatus = z.output<typeof desktopStatus>;

export const desktop = {
  /** Every part of the desktop as it is now. */
  status: method('desktop.status', z.object({}), desktopStatus),
  /**
   * Answers when every part is ready: X draws, the workbench is restored, the extension answers.
   * Errors: `Unavailable` with the failed part's detail, `TimedOut` with what was still missing.
   */
  wait: method(
    'desktop.wait',
    z.object({ timeoutMs: z.int().positive().max(600_000).default(60_000) }),
    desktopStatus,
  ),
  /** The end of a part's log. */
  log: method(
    'desktop.log',
    z.object({ service: serviceName, maxBytes: z.int().positive().max(200_000).default(4000) }),
    z.object({ text: z.string().max(200_000) }),
  ),
  /** Runs the xdotool program as the desktop's user. Commands that run other programs are refused. */
  xdotool: method(
    'desktop.xdotool',
    z.object({ words: z.array(z.string().max(100_000)).min(1).max(1000) }),
    shellResult,
  ),
  /** Sent whenever a part changes its state. */
  changed: event('desktop.changed', service),
};
