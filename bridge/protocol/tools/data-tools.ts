import * as z from 'zod';
import { browserTools, httpTools, socketTools } from './data-web-tools.ts';
import { defineTool, pathArgument } from './tool.ts';

const sqliteBase = { family: 'data', where: 'bridge' } as const;
const sqliteName = z.string().max(1000);
const sqliteText = z.string().max(20_000);

const database = pathArgument.describe('the database file: relative to the workspace, or absolute in it');
const sql = z.string().min(1).max(100_000).describe('one statement');
const statementTimeout = z
  .int()
  .min(1)
  .max(300_000)
  .default(30_000)
  .describe('milliseconds after which the statement is ended');

/** The value of a cell, as JSON can represent it. */
const cell = z.union([
  z.null(),
  z.number(),
  z
    .string()
    .max(20_000)
    .describe("also used for Infinity and for integers that JSON numbers can't represent exactly"),
  z.object({
    bytes: z.int().nonnegative().describe('size of the blob'),
    hex: z.string().max(200).describe('its first bytes'),
  }),
]);

const parameters = z
  .array(z.union([z.null(), z.number(), z.string().max(100_000), z.boolean()]))
  .max(1000)
  .default([])
  .describe('values for ?, in order; true and false are 1 and 0');

const rows = z.object({
  columns: z.array(sqliteName).max(2000).describe('empty if the statement returns no rows'),
  rows: z.array(z.array(cell).max(2000)).max(10_000),
  truncated: z.boolean().describe('there are more rows than the limit, or than fit into an answer'),
  clipped: z.int().nonnegative().describe('cells whose text is cut at its end'),
  duration_ms: z.number().nonnegative(),
});

const column = z.object({
  name: sqliteName,
  type: sqliteName.describe('as declared; may be empty'),
  not_null: z.boolean(),
  default: sqliteText.nullable(),
  primary_key: z
    .int()
    .nonnegative()
    .describe('position in the primary key from 1; 0 if it is not part of it'),
  description: sqliteText.nullable().describe('of `database_description/<table>.csv` beside the database'),
  values: sqliteText.nullable().describe('what its values mean, from the same file'),
});

const table = z.object({
  name: sqliteName,
  kind: z.enum(['table', 'view', 'virtual']),
  rows: z.int().nonnegative().nullable().describe("null: more than a million, or it can't be counted"),
  sql: sqliteText.describe('the statement that created it, with its comments'),
  columns: z.array(column).max(2000),
  foreign_keys: z
    .array(
      z.object({
        columns: z.array(sqliteName).max(100),
        table: sqliteName,
        to: z.array(sqliteName).max(100),
      }),
    )
    .max(1000),
  indexes: z
    .array(z.object({ name: sqliteName, unique: z.boolean(), columns: z.array(sqliteName).max(100) }))
    .max(1000),
});

