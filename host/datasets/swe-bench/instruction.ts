import { picturesFolder } from './pictures.ts';
import type { SweRecord } from './record.ts';

/** @param pictures names of those that the agent finds in its home */
export function instructionOf(record: SweRecord, pictures: readonly string[]): string {
  return [
    `The repository ${record.repo} is open in this IDE, in /workspace. Change its code so that the problem below is solved.`,
    'Tests that you do not see decide. They replace the files of tests that they change, and what configures the test runner is as it was at the start.',
    '',
    'The problem, as it was reported:',
    '',
    record.problem_statement.trim(),
    ...picturesText(record.image_assets ?? [], pictures),
  ].join('\n');
}

function picturesText(addresses: readonly string[], here: readonly string[]): string[] {
  if (addresses.length === 0) return [];
  const where =
    here.length === 0
      ? 'They are not available here.'
      : `They are in /root/${picturesFolder}: ${here.join(', ')}.`;
  return ['', `The report shows pictures from these addresses: ${addresses.join(', ')}. ${where}`];
}
