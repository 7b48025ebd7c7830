import * as z from 'zod';
import type { ToolEffect } from './descriptor.ts';
import { column, lineNumber, pathOut, version } from './shared.ts';

const text = z.string().max(10_000);

/** A diagnostic as tools report it; `ide.diagnostics` reports the same in VS Code's own numbers. */
export const problem = z.object({
  path: pathOut,
  severity: z.enum(['error', 'warning', 'information', 'hint']),
  line: lineNumber,
  column,
  end_line: lineNumber,
  end_column: column,
  message: text,
  source: text.optional().describe('its source, e.g. ts'),
  code: text.optional(),
});
export type Problem = z.output<typeof problem>;

/** Whether the known diagnostics of a file are about its current text. */
export const freshness = z
  .enum(['fresh', 'stale', 'none'])
  .describe(
    'fresh: they are about the current text; stale: the language server had not reported on this text when the wait ended, so they may be about an earlier text; none: nothing in this IDE checks this language',
  );

/** How an edit changed the diagnostics of its file. */
export const editProblems = z.object({
  state: freshness,
  why: text.describe('the reason for the state'),
  document_version: z
    .int()
    .nullable()
    .describe("VS Code's number of the text that was checked; null if the file is not open"),
  compared: z.boolean().describe('false: nothing was known before the edit, so `appeared` has all problems'),
  appeared: z.array(problem).max(200).describe('new problems; most severe first'),
  gone: z.array(problem).max(200).describe('problems that are gone now'),
  remaining: z.int().nonnegative().describe('number of problems that are still there'),
  omitted: z.int().nonnegative().describe('left out of `appeared` and `gone`'),
});
export type EditProblems = z.output<typeof editProblems>;

/** The result of writing a file. */
export const written = z.object({
  path: pathOut,
  created: z.boolean().describe('there was no such file before'),
  changed: z.boolean().describe('false: the file already had this text and was not written'),
  through: z
    .enum(['buffer', 'disk'])
    .describe(
      "buffer: in VS Code's document, so that undo works in the IDE; disk: the file was replaced atomically",
    ),
  saved: z
    .boolean()
    .describe('false: the editor had unsaved changes; they are kept, and this edit is unsaved too'),
  adjusted: z.boolean().describe('saving changed the text further, e.g. by a formatter'),
  version: version,
  previous_version: version.nullable().describe('null for a new file'),
  lines_added: z.int().nonnegative(),
  lines_removed: z.int().nonnegative(),
  problems: editProblems,
});
export type Written = z.output<typeof written>;

/** How long an edit waits for the language server's diagnostics. */
export const waitForProblems = z
  .int()
  .min(0)
  .max(60_000)
  .default(5000)
  .describe("maximum milliseconds to wait for the diagnostics of the new text; 0: don't read them");

export function writtenText(result: Written): string {
  return [headline(result), ...problemLines(result.problems)].join('\n');
}

export function writtenEffect(result: Written): ToolEffect {
  return { effect: result.changed ? 'confirmed' : 'no-effect', evidence: headline(result) };
}

export function problemLine({ path, line, column: at, severity, message, source, code }: Problem): string {
  const by = [source, code].filter((part) => part !== undefined).join(' ');
  return `${path}:${line}:${at} ${severity}: ${message}${by === '' ? '' : ` (${by})`}`;
}

function headline(result: Written): string {
  const {
    path,
    created,
    changed,
    saved,
    adjusted,
    version: now,
    lines_added: more,
    lines_removed: less,
  } = result;
  if (!changed) return `${path} had this text already; version ${now}`;
  const what = created ? `created ${path} with ${more} lines` : `changed ${path}: +${more} -${less} lines`;
  const rest = [
    ...(saved ? [] : ['unsaved, like the earlier changes in this editor']),
    ...(adjusted ? ['saving adjusted the text further: read it again'] : []),
    `version ${now}`,
  ];
  return `${what}; ${rest.join('; ')}`;
}

function problemLines({ state, why, compared, appeared, gone, remaining, omitted }: EditProblems): string[] {
  if (state === 'none') return [];
  const counts = compared
    ? `${appeared.length} appeared, ${gone.length} gone, ${remaining} as before`
    : `${appeared.length} in the file`;
  return [
    `problems (${state}: ${why}): ${counts}${omitted > 0 ? `, ${omitted} not shown` : ''}`,
    ...appeared.map((one) => `+ ${problemLine(one)}`),
    ...gone.map((one) => `- ${problemLine(one)}`),
  ];
}
