import * as z from 'zod';
import { limits } from './connection.ts';
import { defineMethod } from './descriptor.ts';

const uri = z.string().max(8192);
const text = z.string().max(10_000);
const position = z.object({ line: z.int().nonnegative(), character: z.int().nonnegative() });
const range = z.object({ start: position, end: position });

/** Zero-based places, as elsewhere in the state; the tools `document_symbols` and `workspace_symbols` count from 1. */
const outlineSymbol = z.object({
  name: text,
  kind: text.describe('e.g. class, method, enum member'),
  detail: text.describe('e.g. a signature; empty if the language server returns none'),
  level: z.int().positive().describe('1 at the top'),
  range: range.describe('all of it'),
  selection: range.describe('its name'),
});
export type OutlineSymbol = z.output<typeof outlineSymbol>;

const workspaceSymbol = z.object({
  name: text,
  kind: text,
  container: text.describe('what contains it; empty where the language server does not report it'),
  uri,
  range,
});

const missing = text.nullable().describe('why an answer is missing; null if it is there');
const timeoutMs = z
  .int()
  .min(1)
  .max(60_000)
  .default(10_000)
  .describe('milliseconds that the language server has to answer');

/** The result of a test in its last run by the tool `run_tests`. */
const testResult = z.object({
  id: text,
  status: z.enum(['passed', 'failed', 'error', 'skipped', 'xfailed']),
  message: z.string().max(4000).describe('why it failed; empty where it did not'),
});

const testRun = z.object({
  runner: text.describe('e.g. pytest'),
  status: z.enum(['passed', 'failed', 'timed-out', 'broken']).describe('broken: the runner wrote no report'),
  ageMs: z.number().nonnegative().describe('since it ended, in milliseconds'),
  tests: z.array(testResult).max(2000).describe('those that failed come first'),
  omitted: z.int().nonnegative(),
});
export type TestRun = z.output<typeof testRun>;

/** State of the code: symbols, tests, diffs. Part of `ide`. */
export const ideCode = {
  /** Symbols of a document, in document order. Errors: `TimedOut`, `NotFound` for a file that does not exist. */
  outline: defineMethod(
    'ide.outline',
    z.object({
      uri: uri.optional().describe('default: the active editor'),
      limit: z.int().positive().max(5000).default(1000),
      timeoutMs,
    }),
    z.object({
      uri: uri.nullable().describe('null if no editor is active'),
      version: z.int().nullable().describe('of the document that this is about'),
      symbols: z.array(outlineSymbol).max(5000),
      omitted: z.int().nonnegative(),
      missing,
    }),
  ),
  /** Symbols of the workspace whose name matches, by the servers of open languages. Errors: `TimedOut`. */
  symbols: defineMethod(
    'ide.symbols',
    z.object({
      query: z.string().max(1000).describe('part of a name; some servers answer to an empty one with all'),
      limit: z.int().positive().max(2000).default(200),
      timeoutMs,
    }),
    z.object({ symbols: z.array(workspaceSymbol).max(2000), omitted: z.int().nonnegative(), missing }),
  ),
  /**
   * Tests, as far as VS Code lets one extension see those of others: the test controllers that have tests, and their
   * tests in one file. VS Code does not report their results; those here are of the last `run_tests` of this window.
   */
  tests: defineMethod(
    'ide.tests',
    z.object({ uri: uri.optional().describe('the file whose tests are listed; default: the active editor') }),
    z.object({
      controllers: z
        .array(text)
        .max(100)
        .nullable()
        .describe(
          'ids of test controllers that have found tests; null where this VS Code does not report them',
        ),
      uri: uri.nullable(),
      inFile: z
        .array(z.array(text).max(50))
        .max(2000)
        .describe(
          'each test and group of tests as its path: the controller, then the ids from the outermost',
        ),
      lastRun: testRun.nullable().describe('of the tool `run_tests`; null where it was not used'),
      unseen: text.describe("what VS Code's API hides from an extension, in words"),
    }),
  ),
  /** Git's diff. Errors: `NotFound` if the repository does not exist. */
  diff: defineMethod(
    'ide.diff',
    z.object({
      root: uri.optional().describe('of the repository; default: the first'),
      staged: z.boolean().default(true).describe('false: what is not staged; untracked files are not in it'),
      maxChars: z.int().positive().max(limits.editorText).default(200_000),
    }),
    z.object({
      root: uri,
      diff: z.string().max(limits.editorText).describe('unified; empty where nothing differs'),
      truncated: z.boolean(),
    }),
  ),
};
