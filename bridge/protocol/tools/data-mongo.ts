import * as z from 'zod';
import { tool } from './descriptor.ts';

const queries = ['find', 'find_one', 'count', 'distinct', 'aggregate', 'collections', 'indexes'] as const;

/** MongoDB, if the task has it. */
export const mongoTools = {
  mongoQuery: tool({
    name: 'mongo_query',
    title: 'Query MongoDB',
    description:
      'Queries a MongoDB server of the task, read-only, with mongosh. Fails if the sandbox has no mongosh: then use the shell with a client that the task provides.',
    family: 'data',
    where: 'bridge',
    readOnly: true,
    sources: [{ from: 'IDE-Bench', name: 'database_query' }],
    input: z.strictObject({
      query_type: z.enum(queries).describe('what to ask'),
      url: z
        .url({ protocol: /^mongodb(?:\+srv)?$/ })
        .max(2000)
        .default('mongodb://127.0.0.1:27017/test')
        .describe('of the server, with the database'),
      collection: z.string().max(500).default('').describe('its name; not for collections'),
      query: z.unknown().optional().describe('the filter as Extended JSON; aggregate: the list of stages'),
      field: z.string().max(500).optional().describe('distinct: the field'),
      limit: z.int().min(1).max(1000).default(50).describe('maximum number of documents'),
      timeout_ms: z.int().min(1).max(300_000).default(30_000).describe('milliseconds until it is ended'),
    }),
    output: z.object({
      documents: z.array(z.unknown()).max(1000).describe('as relaxed Extended JSON'),
      truncated: z.boolean().describe('there are more than the limit'),
    }),
    text: ({ documents, truncated }) =>
      [
        `${documents.length} documents${truncated ? ', cut here' : ''}`,
        ...documents.map((one) => JSON.stringify(one)),
      ].join('\n'),
  }),
};
