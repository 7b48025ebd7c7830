import type { AttemptQueue } from './attempt-queue.ts';
import { workerState, type WorkerState } from './worker-state.ts';

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
  const connected = await listConnected(queue);
  const jobs = await queue.workers.getJobs(['waiting'], 0, mostWorkers - 1);
  const states = jobs.flatMap(({ data }) => workerState.safeParse(data).data ?? []);
  for (const state of states)
    if (!connected.some((worker) => matchesState(worker, state))) await removeWorker(queue, state.name);
  return connected.map((worker) => {
    const state = states.find((one) => matchesState(worker, one)) ?? null;
    return { name: state?.name ?? worker.name, state };
  });
}

/** A worker by the name of its connection. */
interface WorkerConnection {
  readonly name: string;
  /** PostgreSQL keeps 63 bytes, a prefix included. */
  readonly isCut: boolean;
}

function matchesState({ name, isCut }: WorkerConnection, state: WorkerState): boolean {
  return isCut ? state.name.startsWith(name) : state.name === name;
}

async function listConnected({ jobs }: AttemptQueue): Promise<WorkerConnection[]> {
  const clients = await jobs.getWorkers();
  const names = [...new Set(clients.flatMap(({ rawname }) => rawname ?? []))].toSorted();
  return names.flatMap((raw) => {
    const name = /:w:(.+)$/.exec(raw)?.[1];
    return name === undefined ? [] : { name, isCut: raw.length >= 63 };
  });
}

/** BullMQ takes no colon. */
function nameWorkerJob(name: string): string {
  return name.replaceAll(':', '_');
}
