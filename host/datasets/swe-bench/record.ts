import * as z from 'zod';

/** Names of tests: a list, or one in JSON as most files of the family have it. */
const testNames = z.union([z.array(z.string()), z.string().transform(parseNames)]);

function parseNames(text: string, context: z.RefinementCtx): string[] {
  const names = z.array(z.string()).safeParse(parsedOr(text));
  if (names.success) return names.data;
  context.addIssue({ code: 'custom', message: 'expected a list of names of tests, or one in JSON' });
  return z.NEVER;
}

function parsedOr(text: string): unknown {
  if (text.trim() === '') return [];
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** In Multimodal: URLs of pictures by the field that shows them; in some files as JSON. */
const imageAssets = z
  .union([z.record(z.string(), z.unknown()), z.string().transform((text) => parsedOr(text) ?? {})])
  .transform((value) => picturesOf(value));

function picturesOf(value: unknown): string[] {
  const assets = z.looseObject({ problem_statement: z.array(z.string()).nullish() }).safeParse(value);
  return assets.success ? (assets.data.problem_statement ?? []) : [];
}

/** A record of the family. Fields that only some of its sets have are optional; further ones are left alone. */
export const sweRecord = z.looseObject({
  repo: z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'expected owner/name'),
  instance_id: z.string().min(1),
  base_commit: z.string().regex(/^[0-9a-f]{7,64}$/, 'expected a commit'),
  patch: z.string().describe("the owners' own solution; empty in Multimodal's test split"),
  test_patch: z.string(),
  problem_statement: z.string().min(1),
  hints_text: z.string().nullish(),
  version: z.union([z.string(), z.number().transform(String)]).nullish(),
  FAIL_TO_PASS: testNames,
  PASS_TO_PASS: testNames,
  image_assets: imageAssets.nullish(),
  log_parser: z
    .string()
    .nullish()
    .describe('in newer files: by which the log is read, e.g. parse_log_pytest'),
  eval_type: z
    .string()
    .nullish()
    .describe('in newer files: pass_and_fail, or fail_only for logs without tests that pass'),
});

export type SweRecord = z.output<typeof sweRecord>;
