import { type ArchiveEntry, makeTextEntry } from '../../format/index.ts';
import type { JudgedRecord } from '../owners/index.ts';
import { badData } from '../records/index.ts';
import type { SweRecord } from './swe-bench-sets.ts';

/** A record that its owners' code can grade in its own image. */
export interface EvalRecord extends JudgedRecord {
  readonly eval_script: string;
}

const evalFields = ['eval_script', 'log_parser', 'eval_type'] as const;

/** Why a record can't be graded in its own image; undefined if it can. */
export function explainUngradable(record: SweRecord): string | undefined {
  const missing = evalFields.filter((field) => !record[field]);
  if (missing.length > 0)
    return `the record has no ${missing.join(', ')}: it is of SWE-bench 4 or older, and its owners publish it again with 5`;
  if (record.FAIL_TO_PASS.length === 0) return 'the record has no FAIL_TO_PASS tests';
  const [file, ...others] = record.image_assets?.patched ?? [];
  if (file === undefined) return undefined;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return `its tests compare with binary files that the record only links to: ${file}${more}`;
}

/** Errors: `bad-data` for a record that can't be graded in its own image, with the fields that it lacks. */
export function requireEvalRecord(record: SweRecord): EvalRecord {
  const why = explainUngradable(record);
  const { eval_script: script, log_parser: parser, eval_type: type, version } = record;
  if (why !== undefined || !script || !parser || !type)
    throw badData(record.instance_id, why ?? 'a field is missing');
  return { ...record, eval_script: script, log_parser: parser, eval_type: type, version: version ?? '' };
}

/** How a record is graded in a fresh sandbox of its image. */
export interface EvalCommands {
  /** Files that it needs first; paths are relative to `/`. */
  readonly files: readonly ArchiveEntry[];
  /** Applies the patch to `/testbed`: exit code 0 if it could. Null for an empty patch. */
  readonly apply: readonly string[] | null;
  /** Runs the tests. Its standard output is the log, also if it fails. */
  readonly run: readonly string[];
  /** Seconds that the owners give the tests. */
  readonly seconds: number;
}

/**
 * What the owners' harness does in a record's image: it applies the patch in the ways that it knows, one after the other, and
 * runs the record's script. Both run as root, in the image's environment.
 */
export function evalCommands(record: Pick<EvalRecord, 'eval_script'>, patch: string): EvalCommands {
  const script = makeTextEntry('eval.sh', addExitCode(record.eval_script));
  const isEmpty = patch.trim() === '';
  return {
    files: isEmpty ? [script] : [script, makeTextEntry(patchPath, patch)],
    apply: isEmpty ? null : ['/bin/bash', '-c', applyScript],
    // One pipe: markers, which bash traces on its standard error, are then where they belong among the output.
    run: ['/bin/bash', '-c', 'exec /bin/bash /eval.sh 2>&1'],
    seconds: 1800,
  };
}

const patchPath = 'tmp/patch.diff';

/** In the order in which the harness tries them, the tree reset in between. */
const applyScript = `exec 2>&1
cd /testbed || exit 1
patch=/${patchPath}
reset() { git checkout -- .; git clean -fd; }
git apply --verbose $patch && exit
reset
git apply --verbose --3way $patch && exit
reset
git apply --verbose --reject $patch && exit
reset
patch --batch --forward --fuzz=5 -p1 -i $patch && exit
# Each may have failed although all of it is applied.
git apply --check --reverse $patch
`;

const firstLines = ['#!/bin/bash', 'set -uxo pipefail'];
const endMarker = '>>>>> End Test Output';
const exitCodeVariable = 'SWEBENCH_TEST_EXIT_CODE';

/**
 * A record's script as the harness runs it: it also prints the exit code of the tests, behind the marker of their end. The
 * owners' grading compares it with the log.
 */
function addExitCode(script: string): string {
  const lines = script
    .trim()
    .split('\n')
    .filter((line) => !firstLines.includes(line));
  const end = lines.findIndex((line) => line.includes(endMarker));
  const print = `echo ">>>>> Test Exit Code: $${exitCodeVariable}"`;
  const whole =
    end < 0
      ? lines
      : [...lines.slice(0, end), `${exitCodeVariable}=$?`, lines[end] ?? '', print, ...lines.slice(end + 1)];
  return `${[...firstLines, ...whole].join('\n')}\n`;
}
