import { setTimeout as delay } from 'node:timers/promises';
import type { EpisodeTable } from '../../host/doors/serve/index.ts';
import { ReplyMemory } from '../../host/doors/serve/episodes/reply-memory.ts';
import { PwpError } from '../../bridge/lib/index.ts';
import { prefixIds } from '../../host/run/index.ts';

export interface FakeEpisodesOptions {
  /** Id of the worker that they belong to. */
  readonly worker?: string;
  /** Default 2. */
  readonly capacity?: number;
  /** Milliseconds that each step takes. Default: it answers at once. */
  readonly stepMs?: number;
  /** Characters of each picture; by default those of a few bytes. */
  readonly pictureLength?: number;
}

/** A table of episodes without sandboxes, for tests of doors: each call answers at once. */
export class FakeEpisodes {
  readonly picture: string;
  readonly capacity: number;
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
  readonly #options: FakeEpisodesOptions;
  readonly #replies: ReplyMemory;
  #count = 0;
  #isLeaving = false;

  constructor(tasks: readonly string[], options: FakeEpisodesOptions = {}) {
    this.#tasks = tasks.map((id) => ({ id, instruction: `do ${id}` }));
    this.#options = options;
    this.capacity = options.capacity ?? 2;
    this.picture = 'iVBORw0KGgo='.padEnd(options.pictureLength ?? 0, 'A');
    this.#replies = new ReplyMemory(this.capacity);
  }

  /** Begins no more. */
  leave(): void {
    this.#isLeaving = true;
  }

  #makeId(): string {
    const { worker } = this.#options;
    return `${worker === undefined ? '' : prefixIds(worker)}episode-${this.#count++}`;
  }

  #begin(task: string | undefined, more: object) {
    if (this.#isLeaving || this.open >= this.capacity)
      throw new PwpError('too-many-episodes', `${this.open} of ${this.capacity} episodes are open`);
    const episode = this.#makeId();
    this.#episodes.add(episode);
    return { episode, sequence: 0, task, instruction: `do ${task}`, from: 'golden', startMs: 1, ...more };
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
      exec: { exitCode: 0, stdout: 'ran', stderr: '', truncated: false, timedOut: false },
      fork: {},
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
      worker: this.#options.worker,
      makeId: () => this.#makeId(),
      explainLoss: () => undefined,
      open: (input: { task: string; request?: string }) =>
        this.#replies.reply(input, () => {
          const { task = this.#tasks[0]?.id, request } = input;
          return Promise.resolve(
            this.#begin(task, { ...(request !== undefined && { request }), observation }),
          );
        }),
      call: async (
        id: string,
        name: string,
        input: { arguments?: { command: string }; request?: string },
      ) => {
        const { arguments: given, request } = input;
        this.calls.push(name);
        if (given) this.commands.push(given.command);
        if (!this.#episodes.has(id)) throw new PwpError('no-such-episode', 'it was closed');
        if (this.failure) throw this.failure;
        if (this.#options.stepMs !== undefined && name === 'step') await delay(this.#options.stepMs);
        const named = { episode: id, sequence: 1, ...(request !== undefined && { request }) };
        const forks = name === 'fork' && { forks: [this.#begin('fork', { observation })] };
        return { ...named, ...answers(given?.command ?? '')[name], ...forks };
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
