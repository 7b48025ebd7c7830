import { collectCauses, deadline, describeError, PwpError, raceSignal } from '../../../bridge/lib/index.ts';
import { redactAddress } from '../models/index.ts';
import { readServerKind } from './attempt-queue.ts';

/**
 * Texts by key that are there for a time, by the clock of Redis or PostgreSQL. Its methods reject while the server can't be
 * reached. Disposing it closes its connections; the texts stay.
 */
export interface Leases extends AsyncDisposable {
  /** In place of what is there. */
  put(key: string, text: string, ms: number): Promise<void>;
  get(key: string): Promise<string | undefined>;
  remove(key: string): Promise<void>;
  /** The texts of a group: keys such as `group:name` are in one, others in none. */
  list(group: string): Promise<string[]>;
}

/** The longest that a server may take to answer, in milliseconds. */
const answerMs = 3000;

/**
 * Opens the leases that a queue's server keeps beside its attempts. Errors: `usage` for an address that is neither Redis's
 * nor PostgreSQL's; `queue-unreachable`.
 * @param prefix of the keys, which keeps others on the same server apart
 */
export async function openLeases(address: string, prefix: string): Promise<Leases> {
  const open = { redis: openRedisLeases, postgres: openPostgresLeases }[readServerKind(address)];
  try {
    return boundTimes(await open(address, prefix));
  } catch (cause) {
    const why = [cause, ...collectCauses(cause)].map(describeError).find((text) => text !== '') ?? '';
    throw new PwpError('queue-unreachable', `${redactAddress(address)} can't be reached: ${why}`, {
      cause,
      help: 'Start the server, or correct --queue.',
    });
  }
}

/** Clients wait for ever for a server that is gone. */
function boundTimes(leases: Leases): Leases {
  const bound = async <T>(answer: Promise<T>): Promise<T> => {
    using limit = deadline('the answer of the queue', answerMs);
    return await raceSignal(answer, limit.signal);
  };
  return {
    put: (...given) => bound(leases.put(...given)),
    get: (key) => bound(leases.get(key)),
    remove: (key) => bound(leases.remove(key)),
    list: (group) => bound(leases.list(group)),
    [Symbol.asyncDispose]: () => leases[Symbol.asyncDispose](),
  };
}

/** A key for each text, which expires, and a set of each group's keys, of which some may have expired. */
async function openRedisLeases(address: string, prefix: string): Promise<Leases> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(address, { keyPrefix: `${prefix}:`, lazyConnect: true });
  let last: Error | undefined;
  // Connections that break are made again.
  redis.on('error', (error) => (last = error));
  await redis.connect().catch((error: unknown) => {
    redis.disconnect();
    throw last ?? error;
  });
  return {
    async put(key, text, ms) {
      await redis.set(key, text, 'PX', ms);
      const [group = ''] = /^\w+(?=:)/.exec(key) ?? [];
      if (group !== '') await redis.sadd(group, key);
    },
    get: async (key) => (await redis.get(key)) ?? undefined,
    async remove(key) {
      await redis.del(key);
    },
    async list(group) {
      const keys = await redis.smembers(group);
      if (keys.length === 0) return [];
      const texts = await redis.mget(keys);
      const expired = keys.filter((_, at) => texts[at] === null);
      if (expired.length > 0) await redis.srem(group, expired);
      return texts.filter((text) => text !== null);
    },
    [Symbol.asyncDispose]() {
      redis.disconnect();
      return Promise.resolve();
    },
  };
}

/** One transaction. Two processes that make the table at the same moment would be in each other's way. */
const makeTable = `
  SELECT pg_advisory_xact_lock(hashtext('pwp.lease'));
  CREATE SCHEMA IF NOT EXISTS pwp;
  CREATE TABLE IF NOT EXISTS pwp.lease (key text PRIMARY KEY, value text NOT NULL, until timestamptz NOT NULL);
  CREATE INDEX IF NOT EXISTS lease_until ON pwp.lease (until);
`;
const later = `now() + $3 * interval '1 millisecond'`;

/** A row for each text. Those whose time is over are removed by the next that is put. */
async function openPostgresLeases(address: string, prefix: string): Promise<Leases> {
  const { default: postgres } = await import('pg');
  const pool = new postgres.Pool({ connectionString: address, max: 2, connectionTimeoutMillis: answerMs });
  // Connections that break are made again; each request that fails says so to its own caller.
  pool.on('error', () => undefined);
  await pool.query(makeTable).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  const query = async (text: string, values: readonly (string | number)[]) => {
    const { rows } = await pool.query<{ value: string }>(text, [...values]);
    return rows.map(({ value }) => value);
  };
  return {
    async put(key, text, ms) {
      await query(
        `WITH over AS (DELETE FROM pwp.lease WHERE until < now() AND key <> $1)
         INSERT INTO pwp.lease VALUES ($1, $2, ${later})
         ON CONFLICT (key) DO UPDATE SET value = excluded.value, until = excluded.until`,
        [`${prefix}:${key}`, text, ms],
      );
    },
    async get(key) {
      const select = 'SELECT value FROM pwp.lease WHERE key = $1 AND until > now()';
      return (await query(select, [`${prefix}:${key}`]))[0];
    },
    async remove(key) {
      await query('DELETE FROM pwp.lease WHERE key = $1', [`${prefix}:${key}`]);
    },
    list: (group) =>
      query('SELECT value FROM pwp.lease WHERE starts_with(key, $1) AND until > now()', [
        `${prefix}:${group}:`,
      ]),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
