/**
 * An agent of your own: it sets the colour theme that the instruction names, as a person would. It decides by the marks
 * on the screen, and stops if an action is refused.
 *    node_modules/.bin/node examples/agent.ts
 */
import { createNode, loadTask, runEpisode, writeReport } from '../host/doors/library/index.ts';
import type { Agent, Decision, EpisodeResult, Turn } from '../host/doors/library/index.ts';

class ThemeAgent implements Agent {
  readonly name = 'theme';

  decide(turn: Turn): Promise<Decision | null> {
    return Promise.resolve(this.#next(turn));
  }

  #next({ instruction, observation, last }: Turn): Decision | null {
    const [, wanted] = /theme of VS Code to (.+)\./.exec(instruction) ?? [];
    const refused = last?.outcomes.find(({ effect }) => effect === 'refused');
    if (wanted === undefined || refused)
      return { actions: [], done: true, message: refused?.evidence ?? 'No theme.' };
    const option = observation.marks.find(({ role, name }) => role === 'option' && name.startsWith(wanted));
    if (option) return { actions: [`click [${option.id}]`], done: true, message: 'There it is.' };
    const search = ['xdotool key ctrl+k && xdotool key ctrl+t', `xdotool type '${wanted}'`];
    return last ? null : { actions: search, message: `Looking for ${wanted}.` };
  }
}

/** Runs it on one task. The folder receives the record, with the score and a report. */
export async function runThemeAgent(folder: string, signal: AbortSignal): Promise<EpisodeResult> {
  await using node = await createNode();
  const task = await loadTask('tasks/vscode/theme-solarized-dark');
  return await runEpisode({ node, task, agent: new ThemeAgent(), folder, signal });
}

if (import.meta.main) {
  const folder = `runs/theme-${Date.now()}`;
  const { reward, steps } = await runThemeAgent(folder, AbortSignal.timeout(300_000));
  console.log(`reward ${reward} after ${steps} steps: ${await writeReport(folder)}`);
}
