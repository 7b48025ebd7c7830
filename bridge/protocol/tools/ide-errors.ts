import * as z from 'zod';
import { tool } from './descriptor.ts';
import { freshness, problem, problemLine } from './edits.ts';
import { pathIn, pathOut } from './shared.ts';

const count = z.int().nonnegative();
const most = { files: 100, problems: 2000 };

const checkedFile = z.object({
  path: pathOut,
  state: freshness,
  why: z.string().max(10_000).describe('the reason for the state'),
  document_version: z.int().nullable().describe("VS Code's number of the text that was checked"),
  problems: count.describe('number of problems of the requested severities'),
});

/** Problems that language servers and linters report. */
export const errorTools = {
  getErrors: tool({
    name: 'get_errors',
    title: 'Problems',
    description:
      'Returns the errors and warnings of files, as the Problems view shows them. Waits until they match the current text, unsaved changes included; otherwise it marks the problems of a file as stale. For a folder, it checks its TypeScript, JavaScript and Python, and what is open or has problems there: at most 100 files, and it says how many it left out.',
    family: 'ide',
    where: 'extension',
    readOnly: true,
    sources: [{ from: 'VS Code', name: 'get_errors' }],
    input: z.strictObject({
      paths: z.array(pathIn).max(50).default([]).describe('files and folders; default: the whole workspace'),
      severity: z
        .enum(['error', 'warning', 'information', 'hint'])
        .default('warning')
        .describe('the lowest severity to return'),
      wait_ms: z
        .int()
        .min(0)
        .max(60_000)
        .default(10_000)
        .describe('maximum milliseconds to wait for language servers, for all files together'),
      limit: z.int().min(1).max(most.problems).default(200).describe('maximum number of problems'),
    }),
    output: z.object({
      problems: z.array(problem).max(most.problems).describe('most severe first'),
      total: count,
      errors: count,
      files: z.array(checkedFile).max(most.files),
      not_checked: count.describe('number of code files of the folders that were not looked at'),
      truncated: z
        .boolean()
        .describe(`there are more problems than the limit, or more than ${most.files} files`),
    }),
    text: ({ problems, total, files, not_checked: left, truncated }) =>
      [
        `${total} problems in ${files.length} files${truncated ? ', cut here' : ''}`,
        ...notChecked(left),
        ...problems.map(problemLine),
        ...files
          .filter(({ state }) => state !== 'fresh')
          .map(({ path, state, why }) => `${path}: ${state === 'none' ? 'not checked' : 'stale'}: ${why}`),
      ].join('\n'),
    effect: ({ total, files, not_checked: left }) => {
      const stale = files.filter(({ state }) => state === 'stale').length;
      const known = [`${total} problems in ${files.length} files`, ...notChecked(left)].join('; ');
      return stale === 0 && left > 0
        ? { effect: 'partial', evidence: known }
        : stale === 0
          ? { effect: 'confirmed', evidence: known }
          : { effect: 'partial', evidence: `${known}; ${stale} files may have changed since` };
    },
  }),
};

function notChecked(left: number): string[] {
  return left === 0 ? [] : [`${left} files were not looked at: name them, or a folder of them, in paths`];
}
