import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import { adapter, router, type SetTool, type ToolSet } from './set.ts';

const text = z.string().max(4_000_000);
const path = z.string().max(4096);

const bash = adapter(
  'bash',
  'Runs one command with bash in the workspace and returns its output and exit code.',
  'shell',
  { command: z.string().min(1).max(100_000).describe('run by bash in the workspace') },
  ({ command }) => ({ command }),
);

const fileEdit = router(
  'file_edit',
  'Reads and changes a text file: view lines, create or overwrite it, replace a text that occurs once, insert lines.',
  ['read_file', 'write_file', 'search_replace', 'edit_file'],
  {
    command: z.enum(['view', 'create', 'str_replace', 'insert']).describe('what to do'),
    path: path.describe('the file'),
    start_line: z.int().positive().optional().describe('view: the first line; default: 1'),
    end_line: z.int().positive().optional().describe('view: the last line, included; default: the last'),
    file_text: text.optional().describe('create: its whole text'),
    old_str: text.min(1).optional().describe('str_replace: exactly as in the file; must occur once'),
    new_str: text.optional().describe('str_replace: instead of it; default: nothing'),
    insert_line: z.int().nonnegative().optional().describe('insert: after this line; 0: at the top'),
    insert_text: text.optional().describe('insert: one line or several'),
  },
  (input) => {
    const where = { path: input.path };
    const needed = <T>(field: string, value: T | undefined): T => {
      if (value !== undefined) return value;
      throw new PwpError('bad-action', `tool file_edit: bad arguments: ${input.command} needs ${field}`);
    };
    switch (input.command) {
      case 'view':
        return ['read_file', { ...where, start_line: input.start_line, end_line: input.end_line }];
      case 'create':
        return ['write_file', { ...where, content: needed('file_text', input.file_text) }];
      case 'str_replace': {
        const old = needed('old_str', input.old_str);
        return ['search_replace', { ...where, old_string: old, new_string: input.new_str ?? '' }];
      }
      case 'insert': {
        const line = needed('insert_line', input.insert_line) + 1;
        const content = needed('insert_text', input.insert_text).replace(/\r?\n$/, '');
        return ['edit_file', { ...where, edits: [{ type: 'insert', line, content }] }];
      }
    }
  },
);

const originalImage = adapter(
  'view_original_image',
  'Shows the picture that is to be reproduced.',
  'view_image',
  { path: path.describe('the picture, as the task names it') },
  (input) => ({ path: input.path }),
);

const swe: readonly SetTool[] = [
  adapter(
    'search_repository',
    'Finds a text in all files of the repository and returns the lines that have it.',
    'grep_search',
    { query: z.string().min(1).max(10_000).describe('the text, as it is: no regular expression') },
    ({ query }) => ({ query, regex: false, case_sensitive: true }),
  ),
  adapter(
    'file_name_search',
    'Finds files by a part of their name or path.',
    'file_search',
    { query: z.string().min(1).max(1000).describe('part of a name or path') },
    ({ query }) => ({ query }),
  ),
  adapter(
    'view_structure',
    'Returns the tree of files and folders.',
    'repository_structure',
    { path: path.optional().describe('the folder; default: the whole workspace') },
    (input) => ({ path: input.path }),
  ),
];

const design: readonly SetTool[] = [
  adapter(
    'view_html_preview',
    'Shows an HTML file as a rendered page, and returns a picture of it.',
    'preview_html',
    { path: path.default('index.html').describe('the page') },
    (input) => ({ path: input.path }),
  ),
  originalImage,
  adapter('zoom_in', 'Zooms into the rendered page by one step.', 'zoom_preview', {}, () => ({ to: 'in' })),
  adapter('zoom_out', 'Zooms out of the rendered page by one step.', 'zoom_preview', {}, () => ({
    to: 'out',
  })),
];

const chart: readonly SetTool[] = [
  adapter(
    'view_python_preview',
    'Runs a Python file that draws with Matplotlib, and returns the pictures it draws.',
    'preview_chart',
    { path: path.describe('the Python file') },
    (input) => ({ path: input.path }),
  ),
  originalImage,
];

const sql: readonly SetTool[] = [
  adapter(
    'test_sql',
    'Runs a query against the database and returns its rows. It can only read.',
    'sqlite_query',
    {
      database: path.describe('the SQLite file'),
      query: z.string().min(1).max(100_000).describe('one SQL statement'),
    },
    ({ database, query }) => ({ path: database, sql: query }),
  ),
  adapter(
    'get_relevant_schemas',
    'Describes tables of the database: columns, keys, and what they mean where that is written down.',
    'sqlite_schema',
    {
      database: path.describe('the SQLite file'),
      tables: z.array(z.string().max(500)).max(200).optional().describe('only these; default: all'),
    },
    ({ database, tables }) => ({ path: database, tables }),
  ),
];

const everyFamily = [bash, fileEdit];

/**
 * The tools that the assisted agents of "Programming with Pixels" (Table 9) have in each family of its tasks, by its
 * names; those of the registry do the work. The paper prints no schemas: the arguments are ours.
 */
export const pwpSets: readonly ToolSet[] = [
  { name: 'pwp-swe', tools: [...everyFamily, ...swe] },
  { name: 'pwp-design', tools: [...everyFamily, ...design] },
  { name: 'pwp-chart', tools: [...everyFamily, ...chart] },
  { name: 'pwp-sql', tools: [...everyFamily, ...sql] },
  { name: 'pwp', tools: [...new Set([...everyFamily, ...swe, ...design, ...chart, ...sql])] },
];
