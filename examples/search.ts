/**
 * Best-first search over GUI actions. It has a handful of keys and the words of the instruction, but no knowledge of
 * the way. It tries each action from the current state, looks at the result, continues from the most promising state,
 * and goes back by restoring a checkpoint of the running IDE. It is guided only by what anyone can see: the marks on
 * the screen and the effective setting. The score at the end comes from the grader, which it never sees before.
 *    node_modules/.bin/node examples/search.ts
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  Environment,
  annotate,
  createLocalNode,
  loadTask,
  openRecord,
  writeReport,
  type EpisodeRecord,
  type Observation,
} from '../host/doors/library/index.ts';

/** A state that was seen: how to get there, and how near it looked. */
interface State {
  /** Checkpoint that {@link action} leads on from. */
  readonly from: string;
  readonly action: string;
  /** All actions from the start. */
  readonly path: readonly string[];
  /** 0 to 1. */
  readonly nearness: number;
}

export interface Found {
  /** Actions from the start to the goal; null if the search ended without. */
  readonly path: readonly string[] | null;
  /** The grader's result. */
  readonly reward: number;
  readonly steps: number;
  readonly restores: number;
  /** Path of report.html. */
  readonly report: string;
}

/** One walk through an IDE, back and forth, all of it recorded. */
class Walk {
  readonly #env: Environment;
  readonly #record: EpisodeRecord;
  readonly #signal: AbortSignal;
  readonly taken: string[] = [];
  steps = 0;
  restores = 0;

  constructor(env: Environment, record: EpisodeRecord, signal: AbortSignal) {
    this.#env = env;
    this.#record = record;
    this.#signal = signal;
  }

  async do(action: string): Promise<Observation> {
    const [observation, , , , info] = await this.#env.step(action, { signal: this.#signal });
    await this.#record.step(observation, info);
    this.steps = info.step;
    return observation;
  }

  async keep(): Promise<string> {
    const checkpoint = await this.#env.checkpoint({ signal: this.#signal });
    await this.#record.checkpoint(checkpoint);
    this.taken.push(checkpoint.id);
    return checkpoint.id;
  }

  async back(id: string): Promise<void> {
    const [observation, info] = await this.#env.restore(id, { signal: this.#signal });
    await this.#record.restore(observation, info);
    this.restores = info.branch;
  }

  /** 1 if the theme is in effect; before that, how close the visible state is. */
  async nearness(wanted: string, { marks }: Observation): Promise<number> {
    const { settings } = await this.#env.ask(
      'ide.settings',
      { keys: ['workbench.colorTheme'] },
      { signal: this.#signal },
    );
    if (settings[0]?.effective === wanted) return 1;
    const named = marks.filter(({ role, name }) => role === 'option' && name.includes(wanted));
    if (named.some(({ state }) => state.focused ?? state.selected)) return 0.6;
    if (named.length > 0) return 0.4;
    return marks.some(({ name }) => /color theme/i.test(name)) ? 0.2 : 0;
  }
}

/** Keys that everyone who has used an IDE knows, and the words of the instruction. */
function actionsFor(wanted: string): string[] {
  const keys = ['F1', 'Return', 'Down', 'Escape'].map((key) => `xdotool key ${key}`);
  const words = [wanted, 'Color Theme'].map((text) => `xdotool type '${text}'`);
  return ['xdotool key ctrl+k && xdotool key ctrl+t', ...words, ...keys];
}

/** States that look alike count as one. */
function lookOf({ title, focus, marks }: Observation): string {
  return JSON.stringify([title, focus?.name, marks.map(({ role, name, state }) => [role, name, state])]);
}

/** The way to the goal; null when nothing is left to try. */
async function search(walk: Walk, wanted: string, first: Observation): Promise<readonly string[] | null> {
  const seen = new Set([lookOf(first)]);
  const frontier: State[] = [];
  let path: readonly string[] = [];
  for (let from = await walk.keep(); ; from = await walk.keep()) {
    for (const [index, action] of actionsFor(wanted).entries()) {
      if (index > 0) await walk.back(from);
      const observation = await walk.do(action);
      const nearness = await walk.nearness(wanted, observation);
      if (nearness === 1) return [...path, action];
      const look = lookOf(observation);
      if (!seen.has(look)) frontier.push({ from, action, path: [...path, action], nearness });
      seen.add(look);
    }
    // The nearest, and of those the one with the shortest way.
    frontier.sort((a, b) => b.nearness - a.nearness || a.path.length - b.path.length);
    const next = frontier.shift();
    if (!next) return null;
    await walk.back(next.from);
    await walk.do(next.action);
    path = next.path;
  }
}

/** Searches for the way to a colour theme, has the grader grade the final state, and writes record and report. */
export async function searchTheme(folder: string, signal: AbortSignal): Promise<Found> {
  const task = await loadTask('tasks/vscode/theme-solarized-dark');
  const wanted = /theme of VS Code to (.+)\./.exec(task.instruction)?.[1] ?? '';
  await using node = await createLocalNode();
  await using env = new Environment({ node, task, maxSteps: 1000 });
  const meta = {
    session: randomUUID(),
    task: task.id,
    agent: { name: 'search', version: '1' },
    versions: {},
  };
  await using record = await openRecord(folder, meta, { annotate });
  const [first, info] = await env.reset({ signal });
  await record.reset(first, info);
  const walk = new Walk(env, record, signal);
  try {
    const path = await search(walk, wanted, first);
    const grade = await env.grade({ signal });
    await record.grade(grade);
    await record.end('finished');
    const { steps, restores } = walk;
    return { path, reward: grade.reward, steps, restores, report: await writeReport(folder) };
  } finally {
    for (const id of walk.taken) await env.checkpoints.delete(id);
  }
}

if (import.meta.main) {
  const folder = join('runs', `search-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
  const found = await searchTheme(folder, AbortSignal.timeout(600_000));
  console.log(`reward ${found.reward} after ${found.steps} steps and ${found.restores} restores`);
  console.log(found.path?.map((action, index) => `  ${index + 1}. ${action}`).join('\n') ?? 'no way found');
  console.log(found.report);
}
