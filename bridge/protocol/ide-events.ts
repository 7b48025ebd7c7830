import * as z from 'zod';
import { defineMethod } from './descriptor.ts';

const eventName = z.string().max(300);

/** One event of VS Code, regardless of who caused it. */
const ideEvent = z.object({
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
  name: eventName.describe(
    "a setting's key; of tabs and files their label; of a breakpoint its place, e.g. app.py:12",
  ),
  value: eventName
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
  events: defineMethod(
    'ide.events',
    z.object({}),
    z.object({
      count: z.int().nonnegative().describe('of all events of this window session'),
      recent: z.array(ideEvent).max(50).describe('oldest first'),
      commands: z
        .array(eventName)
        .max(20)
        .describe('that run in terminals, as far as shell integration reports'),
      saving: z.array(eventName).max(20).describe('names of files that are being written'),
      unwritten: z.array(eventName).max(20).describe('names of files that auto save writes after a delay'),
    }),
  ),
};

/** Parts of the state that report their changes, by the names of their methods. */
export const stateParts = [
  'workspace',
  'tabs',
  'editor',
  'diagnostics',
  'settings',
  'extensions',
  'sourceControl',
  'work',
  'terminals',
  'tasks',
  'debug',
  'breakpoints',
  'outline',
  'tests',
] as const;
export type StatePart = (typeof stateParts)[number];

/** Changes of the state. Part of `ide`. */
export const ideChanges = {
  /**
   * Waits for a change and names what has changed since the previous answer. Changes in quick succession come as one
   * answer, and no change is lost between two calls. It is a request, not an event, so slow callers get fewer answers,
   * and none comes without a request. Terminals report their commands, not each line of output.
   */
  changes: defineMethod(
    'ide.changes',
    z.object({
      after: z.string().max(100).optional().describe('`cursor` of the previous answer; without, all is new'),
      waitMs: z
        .int()
        .nonnegative()
        .max(600_000)
        .default(30_000)
        .describe('milliseconds until an empty answer'),
    }),
    z.object({
      cursor: z.string().max(100).describe('of this window session; after another one, all is new'),
      changed: z.array(z.enum(stateParts)).max(stateParts.length),
    }),
  ),
};
