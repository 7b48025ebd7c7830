import { RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible';
import { type AskPace, makePace, type MakeLimiter } from '../models/index.ts';
import { readServerKind } from './attempt-queue.ts';

/** A pace that all share who open it at the same server. */
export interface QueuePace extends AsyncDisposable {
  readonly ask: AskPace;
}

/**
 * Opens the pace of a queue. Errors: those of the server's client.
 * @param address of the queue, which has been opened before: that makes the schema in PostgreSQL
 * @param windows as in {@link makePace}
 */
export async function openQueuePace(
  address: string,
  windows?: Parameters<typeof makePace>[1],
): Promise<QueuePace> {
  await using owned = new AsyncDisposableStack();
  const make = await (readServerKind(address) === 'redis' ? openRedis : openPostgres)(address, owned);
  const ask = makePace(make, windows);
  const kept = owned.move();
  return { ask, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function openRedis(address: string, owned: AsyncDisposableStack): Promise<MakeLimiter> {
  const { Redis } = await import('ioredis');
  // Not for ever: who asks goes on without an answer.
  const storeClient = new Redis(address, { maxRetriesPerRequest: 1, lazyConnect: true });
  owned.defer(() => storeClient.disconnect());
  storeClient.on('error', ignoreError);
  await storeClient.connect();
  return (name, points, duration) =>
    new RateLimiterRedis({ storeClient, keyPrefix: `pwp-pace-${name}`, points, duration });
}

async function openPostgres(address: string, owned: AsyncDisposableStack): Promise<MakeLimiter> {
  const { Pool } = await import('pg');
  const storeClient = new Pool({ connectionString: address, max: 1, connectionTimeoutMillis: 5000 });
  owned.defer(() => storeClient.end());
  storeClient.on('error', ignoreError);
  const place = { storeClient, schemaName: 'bullmq', tableName: 'pwp_pace' };
  const makeTable = () =>
    new Promise<void>((resolve, reject) => {
      new RateLimiterPostgres({ ...place, points: 1, duration: 1 }, (error) =>
        error ? reject(error) : resolve(),
      );
    });
  // PostgreSQL may refuse what another worker makes at the same moment.
  await makeTable().catch(makeTable);
  return (keyPrefix, points, duration) =>
    new RateLimiterPostgres({ ...place, tableCreated: true, keyPrefix, points, duration });
}

/** Connections that break are made again. */
function ignoreError(): void {
  // Each request that fails says so to its own caller.
}