/** SQLite files of the workspace. A separate process does the work, so that an endless statement can be stopped. */
const sqliteTools = {
  sqliteSchema: defineTool({
    ...sqliteBase,
    name: 'sqlite_schema',
    title: 'Schema of a SQLite database',
    description:
      'Describes the tables and views of a SQLite file: columns with types, keys, indexes, numbers of rows, and the statements that created them. If a folder database_description with a CSV file for each table is beside the database, also returns the meaning of columns and values.',
    readOnly: true,
    sources: [],
    input: z.strictObject({
      path: database,
      tables: z.array(sqliteName).max(200).optional().describe('only these; default: all'),
      timeout_ms: statementTimeout,
    }),
    output: z.object({
      path: z.string().max(8192),
      tables: z.array(table).max(500),
      truncated: z.boolean().describe('there are more tables'),
      described_by: z.array(z.string().max(8192)).max(500).describe('files that descriptions were read from'),
      notes: z.array(sqliteText).max(50).describe('what could not be read, and why'),
    }),
    text: ({ path, tables, notes }) =>
      [
        `${path}: ${tables.length} tables`,
        ...tables.map(renderTable),
        ...notes.map((note) => `note: ${note}`),
      ].join('\n'),
  }),
  sqliteQuery: defineTool({
    ...sqliteBase,
    name: 'sqlite_query',
    title: 'Query a SQLite database',
    description:
      "Runs one SELECT (or another statement that only reads) on a SQLite file and returns its rows. The database is opened read-only, other files can't be attached, and the query is ended when its time is over.",
    readOnly: true,
    sources: [],
    input: z.strictObject({
      path: database,
      sql,
      parameters,
      limit: z.int().min(1).max(10_000).default(100).describe('maximum number of rows'),
      timeout_ms: statementTimeout,
    }),
    output: rows,
    text: renderRows,
  }),
  sqliteExecute: defineTool({
    ...sqliteBase,
    name: 'sqlite_execute',
    title: 'Change a SQLite database',
    description:
      "Runs one statement that may change a SQLite file: INSERT, UPDATE, DELETE, CREATE and the like. Other files can't be attached. A statement that times out changes nothing.",
    readOnly: false,
    sources: [],
    input: z.strictObject({
      path: database,
      sql,
      parameters,
      create: z.boolean().default(false).describe('create the file if it does not exist'),
      timeout_ms: statementTimeout,
    }),
    output: rows.extend({
      changes: z.int().nonnegative().describe('rows inserted, updated, deleted'),
      changed: z.boolean().describe('false: rows and tables are as they were'),
    }),
    text: (result) =>
      [`${result.changes} rows changed`, ...(result.columns.length > 0 ? [renderRows(result)] : [])].join(
        '\n',
      ),
    effect: ({ changes, changed }) => ({
      effect: changed ? 'confirmed' : 'no-effect',
      evidence: changed ? `${changes} rows changed` : 'nothing was changed',
    }),
  }),
};

function renderRows({ columns, rows: all, truncated }: z.output<typeof rows>): string {
  const lines = all.map((row) => row.map(renderCell).join(' | '));
  const count = `${all.length} rows${truncated ? ', cut here: there are more' : ''}`;
  return [count, columns.join(' | '), ...lines].join('\n');
}

function renderCell(value: z.output<typeof cell>): string {
  if (value === null) return 'NULL';
  return typeof value === 'object' ? `x'${value.hex}' (${value.bytes} bytes)` : String(value);
}

function renderTable({
  name: own,
  kind,
  rows: count,
  columns,
  foreign_keys: keys,
}: z.output<typeof table>): string {
  const lines = columns.map((one) => {
    const marks = [
      one.type,
      one.primary_key > 0 ? 'primary key' : '',
      one.not_null ? 'not null' : '',
      one.default === null ? '' : `default ${one.default}`,
    ];
    const means = [one.description, one.values].filter((part) => part !== null).join('; values: ');
    return `  ${one.name} ${marks.filter((part) => part !== '').join(', ')}${means && ` -- ${means}`}`;
  });
  const refers = keys.map(
    ({ columns: from, table: to, to: at }) => `  (${from.join(', ')}) -> ${to} (${at.join(', ')})`,
  );
  return [`${kind} ${own} (${count ?? 'very many'} rows)`, ...lines, ...refers].join('\n');
}

const mongoQueryInput = [
  'find',
  'find_one',
  'count',
  'distinct',
  'aggregate',
  'collections',
  'indexes',
] as const;

/** MongoDB, if the task has it. */
const mongoTools = {
  mongoQuery: defineTool({
    name: 'mongo_query',
    title: 'Query MongoDB',
    description:
      'Queries a MongoDB server of the task, read-only, with mongosh. Fails if the sandbox has no mongosh: then use the shell with a client that the task provides.',
    family: 'data',
    where: 'bridge',
    readOnly: true,
    sources: [{ from: 'IDE-Bench', name: 'database_query' }],
    input: z.strictObject({
      query_type: z.enum(mongoQueryInput).describe('what to ask'),
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

/** Databases, servers and pages that run beside the IDE. */
export const dataTools = { ...sqliteTools, ...httpTools, ...socketTools, ...browserTools, ...mongoTools };
