import * as z from 'zod';
import { method } from './descriptor.ts';

/** Parts of the state that tell when they change, by the names of their methods. */
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
   * Waits for a change and names what has changed since the answer before: changes that come close together are one
   * answer, and none is lost between two questions. It is asked, not sent, so that whoever is slow gets fewer answers
   * and nobody gets those that he doesn't want. Terminals tell of their commands, not of each line of output.
   */
  changes: method(
    'ide.changes',
    z.object({
      after: z.string().max(100).optional().describe('`cursor` of the answer before; without, all is new'),
      waitMs: z
        .int()
        .nonnegative()
        .max(600_000)
        .default(30_000)
        .describe('milliseconds until an empty answer'),
    }),
    z.object({
      cursor: z.string().max(100).describe('of this window session: of another one, all is new'),
      changed: z.array(z.enum(stateParts)).max(stateParts.length),
    }),
  ),
};
