import assert from 'node:assert/strict';
import type { Task } from '../../host/tasks/index.ts';

/** The steps of one of a task's solutions by mouse and keyboard. */
export async function solutionSteps(task: Task, name: string): Promise<string[]> {
  const solution = (await task.solutions()).find((one) => one.name === name && one.kind === 'xdotool');
  assert.ok(solution, `${task.id} has no ${name}.xdotool`);
  const lines = solution.text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}
