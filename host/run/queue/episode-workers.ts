import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { pause } from '../../../bridge/lib/index.ts';
import { tryParseJson } from '../../../bridge/text/index.ts';
import { programVersion } from '../../lib/index.ts';
import { type Leases, openLeases } from './leases.ts';

/** A machine that has episodes for the fronts of a queue, as it says so itself. */
export const episodeWorker = z.strictObject({
  /** Its own at each start. Ids of its episodes and sessions begin with it. */
  id: z.string().regex(/^w[0-9a-f]{12}$/),
  /** Host and process, for people. */
  name: z.string().max(300),
  /** Its server's address, as fronts reach it. */
  url: z.url({ protocol: /^https?$/ }).max(500),
  /** Its server's token. */
  token: z.string().min(16).max(200),
  /** The certificate that it shows, as PEM; null for a worker of the same machine, without TLS. */
  certificate: z.string().max(100_000).nullable(),
  /** Hash of what its episodes are: fronts use workers that serve the same. */
  serves: z.string().max(100),
  labels: z.array(z.string().max(300)).max(1000),
});
export type EpisodeWorker = z.output<typeof episodeWorker>;

/** Times of leases, in milliseconds. */
export interface LeaseTimes {
  /** A worker that renews nothing for this long gets no more episodes. */
  readonly leaseMs: number;
  readonly renewMs: number;
}

const usualTimes: LeaseTimes = { leaseMs: 30_000, renewMs: 5000 };
/** How long it is known which worker has a request that may be sent again: as long as an episode lives without one. */
const requestMs = 30 * 60_000;
const group = 'workers';

export function makeWorkerId(): string {
  return `w${randomBytes(6).toString('hex')}`;
}

/** The beginning of an id of an episode or a session. */
export function prefixIds(worker: string): string {
  return `${worker}_`;
}

/** The worker in an id of an episode or a session; undefined for one that was not made by a worker. */
export function readWorkerId(id: string): string | undefined {
  return /^(w[0-9a-f]{12})_/.exec(id)?.[1];
}

/**
 * Which workers have episodes, in Redis or PostgreSQL. Not as jobs: a worker's lease covers all of its episodes, of which
 * forks and sessions begin some without asking a queue, and nothing ever waits here.
 */
export class EpisodeWorkers implements AsyncDisposable {
  readonly #leases: Leases;
  readonly #times: LeaseTimes;

  constructor(leases: Leases, times: LeaseTimes = usualTimes) {
    this.#leases = leases;
    this.#times = times;
  }

  /** Of this version alone. Errors: those of {@link openLeases}. */
  static async open(address: string, times?: LeaseTimes): Promise<EpisodeWorkers> {
    return new EpisodeWorkers(await openLeases(address, `pwp-${programVersion}`), times);
  }

  /** Makes a worker known until that is disposed. While the server can't be reached, it is tried again. */
  announce(worker: EpisodeWorker): AsyncDisposable {
    const key = `${group}:${worker.id}`;
    const ended = new AbortController();
    const renewing = (async () => {
      while (!ended.signal.aborted) {
        await this.#leases.put(key, JSON.stringify(worker), this.#times.leaseMs).catch(() => undefined);
        await pause(this.#times.renewMs, ended.signal).catch(() => undefined);
      }
    })();
    return {
      [Symbol.asyncDispose]: async () => {
        ended.abort();
        await renewing;
        // Else it expires.
        await this.#leases.remove(key).catch(() => undefined);
      },
    };
  }

  /** Those whose lease is not over. Rejects while the server can't be reached. */
  async list(): Promise<EpisodeWorker[]> {
    const texts = await this.#leases.list(group);
    return texts.flatMap((text) => episodeWorker.safeParse(tryParseJson(text)).data ?? []);
  }

  /** Notes the worker that has a request, for one that is sent again through another front, or after a restart. */
  async noteRequest(request: string, worker: string): Promise<void> {
    await this.#leases.put(nameRequest(request), worker, requestMs);
  }

  /** Id of the worker that has a request. */
  findRequest(request: string): Promise<string | undefined> {
    return this.#leases.get(nameRequest(request));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.#leases[Symbol.asyncDispose]());
  }
}

function nameRequest(request: string): string {
  return `request-${createHash('sha256').update(request).digest('hex')}`;
}
