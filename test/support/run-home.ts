import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deadline, poll } from '../../bridge/lib/index.ts';
import { createLocalNode } from '../../host/node/index.ts';

const variable = 'PWP_TEST_HOME';
/** Longest time for interrupted test processes to end, in milliseconds. */
const endMs = 60_000;

/**
 * The cache folder that all test processes of one run share: a checkpoint that one of them takes is available to the
 * others. Tests of a cache folder's content have their own.
 */
export function runHome(): string {
  const home = process.env[variable];
  if (home === undefined) throw new Error(`${variable} is not set: mocha's global set-up did not run`);
  return home;
}

/** Makes the folder, unless the process that started this one did. Disposing it removes a folder made here. */
export async function openRunHome(): Promise<AsyncDisposable> {
  if (process.env[variable] !== undefined) return { [Symbol.asyncDispose]: () => Promise.resolve() };
  const home = await mkdtemp(join(tmpdir(), 'pwp-run-'));
  process.env[variable] = home;
  return {
    async [Symbol.asyncDispose]() {
      using limit = deadline('the end of what tests have left', endMs);
      await poll(home, () => remove(home), { intervalMs: 500, signal: limit.signal });
      delete process.env[variable];
    },
  };
}

/** An interrupted test process leaves sandboxes: opening a node removes those whose owner is gone by then. */
async function remove(home: string) {
  const node = await createLocalNode({ home }).catch(() => undefined);
  await node?.[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
  return { done: true, value: undefined } as const;
}
