import { randomUUID } from 'node:crypto';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import type { ServedTable } from '../episodes/index.ts';
import type { Fleet } from './fleet.ts';

/**
 * The table of a front, which has no episodes: workers have them. Doors use it to answer, each in its own way, what needs no
 * episode, and what can be passed to no worker.
 */
export class FrontTable implements ServedTable {
  readonly tasks: ServedTable['tasks'];
  readonly tools: ServedTable['tools'];
  readonly worker: undefined;
  readonly #fleet: Fleet;

  constructor({ tasks, tools }: Pick<ServedTable, 'tasks' | 'tools'>, fleet: Fleet) {
    this.tasks = tasks;
    this.tools = tools;
    this.#fleet = fleet;
  }

  get size(): number {
    return this.#fleet.links.reduce((sum, { taken }) => sum + taken, 0);
  }

  get capacity(): number {
    return this.#fleet.links.reduce((sum, { room }) => sum + room.capacity, 0);
  }

  makeId(): string {
    return randomUUID();
  }

  explainLoss(session: string): string | undefined {
    return this.#fleet.explainLoss(session);
  }

  has(): boolean {
    return false;
  }

  touch(): boolean {
    return false;
  }

  open(): Promise<never> {
    return Promise.reject(
      new PwpError('too-many-episodes', this.#explainFull(), {
        help: 'Close an episode, or start another worker: pwp serve --worker.',
      }),
    );
  }

  call(id: string): Promise<never> {
    return this.close(id);
  }

  close(id: string): Promise<never> {
    const why = this.explainLoss(id) ?? 'it was closed, or had no request for too long';
    return Promise.reject(
      new PwpError('no-such-episode', `there is no such episode: ${why}`, {
        help: 'Start a new one: POST /episodes.',
      }),
    );
  }

  #explainFull(): string {
    const { links } = this.#fleet;
    if (links.length === 0) return 'there is no worker';
    const labels = [...new Set(links.flatMap(({ worker }) => worker.labels))];
    const workers = links.length === 1 ? 'the only worker' : `${links.length} workers`;
    const named = labels.length === 0 ? '' : `, with the labels ${clip(labels.join(', '), 1000)}`;
    return `no worker has room: ${this.size} of ${this.capacity} episodes are open on ${workers}${named}`;
  }
}
