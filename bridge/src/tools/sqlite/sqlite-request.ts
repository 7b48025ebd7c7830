import * as z from 'zod';

/** The argument that makes the bundle run as this program instead of the bridge. */
export const sqliteProgram = 'sqlite';

/** Given to the program as JSON on its standard input. */
export const sqliteRequest = z.object({
  path: z.string().describe('absolute, links resolved'),
  work: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('schema'), tables: z.array(z.string()).optional() }),
    z.object({
      kind: z.enum(['read', 'write']),
      sql: z.string(),
      parameters: z.array(z.union([z.null(), z.number(), z.string()])),
      limit: z.int(),
    }),
  ]),
});
export type SqliteRequest = z.output<typeof sqliteRequest>;

/** Its answer, as JSON on standard output. */
export const sqliteAnswer = z.union([
  z.object({ result: z.record(z.string(), z.unknown()) }),
  z.object({
    failed: z.enum([
      'bad-query',
      'not-a-database',
      'read-only',
      'guarded',
      'failed',
      'bad-arguments',
      'not-found',
    ]),
    message: z.string(),
  }),
]);
export type SqliteAnswer = z.output<typeof sqliteAnswer>;
