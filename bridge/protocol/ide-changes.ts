import * as z from 'zod';
import { method } from './descriptor.ts';

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
  changes: method(
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
