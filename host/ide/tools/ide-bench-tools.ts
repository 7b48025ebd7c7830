import * as z from 'zod';
import { runningTools } from './ide-bench-run-tools.ts';
import { adaptTool, longText, pathText, type SetTool, type ToolSet } from './tool-set.ts';

const lineNumber = z.int().positive();

const readingTools: readonly SetTool[] = [
  adaptTool(
    'codebase_search',
    'Searches the code base for keywords, in any language, and returns ranked places with the surrounding code.',
    'codebase_search',
    {
      query: z.string().min(1).max(1000).describe('what to look for'),
      target_directories: z.array(pathText).max(20).optional().describe('folders to search in'),
    },
    ({ query, target_directories: folders }) => ({
      query,
      ...(folders && { target_directories: folders.map(readFolder) }),
    }),
  ),
  adaptTool(
    'read_file',
    'Reads a file, whole or a range of lines, with line numbers.',
    'read_file',
    {
      target_file: pathText.describe('the file'),
      should_read_entire_file: z.boolean().describe('whole; the two numbers do not count then'),
      start_line_one_indexed: lineNumber.optional().describe('the first line'),
      end_line_one_indexed_inclusive: lineNumber.optional().describe('the last line, included'),
    },
    (input) => ({
      path: input.target_file,
      ...(!input.should_read_entire_file && {
        start_line: input.start_line_one_indexed,
        end_line: input.end_line_one_indexed_inclusive,
      }),
    }),
  ),
  adaptTool(
    'list_dir',
    'Lists the files and folders of a folder.',
    'list_dir',
    {
      relative_workspace_path: pathText.describe('the folder; empty or . for the workspace'),
      recursive: z.boolean().optional().describe('what its folders hold, too'),
    },
    ({ relative_workspace_path: where, recursive }) => ({ path: readFolder(where), recursive }),
  ),
  adaptTool(
    'grep_search',
    'Searches files for a regular expression and returns matching lines with their numbers.',
    'grep_search',
    {
      query: z.string().min(1).max(10_000).describe('the regular expression'),
      case_sensitive: z.boolean().optional().describe('distinguish upper and lower case'),
      include_pattern: z.string().max(1000).optional().describe('glob of files to search'),
      exclude_pattern: z.string().max(1000).optional().describe('glob of files to exclude'),
    },
    ({ query, case_sensitive: exact, include_pattern: include, exclude_pattern: exclude }) => ({
      query,
      case_sensitive: exact,
      include_pattern: include,
      exclude_pattern: exclude,
    }),
  ),
  adaptTool(
    'file_search',
    'Finds files whose path fits a query loosely.',
    'file_search',
    { query: z.string().min(1).max(1000).describe('part of a path') },
    ({ query }) => ({ query }),
  ),
];

const lineEdit = z.strictObject({
  type: z.enum(['insert', 'replace', 'delete']).describe('insert: before the line'),
  line_number: lineNumber.describe('in the file as it was before this call, regardless of the other edits'),
  content: longText.optional().describe('insert, replace: one line or several'),
});

const writingTools: readonly SetTool[] = [
  adaptTool(
    'edit_file',
    'Inserts, replaces and deletes lines of a file. All line numbers refer to the file as it was; all edits are made or none. Inserting at line 1 makes a file that is not there.',
    'edit_file',
    {
      target_file: pathText.describe('the file'),
      instructions: z.string().max(20_000).describe('one sentence: what the edit does'),
      edit_type: z.enum(['line_edits']).describe('the only kind there is'),
      line_edits: z.array(lineEdit).min(1).max(1000).describe('none may overlap'),
    },
    ({ target_file: where, line_edits: edits }) => ({
      path: where,
      create: true,
      edits: edits.map(({ type, line_number: at, content }) => ({
        type,
        line: at,
        ...(type !== 'delete' && { content }),
      })),
    }),
  ),
  adaptTool(
    'search_replace',
    'Replaces a text that occurs exactly once in a file, or everywhere with replace_all.',
    'search_replace',
    {
      file_path: pathText.describe('the file'),
      old_string: longText.min(1).describe('exactly as in the file'),
      new_string: longText.describe('instead of it'),
      replace_all: z.boolean().optional().describe('everywhere'),
    },
    ({ file_path: where, ...rest }) => ({
      path: where,
      old_string: rest.old_string,
      new_string: rest.new_string,
      replace_all: rest.replace_all,
    }),
  ),
  adaptTool(
    'write_file',
    'Writes a whole file, and creates it if needed.',
    'write_file',
    { file_path: pathText.describe('the file'), content: longText.describe('its whole text') },
    ({ file_path: where, content }) => ({ path: where, content }),
  ),
  adaptTool(
    'delete_file',
    'Deletes a file.',
    'delete_file',
    { target_file: pathText.describe('the file') },
    ({ target_file: where }) => ({ path: where }),
  ),
  adaptTool(
    'create_directory',
    'Makes a folder and those above it.',
    'create_directory',
    { path: pathText.describe('the folder') },
    ({ path: where }) => ({ path: where }),
  ),
];

/** The tools of IDE-Bench, with its names and arguments; tools of the registry do the work. */
export const ideBenchTools: ToolSet = {
  name: 'ide-bench',
  tools: [...readingTools, ...writingTools, ...runningTools],
};

/** IDE-Bench writes the workspace as an empty path, or as `./`. */
function readFolder(given: string): string {
  const trimmed = given.trim().replace(/(?<=.)\/+$/, '');
  return trimmed === '' ? '.' : trimmed;
}
