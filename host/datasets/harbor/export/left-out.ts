import type { Task } from '../../../tasks/index.ts';

/** A file of a task's tests, as text. */
export interface TestText {
  readonly path: string;
  readonly text: string;
}

const asksForRuns = /\b(?:run_code|answers_of|runCode|answersRight)\(/;

/** Why a task means nothing without its IDE; none if it can be exported. */
export function reasonsAgainst({ config }: Task, tests: readonly TestText[]): string[] {
  const { ask, gallery } = config.pwp;
  const running = tests.find(({ text }) => asksForRuns.test(text));
  return [
    ...(ask.length > 0 ? [`its tests ask an IDE for ${ask.join(' and ')}`] : []),
    ...(gallery ? ['it installs extensions from the gallery of the IDE'] : []),
    ...(running ? [`${running.path} has code run in a sandbox of its own, which Harbor lacks`] : []),
  ];
}

/** Parts of an exported task that Harbor lacks. */
export async function leftOut(task: Task): Promise<string[]> {
  const { open, display } = task.config.pwp;
  const solutions = await task.solutions();
  const played = solutions.filter(({ kind }) => kind !== 'shell').map(({ name }) => name);
  return [
    'the IDE and its window; its settings and files are there',
    ...(open.length > 0 ? [`open files: ${open.join(', ')}`] : []),
    ...(display ? ['the screen size'] : []),
    ...(played.length > 0 ? [`solutions by tools, mouse and keyboard: ${played.join(', ')}`] : []),
    'false solutions',
    "grading apart: Harbor runs the tests in the agent's own container",
  ];
}
