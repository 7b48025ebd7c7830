import { parserOf } from './logs/index.ts';
import type { SweRecord } from './record.ts';

/** Why the tests of a record can't run here; undefined where pytest runs them. */
export function whyUnavailable(record: SweRecord, testFiles: readonly string[]): string | undefined {
  if (record.FAIL_TO_PASS.length === 0) return 'the record has no FAIL_TO_PASS tests';
  if (record.patch.trim() === '') return "the record does not have its owners' patch";
  const parser = parserOf(record);
  if (parser?.runner !== 'pytest')
    return `the tests of ${record.repo} need their own runner and image; grade recorded logs instead`;
  if (testFiles.length === 0) return 'the test patch has no file that can be run';
  return undefined;
}
