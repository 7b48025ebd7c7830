import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packagedTasksFolder } from '../host/lib/index.ts';
import { createLocalNode } from '../host/node/index.ts';
import { scriptAgent } from '../host/run/agents/scripted-agent.ts';
import { findFirstWrong, readRecord, runEpisode } from '../host/run/index.ts';
import { findTasks, withVariants } from '../host/tasks/index.ts';

/** False solutions with the step that is wrong, as found by reading them; null where the solutions repair all of it. */
const known: readonly (readonly [task: string, solution: string, step: number | null])[] = [
  // A second breakpoint, on another line than the one that is asked for.
  ['vscode/conditional-breakpoint', 'other-line', 1],
  // It changes the source, which must stay as it is.
  ['vscode/conditional-breakpoint', 'if-in-source', 1],
  // It deletes files that should only be hidden.
  ['vscode/hide-logs', 'deleted', 1],
  // It deletes the line, which should only no longer be reported.
  ['vscode/missing-imports', 'import-deleted', 1],
  // Nothing is saved, so the script that writes the file repairs it.
  ['vscode/swap-text-test', 'unsaved', null],
  // Installed, then disabled by the last click: no solution enables it.
  ['vscode/install-pylance', 'disabled', 11],
];

/** Finds the first wrong step of false solutions, and shows the known one beside it. @param only of these tasks */
export async function firstWrong(signal: AbortSignal, only?: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pwp-first-wrong-'));
  let right = 0;
  const asked = known.filter(([task]) => only?.includes(task) ?? true);
  try {
    await using node = await createLocalNode({ signal });
    const tasks = await withVariants(await findTasks([packagedTasksFolder()]), { node, signal });
    for (const [id, name, step] of asked) {
      const task = tasks.find((one) => one.id === id);
      const solution = (await task?.falseSolutions())?.find((one) => one.name === name);
      if (!task || !solution) throw new Error(`${id} has no false solution ${name}`);
      const to = join(folder, id, name);
      const { reward } = await runEpisode({
        node,
        task,
        agent: scriptAgent(name, solution),
        folder: to,
        signal,
      });
      const history = await readRecord(to);
      console.log(`${id} ${name}: reward ${reward}, ${history.steps.length} steps`);
      const onTried = (tried: object) => console.log(`  ${JSON.stringify(tried)}`);
      const found = await findFirstWrong({ node, task, history, folder: join(to, 'tries'), onTried, signal });
      if (found.step === step) right += 1;
      console.log(`  first wrong step ${found.step}, by hand ${step}: ${found.why}`);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  console.log(`${right} of ${asked.length} as found by hand`);
}
