import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import { ideBenchTools } from './ide-bench-tools.ts';
import { adaptTool, longText, pathText, routeTool, type SetTool, type ToolSet } from './tool-set.ts';

const bashTool = adaptTool(
  'bash',
  'Runs one command with bash in the workspace and returns its output and exit code.',
  'shell',
  { command: z.string().min(1).max(100_000).describe('run by bash in the workspace') },
  ({ command }) => ({ command }),
);

const fileEdit = routeTool(
  'file_edit',
  'Reads and changes a text file: view lines, create or overwrite it, replace a text that occurs once, insert lines.',
  ['read_file', 'write_file', 'search_replace', 'edit_file'],
  {
    command: z.enum(['view', 'create', 'str_replace', 'insert']).describe('what to do'),
    path: pathText.describe('the file'),
    start_line: z.int().positive().optional().describe('view: the first line; default: 1'),
    end_line: z.int().positive().optional().describe('view: the last line, included; default: the last'),
    file_text: longText.optional().describe('create: its whole text'),
    old_str: longText.min(1).optional().describe('str_replace: exactly as in the file; must occur once'),
    new_str: longText.optional().describe('str_replace: instead of it; default: nothing'),
    insert_line: z.int().nonnegative().optional().describe('insert: after this line; 0: at the top'),
    insert_text: longText.optional().describe('insert: one line or several'),
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

const originalImage = adaptTool(
  'view_original_image',
  'Shows the picture that is to be reproduced.',
  'view_image',
  { path: pathText.describe('the picture, as the task names it') },
  (input) => ({ path: input.path }),
);

const sweTools: readonly SetTool[] = [
  adaptTool(
    'search_repository',
    'Finds a text in all files of the repository and returns the lines that have it.',
    'grep_search',
    { query: z.string().min(1).max(10_000).describe('the text, as it is: no regular expression') },
    ({ query }) => ({ query, regex: false, case_sensitive: true }),
  ),
  adaptTool(
    'file_name_search',
    'Finds files by a part of their name or path.',
    'file_search',
    { query: z.string().min(1).max(1000).describe('part of a name or path') },
    ({ query }) => ({ query }),
  ),
  adaptTool(
    'view_structure',
    'Returns the tree of files and folders.',
    'repository_structure',
    { path: pathText.optional().describe('the folder; default: the whole workspace') },
    (input) => ({ path: input.path }),
  ),
];

const designTools: readonly SetTool[] = [
  adaptTool(
    'view_html_preview',
    'Shows an HTML file as a rendered page, and returns a picture of it.',
    'preview_html',
    { path: pathText.default('index.html').describe('the page') },
    (input) => ({ path: input.path }),
  ),
  originalImage,
  adaptTool('zoom_in', 'Zooms into the rendered page by one step.', 'zoom_preview', {}, () => ({ to: 'in' })),
  adaptTool('zoom_out', 'Zooms out of the rendered page by one step.', 'zoom_preview', {}, () => ({
    to: 'out',
  })),
];

const chartTools: readonly SetTool[] = [
  adaptTool(
    'view_python_preview',
    'Runs a Python file that draws with Matplotlib, and returns the pictures it draws.',
    'preview_chart',
    { path: pathText.describe('the Python file') },
    (input) => ({ path: input.path }),
  ),
  originalImage,
];

const sqlTools: readonly SetTool[] = [
  adaptTool(
    'test_sql',
    'Runs a query against the database and returns its rows. It can only read.',
    'sqlite_query',
    {
      database: pathText.describe('the SQLite file'),
      query: z.string().min(1).max(100_000).describe('one SQL statement'),
    },
    ({ database, query }) => ({ path: database, sql: query }),
  ),
  adaptTool(
    'get_relevant_schemas',
    'Describes tables of the database: columns, keys, and what they mean where that is written down.',
    'sqlite_schema',
    {
      database: pathText.describe('the SQLite file'),
      tables: z.array(z.string().max(500)).max(200).optional().describe('only these; default: all'),
    },
    ({ database, tables }) => ({ path: database, tables }),
  ),
];

const everyFamily = [bashTool, fileEdit];

/**
 * The tools that the assisted agents of "Programming with Pixels" (Table 9) have in each family of its tasks, by its
 * names; those of the registry do the work. The paper prints no schemas: the arguments are ours.
 */
const pwpSets: readonly ToolSet[] = [
  { name: 'pwp-swe', tools: [...everyFamily, ...sweTools] },
  { name: 'pwp-design', tools: [...everyFamily, ...designTools] },
  { name: 'pwp-chart', tools: [...everyFamily, ...chartTools] },
  { name: 'pwp-sql', tools: [...everyFamily, ...sqlTools] },
  {
    name: 'pwp',
    tools: [...new Set([...everyFamily, ...sweTools, ...designTools, ...chartTools, ...sqlTools])],
  },
];

const toolSets: readonly ToolSet[] = [ideBenchTools, ...pwpSets];

export const setNames: readonly string[] = toolSets.map(({ name }) => name);

/** Errors: `bad-action`. */
export function toolSet(name: string): ToolSet {
  const found = toolSets.find((one) => one.name === name);
  if (found) return found;
  throw new PwpError('bad-action', `there is no set of tools ${name}; expected ${setNames.join(', ')}`);
}
