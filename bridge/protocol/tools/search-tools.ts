import * as z from 'zod';
import { codeTools } from './code-tools.ts';
import { columnNumber, defineTool, lineNumber, pathArgument, resultPath } from './tool.ts';

const lineText = z.string().max(2000);
const searchBase = { family: 'search', where: 'extension', readOnly: true } as const;

const textMatch = z.object({
  path: resultPath,
  line: lineNumber,
  column: columnNumber,
  text: lineText.describe('the line; of a long one the part around the match, with … where it was cut'),
  before: z.array(lineText).max(20).describe('lines before it'),
  after: z.array(lineText).max(20).describe('lines after it'),
});

const searchScope = {
  path: pathArgument.default('.').describe('folder or file to search in; default: the workspace'),
  include_ignored: z
    .boolean()
    .default(false)
    .describe('also search what .gitignore excludes, and folders of builds and dependencies'),
};

/** Finding text, files and code. */
export const searchTools = {
  grepSearch: defineTool({
    ...searchBase,
    name: 'grep_search',
    title: 'Search text',
    description:
      'Searches files for a text or a regular expression (ripgrep’s syntax) and returns matching lines with their numbers and context. Unsaved text of open editors is searched, too. No match is a result; a bad pattern or a missing search program is an error.',
    sources: [
      { from: 'IDE-Bench', name: 'grep_search' },
      { from: 'VS Code', name: 'grep_search' },
    ],
    input: z.strictObject({
      query: z.string().min(1).max(10_000).describe('what to look for'),
      regex: z.boolean().default(true).describe('false: the query is plain text'),
      case_sensitive: z.boolean().default(false).describe('distinguish upper and lower case'),
      whole_word: z.boolean().default(false).describe('match only whole words'),
      multiline: z.boolean().default(false).describe('let a match go over several lines'),
      ...searchScope,
      include_pattern: z
        .string()
        .max(1000)
        .optional()
        .describe(
          'files to search: a path or a glob, e.g. src, *.ts or src/**/*.py, or several with commas between them',
        ),
      exclude_pattern: z.string().max(1000).optional().describe('files to leave out, in the same form'),
      context: z.int().min(0).max(20).default(0).describe('lines to return before and after each match'),
      limit: z.int().min(1).max(2000).default(200).describe('maximum number of matching lines'),
    }),
    output: z.object({
      matches: z.array(textMatch).max(2000),
      files: z.int().nonnegative().describe('number of files with matches'),
      truncated: z.boolean().describe('there are more matches than the limit'),
      notes: z.array(z.string().max(1000)).max(20).describe('what could not be searched'),
    }),
    text: ({ matches, files, truncated, notes }) =>
      [
        matches.length === 0
          ? 'no match'
          : `${matches.length} matches in ${files} files${truncated ? ', cut here' : ''}`,
        ...matches.map(renderMatches),
        ...notes.map((note) => `note: ${note}`),
      ].join('\n'),
  }),
  fileSearch: defineTool({
    ...searchBase,
    name: 'file_search',
    title: 'Find files by name',
    description:
      'Finds files by fuzzy matching of their path, as VS Code’s quick open does: the letters of the query must occur in order. Best matches come first.',
    sources: [
      { from: 'IDE-Bench', name: 'file_search' },
      { from: 'VS Code', name: 'file_search' },
    ],
    input: z.strictObject({
      query: z
        .string()
        .min(1)
        .max(1000)
        .describe('part of a name or path, e.g. usrctl for src/user_control.ts'),
      limit: z.int().min(1).max(500).default(20).describe('maximum number of files'),
      include_ignored: searchScope.include_ignored,
    }),
    output: z.object({
      files: z.array(z.object({ path: resultPath, score: z.number() })).max(500),
      matching: z.int().nonnegative().describe('number of matching files, including those beyond the limit'),
      truncated: z.boolean().describe('more files match, or the workspace has more files than were searched'),
    }),
    text: ({ files, matching }) =>
      [
        `${matching} files fit${files.length < matching ? `, the best ${files.length}` : ''}`,
        ...files.map(({ path }) => path),
      ].join('\n'),
  }),
  codebaseSearch: defineTool({
    ...searchBase,
    name: 'codebase_search',
    title: 'Search the code base',
    description:
      'Finds the places in the code that are most relevant to a question or to keywords, in any language, ranked, with the surrounding code. For exact text use grep_search.',
    sources: [
      { from: 'IDE-Bench', name: 'codebase_search' },
      { from: 'VS Code', name: 'semantic_search' },
    ],
    input: z.strictObject({
      query: z.string().min(1).max(1000).describe('keywords, or a question that contains them'),
      target_directories: z
        .array(pathArgument)
        .max(20)
        .default([])
        .describe('folders to search in, or globs of them; default: the workspace'),
      limit: z.int().min(1).max(50).default(10).describe('maximum number of places'),
    }),
    output: z.object({
      words: z.array(z.string().max(200)).max(50).describe('keywords that were searched for'),
      places: z
        .array(
          z.object({
            path: resultPath,
            start_line: lineNumber,
            end_line: lineNumber,
            score: z.number(),
            words: z.array(z.string().max(200)).max(50).describe('keywords found here'),
            text: z.string().max(10_000).describe('the lines, with their numbers'),
          }),
        )
        .max(50),
      truncated: z.boolean().describe('too many lines match to rank all of them'),
    }),
    text: ({ words, places, truncated }) =>
      [
        `${places.length} places for ${words.join(', ')}${truncated ? '; not all lines that match were ranked' : ''}`,
        ...places.map(
          (place) =>
            `${place.path}:${place.start_line}-${place.end_line} (${place.words.join(', ')})\n${place.text}`,
        ),
      ].join('\n\n'),
  }),
  repositoryStructure: defineTool({
    ...searchBase,
    name: 'repository_structure',
    title: 'Structure of the repository',
    description:
      'Returns the tree of folders and files of the workspace, or of a folder, with counts, for an overview.',
    sources: [],
    input: z.strictObject({
      path: searchScope.path,
      max_depth: z
        .int()
        .min(1)
        .max(20)
        .default(4)
        .describe('maximum levels of the tree; deeper folders are only counted'),
      limit: z.int().min(1).max(5000).default(500).describe('maximum number of lines of the tree'),
    }),
    output: z.object({
      path: resultPath,
      tree: z.string().max(600_000),
      files: z.int().nonnegative(),
      folders: z.int().nonnegative(),
      endings: z
        .array(z.object({ ending: z.string().max(255), files: z.int().positive() }))
        .max(30)
        .describe('the most common file name endings'),
      truncated: z
        .boolean()
        .describe('the tree was cut at the limit, or there are more files than were read'),
    }),
    text: ({ path, tree, files, folders, endings, truncated }) =>
      [
        `${path}: ${files} files in ${folders} folders (${endings.map((one) => `${one.ending} ${one.files}`).join(', ')})${truncated ? '; the tree is cut' : ''}`,
        tree,
      ].join('\n'),
  }),
  ...codeTools,
};

function renderMatches({ path, line, text, before, after }: z.output<typeof textMatch>): string {
  const context = (texts: readonly string[], first: number) =>
    texts.map((one, i) => `${path}-${first + i}-${one}`);
  return [
    ...context(before, line - before.length),
    `${path}:${line}:${text}`,
    ...context(after, line + 1),
  ].join('\n');
}
