import type { EpisodeTable } from '../../host/doors/serve/index.ts';
import { PwpError } from '../../bridge/lib/index.ts';

/** A table of episodes without sandboxes, for tests of doors: each call answers at once. */
export class FakeEpisodes {
  readonly picture = 'iVBORw0KGgo=';
  readonly capacity = 2;
  /** Names of the calls so far. */
  calls: string[] = [];
  /** The reward of each grade. */
  reward: number | null = 1;
  /** The effect of each action, and what the tool `shell` says to a command. */
  effect = 'confirmed';
  said: (command: string) => string = () => 'said';
  /** What `shell` was asked to run. */
  commands: string[] = [];
  /** Whether each step is the last one. */
  truncated = false;
  /** The failure of each call. */
  failure: Error | undefined;
  readonly #tasks: readonly { id: string; instruction: string }[];
  readonly #episodes = new Set<string>();
  #count = 0;

  constructor(tasks: readonly string[]) {
    this.#tasks = tasks.map((id) => ({ id, instruction: `do ${id}` }));
  }

  get open(): number {
    return this.#episodes.size;
  }

  /** As doors take it. */
  get table(): EpisodeTable {
    const observation = {
      ...{ number: 1, width: 800, height: 600, title: 'window', text: 'the screen', picture: this.picture },
      ...{ focus: null, caret: null, dialog: null, marks: [], unread: [] },
    };
    const outcome = { action: 'act', evidence: 'seen' };
    const answers = (command: string): Record<string, object> => ({
      step: {
        step: 1,
        outcomes: [{ ...outcome, effect: this.effect }],
        skipped: 0,
        truncated: this.truncated,
        observation,
      },
      tool: {
        step: 1,
        ...outcome,
        effect: this.effect,
        output: this.said(command),
        truncated: this.truncated,
      },
      observe: { observation },
      grade: {
        ...{ reward: this.reward, checks: [], log: '' },
        ...(this.reward === null && { why: 'the tests could not judge' }),
      },
    });
    const fake = {
      tasks: this.#tasks,
      tools: [{ name: 'shell', description: 'Runs.', family: 'run', readOnly: false, inputSchema: {} }],
      capacity: this.capacity,
      has: (id: string) => this.#episodes.has(id),
      touch: (id: string) => this.#episodes.has(id),
      open: ({ task }: { task: string }) => {
        const episode = `episode-${this.#count++}`;
        this.#episodes.add(episode);
        return Promise.resolve({
          episode,
          task,
          instruction: `do ${task}`,
          from: 'golden',
          startMs: 1,
          observation,
        });
      },
      call: (id: string, name: string, { arguments: given }: { arguments?: { command: string } }) => {
        this.calls.push(name);
        if (given) this.commands.push(given.command);
        if (!this.#episodes.has(id)) return Promise.reject(new PwpError('no-such-episode', 'it was closed'));
        return this.failure
          ? Promise.reject(this.failure)
          : Promise.resolve({ episode: id, ...answers(given?.command ?? '')[name] });
      },
      close: (id: string) => Promise.resolve(void this.#episodes.delete(id)),
    };
    return Object.defineProperty(fake, 'size', { get: () => this.open }) as unknown as EpisodeTable;
  }

  /** Ends all episodes, as when they are idle. */
  lose(): void {
    this.#episodes.clear();
  }

  /** As it was at first. */
  clear(): void {
    this.lose();
    Object.assign(this, { calls: [], commands: [], reward: 1, truncated: false, failure: undefined });
    Object.assign(this, { effect: 'confirmed', said: () => 'said' });
  }
}
