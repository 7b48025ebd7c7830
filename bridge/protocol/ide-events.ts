import * as z from 'zod';
import { method } from './descriptor.ts';

const name = z.string().max(300);

/** One event of VS Code, regardless of who caused it. */
export const ideEvent = z.object({
  number: z.int().positive().describe('rises with every event of this window session'),
  what: z.enum([
    'setting',
    'saved',
    'opened',
    'closed',
    'moved',
    'pinned',
    'unpinned',
    'breakpoint set',
    'breakpoint removed',
    'debugging began',
    'debugging ended',
  ]),
  name: name.describe(
    "a setting's key; of tabs and files their label; of a breakpoint its place, e.g. app.py:12",
  ),
  value: name
    .optional()
    .describe('of a setting, as JSON; absent where its file does not have the setting any longer'),
  scope: z.enum(['user', 'workspace']).optional().describe('of a setting: whose settings.json has it'),
});
export type IdeEvent = z.output<typeof ideEvent>;

/** Recent events of VS Code. Part of `ide`. */
export const ideEvents = {
  /**
   * The newest events, up to everything that the window has reported so far, the commands that run in its terminals, and
   * the files that its auto save has yet to write.
   */
  events: method(
    'ide.events',
    z.object({}),
    z.object({
      count: z.int().nonnegative().describe('of all events of this window session'),
      recent: z.array(ideEvent).max(50).describe('oldest first'),
      commands: z.array(name).max(20).describe('that run in terminals, as far as shell integration reports'),
      saving: z.array(name).max(20).describe('names of files that are being written'),
      unwritten: z.array(name).max(20).describe('names of files that auto save writes after a delay'),
    }),
  ),
};
