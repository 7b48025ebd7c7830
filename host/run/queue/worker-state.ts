import * as z from 'zod';
import type { AttemptQueue } from './attempt-queue.ts';

/** What a machine has room for. */
export const machineRoom = z.object({
  fits: z.int().nonnegative().describe('attempts that fit now besides those under way, as far as is known'),
  waits: z.string().max(300).nullable().describe('why none is taken, such as "2.1 GB of disk left"; or null'),
});
export type MachineRoom = z.output<typeof machineRoom>;

/** What a worker says about itself. */
const workerState = z.object({
  name: z.string().max(300).describe('host and process'),
  since: z.iso.datetime(),
  parallel: z.int().positive().describe('attempts at a time'),
  ...machineRoom.shape,
  /** What it has made since then, for each study by the hash of its definition. */
  made: z
    .array(
      z.object({
        study: z.string().max(100),
        made: z.int().nonnegative(),
        failed: z.int().nonnegative().describe('those among them that left no record of their end'),
        perMinute: z.number().nonnegative().describe('in the last hour'),
      }),
    )
    .max(1000),
  errors: z
    .array(
      z.object({
        at: z.iso.datetime(),
        title: z.string().max(300).describe("the study's name"),
        folder: z.string().max(1000),
        failure: z.string().max(1000),
      }),
    )
    .max(20)
    .describe('the last attempts that left no record of their end'),
});
export type WorkerState = z.output<typeof workerState>;

/** The most workers that are described. */
const mostWorkers = 2000;

/** Says how a worker is, in place of what it said before. Takes two requests. */
export async function publishWorker({ workers }: AttemptQueue, state: WorkerState): Promise<void> {
  // Nothing if it is there already, since a worker's job is never taken.
  const job = await workers.add('worker', state, { jobId: nameWorkerJob(state.name) });
  await job.updateData(state);
}

export async function removeWorker({ workers }: AttemptQueue, name: string): Promise<void> {
  await workers.remove(nameWorkerJob(name));
}

/** A worker that is connected; null for what it has not said yet. */
export type ConnectedWorker = Pick<WorkerState, 'name'> & { readonly state: WorkerState | null };

/** The workers that are connected. What killed ones have said is removed. */
export async function listWorkers(queue: AttemptQueue): Promise<ConnectedWorker[]> {
  const names = await listConnected(queue);
  const jobs = await queue.workers.getJobs(['waiting'], 0, mostWorkers - 1);
  const states = jobs.flatMap(({ data }) => workerState.safeParse(data).data ?? []);
  const isOf = (name: string, state: WorkerState) => state.name.startsWith(name);
  for (const state of states)
    if (!names.some((name) => isOf(name, state))) await removeWorker(queue, state.name);
  return names.map((name) => {
    const state = states.find((one) => isOf(name, one)) ?? null;
    return { name: state?.name ?? name, state };
  });
}

/** PostgreSQL cuts them after 63 bytes, a prefix included. */
async function listConnected({ jobs }: AttemptQueue): Promise<string[]> {
  const clients = await jobs.getWorkers();
  const names = clients.flatMap(({ rawname }) => /:w:(.+)$/.exec(rawname ?? '')?.[1] ?? []);
  return [...new Set(names)].toSorted();
}

/** BullMQ takes no colon. */
function nameWorkerJob(name: string): string {
  return name.replaceAll(':', '_');
}
