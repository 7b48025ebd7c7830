import type { DatasetAbout } from '../contract.ts';

export interface Variant {
  readonly about: DatasetAbout;
  /** Names of the file of records below `--data`, the usual one first. */
  readonly files: readonly string[];
}

const metric =
  'Resolved: every FAIL_TO_PASS test passes and every PASS_TO_PASS test passes or is skipped; the score is the share resolved.';
const needs = [
  'Clones or bundles of the repositories, at repos/owner__name below --data.',
  "Tests run here where pytest and the sandbox image's own packages suffice. The owners' images, and test runners other than pytest, are unavailable: record the logs where those run, then grade them with pwp datasets logs.",
];

/** By split: the names that the owners' own files have. */
function filesOf(...splits: readonly string[]): string[] {
  const all = splits.flatMap((split) => [`${split}.parquet`, `data/${split}-00000-of-00001.parquet`]);
  return [...all, ...splits.flatMap((split) => [`${split}.jsonl`, `${split}.json`, `${split}.jsonl.gz`])];
}

interface Given {
  readonly name: string;
  readonly title: string;
  readonly records: number;
  readonly source: string;
  readonly family?: string;
  readonly splits?: readonly string[];
  readonly licence?: string;
}

function variant({
  name,
  title,
  records,
  source,
  family,
  splits = ['test', 'dev'],
  licence,
}: Given): Variant {
  return {
    about: {
      name,
      title,
      family: family ?? 'Code generation and editing',
      records,
      source,
      licence: licence ?? 'MIT (code); each repository has its own',
      metric,
      agentCode: 'beside',
      files: [`${splits[0] ?? 'test'}.parquet`, 'repos/owner__name'],
      needs,
    },
    files: filesOf(...splits),
  };
}

/** All sets of the family, which differ in their records alone. */
export const variants: readonly Variant[] = [
  variant({
    name: 'swe-bench',
    title: 'SWE-bench',
    records: 2294,
    source: 'princeton-nlp/SWE-bench on Hugging Face',
  }),
  variant({
    name: 'swe-bench-lite',
    title: 'SWE-bench Lite',
    records: 300,
    source: 'princeton-nlp/SWE-bench_Lite on Hugging Face',
  }),
  variant({
    name: 'swe-bench-verified',
    title: 'SWE-bench Verified',
    records: 500,
    source: 'princeton-nlp/SWE-bench_Verified on Hugging Face',
    splits: ['test'],
  }),
  variant({
    name: 'swe-bench-multilingual',
    title: 'SWE-bench Multilingual',
    records: 300,
    source: 'SWE-bench/SWE-bench_Multilingual on Hugging Face',
    splits: ['test'],
  }),
  variant({
    name: 'swe-bench-java',
    title: 'SWE-bench-java Verified',
    records: 91,
    source: 'Daoguang/Multi-SWE-bench on Hugging Face',
    splits: ['java_verified', 'swe-bench-java-verified', 'test'],
    licence: 'not stated; each repository has its own',
  }),
  variant({
    name: 'swe-bench-multimodal',
    title: 'SWE-bench Multimodal',
    family: 'Multimodal code synthesis',
    records: 612,
    source: 'SWE-bench/SWE-bench_Multimodal on Hugging Face',
    splits: ['dev', 'test'],
  }),
];
