import { createHash, X509Certificate } from 'node:crypto';
import { hostname } from 'node:os';
import { deadline, poll } from '../../../../bridge/lib/index.ts';
import { toJson } from '../../../../bridge/text/index.ts';
import { contentHash, isFile } from '../../../lib/index.ts';
import type { EpisodeWorkers } from '../../../run/index.ts';
import type { Task } from '../../../tasks/index.ts';
import type { ServerAddress } from '../access.ts';
import type { EpisodeTable } from '../episodes/index.ts';
import type { Server } from '../server.ts';

/** What fronts and workers must have in common. */
export interface ServedEpisodes {
  readonly tasks: readonly Pick<Task, 'id' | 'instruction' | 'path'>[];
  /** Names of tools. */
  readonly tools: readonly string[];
  /** Other settings that change episodes, such as an image. */
  readonly settings: object;
}

/** The same on each machine that serves the same tasks, with the same content of their folders. */
export async function hashServed({ tasks, tools, settings }: ServedEpisodes): Promise<string> {
  const hash = createHash('sha256').update(toJson({ tools, settings }));
  for (const { id, instruction, path } of tasks) {
    const isFolder = await isFile(`${path}/task.toml`);
    hash.update(toJson({ id, instruction, content: isFolder ? await contentHash([path]) : null }));
  }
  return hash.digest('hex');
}

export interface OfferOptions {
  readonly workers: EpisodeWorkers;
  readonly table: Pick<EpisodeTable, 'worker' | 'size' | 'leave'>;
  readonly server: Pick<Server, 'origin' | 'token'>;
  readonly place: ServerAddress;
  /** {@link hashServed} */
  readonly serves: string;
  readonly labels: readonly string[];
  /** Resolves when no more episodes are to begin. */
  readonly until: Promise<unknown>;
  /** Milliseconds that open episodes have from then on. Default 20,000. */
  readonly leaveMs?: number | undefined;
}

/** Lets the fronts of a queue give sessions to this server. Resolves when its episodes have ended, or their time is over. */
export async function offerEpisodes(options: OfferOptions): Promise<void> {
  const { workers, table, server, place, serves, labels, until, leaveMs = 20_000 } = options;
  const offer = workers.announce({
    ...{ id: table.worker ?? '', name: `${hostname()}:${process.pid}`, serves, labels: [...labels] },
    ...{ url: server.origin, token: server.token },
    // Without those that have signed it: it is trusted by itself.
    certificate: place.tls && new X509Certificate(place.tls.certificate).toString(),
  });
  await until.finally(() => offer[Symbol.asyncDispose]());
  table.leave();
  using limit = deadline('the end of open episodes', leaveMs);
  const probe = () =>
    table.size === 0
      ? ({ done: true, value: undefined } as const)
      : ({ done: false, saw: `${table.size} episodes` } as const);
  await poll('open episodes', probe, { intervalMs: 100, signal: limit.signal }).catch(() => undefined);
}
