import * as z from 'zod';
import { tool } from './descriptor.ts';
import { freshness, problem, problemLine } from './edits.ts';
import { pathIn, pathOut } from './shared.ts';

const count = z.int().nonnegative();
const most = { files: 100, problems: 2000 };

const checkedFile = z.object({
  path: pathOut,
  state: freshness,
  why: z.string().max(10_000).describe('what the state rests on'),
  document_version: z.int().nullable().describe("VS Code's number of the text that was checked"),
  problems: count.describe('of the severities that were asked for'),
});

/** What language servers and linters find wrong. */
export const errorTools = {
  getErrors: tool({
    name: 'get_errors',
    title: 'Problems',
    description:
      'Returns the errors and warnings of files, as the Problems view shows them. Waits until they match the current text, unsaved changes included, or marks the problems of a file as stale. For a folder, it checks files that are open or have problems: name other files to have them checked.',
    family: 'ide',
    where: 'extension',
    readOnly: true,
    sources: [{ from: 'VS Code', name: 'get_errors' }],
    input: z.strictObject({
      paths: z.array(pathIn).max(50).default([]).describe('files and folders; default: the whole workspace'),
      severity: z
        .enum(['error', 'warning', 'information', 'hint'])
        .default('warning')
        .describe('the mildest to give'),
      wait_ms: z
        .int()
        .min(0)
        .max(60_000)
        .default(10_000)
        .describe('milliseconds to wait at most for the word of language servers, over all files'),
      limit: z.int().min(1).max(most.problems).default(200).describe('problems of the answer'),
    }),
    output: z.object({
      problems: z.array(problem).max(most.problems).describe('the worst first'),
      total: count,
      errors: count,
      files: z.array(checkedFile).max(most.files),
      truncated: z
        .boolean()
        .describe(`there are more problems than the limit, or more than ${most.files} files`),
    }),
    text: ({ problems, total, files, truncated }) =>
      [
        `${total} problems in ${files.length} files${truncated ? ', cut here' : ''}`,
        ...problems.map(problemLine),
        ...files
          .filter(({ state }) => state !== 'fresh')
          .map(({ path, state, why }) => `${path}: ${state === 'none' ? 'not checked' : 'stale'}: ${why}`),
      ].join('\n'),
    effect: ({ total, files }) => {
      const stale = files.filter(({ state }) => state === 'stale').length;
      const known = `${total} problems in ${files.length} files`;
      return stale === 0
        ? { effect: 'confirmed', evidence: known }
        : { effect: 'partial', evidence: `${known}; ${stale} files may have changed since` };
    },
  }),
};
