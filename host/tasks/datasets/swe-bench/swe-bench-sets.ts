import * as z from 'zod';
import { tryParseJson } from '../../../../bridge/text/index.ts';
import type { DatasetAbout } from '../records/index.ts';

export interface SweBenchSet {
  readonly about: DatasetAbout;
  /** Names of the file of records below `--data`, the usual one first. */
  readonly files: readonly string[];
}

const resolvedMetric =
  'Resolved: every FAIL_TO_PASS test passes and every PASS_TO_PASS test passes or is skipped; the score is the share resolved.';
const imageNeeds = [
  "The image of each record: the one that it names, or --image. Scored there: yes, by the record's script and the owners' grading, test by test; records of SWE-bench 4 and older have no script, and no score.",
  'swebench of PyPI, which is installed when the first record is played.',
];
const cloneNeeds = [
  'Clones or bundles of the repositories, at repos/owner__name below --data.',
  "Scored in the owners' image: no, the records have no script that runs their tests. The owners' harness grades what pwp export swe-bench writes.",
];

/** By split: the names that the owners' own files have. */
function listFileNames(...splits: readonly string[]): string[] {
  const all = splits.flatMap((split) => [`${split}.parquet`, `data/${split}-00000-of-00001.parquet`]);
  return [...all, ...splits.flatMap((split) => [`${split}.jsonl`, `${split}.json`, `${split}.jsonl.gz`])];
}

interface SetFacts {
  readonly name: string;
  readonly title: string;
  readonly records: number;
  readonly source: string;
  readonly family?: string;
  readonly splits?: readonly string[];
  readonly licence?: string;
  /** Default: what records with an image need. */
  readonly needs?: readonly string[];
}

function defineSet({
  name,
  title,
  records,
  source,
  family,
  splits = ['test', 'dev'],
  licence,
  needs = imageNeeds,
}: SetFacts): SweBenchSet {
  return {
    about: {
      name,
      title,
      family: family ?? 'Code generation and editing',
      records,
      source,
      licence: licence ?? 'MIT (code); each repository has its own',
      metric: resolvedMetric,
      agentCode: 'beside',
      files: [`${splits[0] ?? 'test'}.parquet`, ...(needs === cloneNeeds ? ['repos/owner__name'] : [])],
      needs,
    },
    files: listFileNames(...splits),
  };
}

/** All sets of the family, which differ in their records alone. */
export const sweBenchSets: readonly SweBenchSet[] = [
  defineSet({
    name: 'swe-bench',
    title: 'SWE-bench',
    records: 2294,
    source: 'princeton-nlp/SWE-bench on Hugging Face',
  }),
  defineSet({
    name: 'swe-bench-lite',
    title: 'SWE-bench Lite',
    records: 300,
    source: 'princeton-nlp/SWE-bench_Lite on Hugging Face',
  }),
  defineSet({
    name: 'swe-bench-verified',
    title: 'SWE-bench Verified',
    records: 500,
    source: 'princeton-nlp/SWE-bench_Verified on Hugging Face',
    splits: ['test'],
  }),
  defineSet({
    name: 'swe-bench-multilingual',
    title: 'SWE-bench Multilingual',
    records: 300,
    source: 'SWE-bench/SWE-bench_Multilingual on Hugging Face',
    splits: ['test'],
  }),
  defineSet({
    name: 'swe-bench-java',
    title: 'SWE-bench-java Verified',
    records: 91,
    source: 'Daoguang/Multi-SWE-bench on Hugging Face',
    splits: ['java_verified', 'swe-bench-java-verified', 'test'],
    licence: 'not stated; each repository has its own',
    needs: cloneNeeds,
  }),
  defineSet({
    name: 'swe-bench-multimodal',
    title: 'SWE-bench Multimodal',
    family: 'Multimodal code synthesis',
    records: 612,
    source: 'SWE-bench/SWE-bench_Multimodal on Hugging Face',
    splits: ['dev', 'test'],
  }),
];

/** Names of tests: a list, or one in JSON as most files of the family have it. */
const testNamesField = z.union([z.array(z.string()), z.string().transform(parseNames)]);

function parseNames(text: string, context: z.RefinementCtx): string[] {
  const names = z.array(z.string()).safeParse(text.trim() === '' ? [] : tryParseJson(text));
  if (names.success) return names.data;
  context.addIssue({ code: 'custom', message: 'expected a list of names of tests, or one in JSON' });
  return z.NEVER;
}

/** In Multimodal, in some files as JSON. */
const imageAssetsField = z
  .union([z.record(z.string(), z.unknown()), z.string().transform((text) => tryParseJson(text) ?? {})])
  .transform((value) => ({ pictures: listPictureUrls(value), patched: listPatchedFiles(value) }));

/** URLs of the pictures that the problem statement shows. */
function listPictureUrls(value: unknown): string[] {
  const assets = z.looseObject({ problem_statement: z.array(z.string()).nullish() }).safeParse(value);
  return assets.success ? (assets.data.problem_statement ?? []) : [];
}

const patchedFilesSchema = z.array(z.looseObject({ path: z.string() })).nullish();

/** Paths of binary files that the patches write: a patch as text can't hold them, and records only link to them. */
function listPatchedFiles(value: unknown): string[] {
  const assets = z
    .looseObject({ test_patch: patchedFilesSchema, patch: patchedFilesSchema })
    .safeParse(value);
  if (!assets.success) return [];
  return [...(assets.data.test_patch ?? []), ...(assets.data.patch ?? [])].map(({ path }) => path);
}

/**
 * A record of the family. Fields that only some of its sets have are optional; further ones are left alone. Since SWE-bench 5
 * records have the last four, which older files lack.
 */
export const sweRecordSchema = z.looseObject({
  repo: z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'expected owner/name'),
  instance_id: z.string().min(1),
  base_commit: z.string().regex(/^[0-9a-f]{7,64}$/, 'expected a commit'),
  patch: z.string().describe("the owners' own solution; empty in Multimodal's test split"),
  test_patch: z.string(),
  problem_statement: z.string().min(1),
  hints_text: z.string().nullish(),
  version: z.union([z.string(), z.number().transform(String)]).nullish(),
  FAIL_TO_PASS: testNamesField,
  PASS_TO_PASS: testNamesField,
  image_assets: imageAssetsField.nullish(),
  log_parser: z
    .string()
    .nullish()
    .describe('the parser of its log, which says what runs its tests, e.g. parse_log_pytest'),
  eval_script: z.string().nullish().describe('runs its tests in its image, as bash reads it'),
  eval_type: z.string().nullish().describe('pass_and_fail, or fail_only where a log names only failed tests'),
  image: z.string().nullish().describe("the owners' image of its repository and environment"),
});

export type SweRecord = z.output<typeof sweRecordSchema>;
