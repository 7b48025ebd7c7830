import * as z from 'zod';
import { limits } from './connection.ts';
import { defineMethod } from './descriptor.ts';

const line = z.string().max(1000);
const long = z.string().max(4000);

/** The outcome of one action, as people read it. */
const outcome = z.object({
  action: line.describe('as one line, e.g. `click [12]`; of a tool its name'),
  effect: z.enum(['confirmed', 'partial', 'no-effect', 'unverifiable', 'refused']),
  evidence: line.describe('what the effect rests on; for `refused`, why'),
  explanation: line.nullable().describe('why it was done, where that was said'),
  tool: z
    .object({
      arguments: long.describe('as JSON, cut at the end'),
      result: long.describe('as a model reads it, cut at the end'),
    })
    .nullable()
    .describe('null for mouse and keyboard'),
});
export type AgentOutcome = z.output<typeof outcome>;

/** A step as people see it: only its caller's actions and their results. */
const agentStep = z.object({
  step: z.int().positive().nullable().describe('null for a tool that was called outside of steps'),
  at: z.number().nonnegative().describe('when it was over, in milliseconds since 1970'),
  by: z.enum(['agent', 'person']),
  outcomes: z.array(outcome).max(20),
  omitted: z.int().nonnegative().describe('outcomes beyond those'),
  skipped: z.int().nonnegative().describe('actions after the first that was refused'),
  settled: line.nullable().describe('e.g. `settled after 312 ms (quiet)`; null where nothing was waited for'),
  observation: line.nullable().describe('number, title and focus of what was seen next, as one line'),
});
export type AgentStep = z.output<typeof agentStep>;

const shown = z.boolean().describe('the window shows the view');
const steps = z.array(agentStep).max(limits.agentSteps);

/**
 * An agent's steps, for people who watch it. The bridge keeps the last steps, so that a view that is opened later, or a
 * window that was reloaded, shows them; restoring the sandbox restores them as well.
 */
export const agent = {
  /** Adds a step. Answered when an open view has it, so that the view's change is not taken for the next step's. */
  report: defineMethod(
    'agent.report',
    z.object({ step: agentStep }),
    z.object({
      drawn: z.boolean().describe('the screen changes: the view is open, or marks are drawn over the page'),
    }),
  ),
  /** The last steps, the oldest first. */
  steps: defineMethod('agent.steps', z.object({}), z.object({ steps, shown })),
  /** Shows the view in the IDE's windows, or hides it. */
  show: defineMethod('agent.show', z.object({ shown }), z.object({ shown })),
  /**
   * Draws the marks of the newest observation into the page, again after each one, until it is switched off. Meanwhile
   * they are part of every picture of the screen. Off by default.
   */
  overlay: defineMethod(
    'agent.overlay',
    z.object({ on: z.boolean() }),
    z.object({ on: z.boolean(), marks: z.int().nonnegative().describe('drawn now') }),
  ),
  /** The bridge reports to the extension of a window: a new step, or all of them. Served by the extension. */
  follow: defineMethod(
    'agent.follow',
    z.object({
      steps,
      whole: z.boolean().describe('these are all; else they follow the earlier ones'),
      shown,
    }),
    z.object({
      visible: z
        .boolean()
        .default(true)
        .describe('the view is open, so it is drawn; an older extension does not say'),
    }),
  ),
};

const windowNumber = z.int().positive().describe('which window was connected to, counted');

/**
 * The desktop's side of the bridge calls these on the agent's side, beside the methods that it passes on. The agent may
 * answer in its place, so nothing here may have power over the desktop.
 */
export const agentSide = {
  /** The files that the IDE's window shows when it opens. Makes the caller the desktop's side that windows ask for. */
  attach: defineMethod(
    'agentSide.attach',
    z.object({}),
    z.object({ open: z.array(z.string().startsWith('/').max(4096)).max(50).describe('files') }),
  ),
  /** Connects to the newest window of the IDE. Errors: `Unavailable` if none answers. */
  window: defineMethod(
    'agentSide.window',
    z.object({ notBefore: z.number().nonnegative().describe('older ones are gone; ms since 1970') }),
    z.object({ window: windowNumber }),
  ),
  /** Answers when that connection is over. */
  windowEnd: defineMethod('agentSide.windowEnd', z.object({ window: windowNumber }), z.object({})),
};
