import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describeError, pause } from '../../bridge/lib/index.ts';
import { queueTimes } from '../lib/queued-tries.ts';
import type { QueueServer } from '../lib/queue-server.ts';
import { type CutLink, openCutLink } from './cut-link.ts';
import type { MurderKind } from './murder-plan.ts';
import { BenchProcess, listChildren } from './processes.ts';
import { simulatedEnv } from './simulated-try.ts';

/** Of one attempt, in milliseconds: longer than a lock lasts in some of them. */
const meanMs = 4000;
/** Attempts that a worker makes at a time. */
const width = 4;
/** What is stopped, cut off or full stays so past its lock; in milliseconds. */
const trouble = { ms: queueTimes.lockMs + 3000, endMs: 30_000 };
/** A service manager starts a killed worker again; in milliseconds. */
const startAgainMs = 1000;
/** A study that ends more often by itself does not come to an end. */
const mostRestarts = 10;

export interface MurderedStudyOptions {
  readonly server: QueueServer;
  /** For all that the study's machines have. */
  readonly folder: string;
  readonly program: string;
  readonly mark: string;
  readonly attempts: number;
  readonly murders: readonly MurderKind[];
  readonly random: () => number;
  readonly signal: AbortSignal;
}

export interface MurderedStudy {
  /** By the attempts' folders: tries that began. */
  readonly begun: ReadonlyMap<string, number>;
  /** Attempts whose worker was killed, once for each time. */
  readonly killed: readonly string[];
  readonly murdered: number;
  readonly problems: readonly string[];
  readonly seconds: number;
}

/** The places of one run below its folder. */
export function namePlaces(folder: string) {
  const temporary = [0, 1, 2, 3].map((index) => join(folder, `machine-${index}`));
  return { study: join(folder, 'study'), store: join(folder, 'store'), temporary };
}

/**
 * A study that one producer follows and three workers make: the first beyond a link, the second with a small disk. Ends
 * with no process left that it started.
 */
export async function playMurderedStudy(options: MurderedStudyOptions): Promise<MurderedStudy> {
  const { server, folder, attempts, murders, signal } = options;
  const start = performance.now();
  const places = namePlaces(folder);
  for (const path of places.temporary) await mkdir(path, { recursive: true });
  await using owned = new AsyncDisposableStack();
  const link = owned.use(await openCutLink(server.url));
  const [, , smallDisk = ''] = places.temporary;
  owned.use(await mountSmallDisk(smallDisk));
  const scene = owned.use(new Scene(options, link, smallDisk));
  const over = scene.follow();
  const running: Promise<void>[] = [];
  for (const [index, kind] of murders.entries()) {
    const after = Math.round(((index + 0.5) * attempts) / murders.length / 1.1);
    while (!scene.isOver && (await countOver(places.study)) < after) await pause(100, signal);
    if (scene.isOver) break;
    console.log(`  ${index + 1}. ${kind}, after ${await countOver(places.study)} attempts`);
    running.push(scene.murder(kind));
  }
  await over;
  await Promise.all(running);
  await scene[Symbol.asyncDispose]();
  return { ...scene.report(), murdered: running.length, seconds: (performance.now() - start) / 1000 };
}

async function countOver(study: string): Promise<number> {
  const names = await readdir(join(study, 'attempts'), { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('/attempt.json')).length;
}

async function mountSmallDisk(path: string): Promise<AsyncDisposable> {
  await execa('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', path]);
  return { [Symbol.asyncDispose]: async () => void (await execa('umount', ['-l', path])) };
}

/** The processes of a study, and what happens to them. */
class Scene implements AsyncDisposable {
  isOver = false;
  readonly #options: MurderedStudyOptions;
  readonly #link: CutLink;
  readonly #smallDisk: string;
  readonly #workers: readonly BenchProcess[];
  readonly #producer: BenchProcess;
  readonly #killed: string[] = [];
  readonly #problems: string[] = [];

  constructor(options: MurderedStudyOptions, link: CutLink, smallDisk: string) {
    this.#options = options;
    this.#link = link;
    this.#smallDisk = smallDisk;
    const { server, folder, program, mark, attempts } = options;
    const { study, store, temporary } = namePlaces(folder);
    const common = { store, times: queueTimes };
    const settings = (path = '') => ({
      ...{ program, mark },
      env: {
        TMPDIR: path,
        PWP_HOME: join(path, 'home'),
        ...simulatedEnv({ ms: meanMs, spread: 0.5, failing: 0 }),
      },
    });
    this.#workers = [0, 1, 2].map((index) => {
      const url = index === 0 ? link.translate(server.url) : server.url;
      const order = { ...common, url, parallel: width, processes: true };
      const prefix = index === 0 ? link.prefix : [];
      // The third folder is the small disk: the worker with index 2.
      return new BenchProcess('worker', order, { ...settings(temporary[index]), prefix });
    });
    const order = { ...common, url: server.url, folder: study, attempts };
    this.#producer = new BenchProcess('producer', order, settings(temporary[3]));
  }

  /** Starts the producer again until the study is over. */
  async follow(): Promise<void> {
    try {
      for (let failed = 0; ;) {
        const code = await this.#producer.exit();
        if (code === 0) return;
        if (code !== 'SIGKILL') this.#problems.push(`the producer ended with ${code}`);
        if (code !== 'SIGKILL' && ++failed > mostRestarts) return;
        await pause(startAgainMs, this.#options.signal);
        this.#producer.start();
      }
    } finally {
      this.isOver = true;
    }
  }

  report(): Pick<MurderedStudy, 'begun' | 'killed' | 'problems'> {
    const begun = new Map<string, number>();
    for (const worker of this.#workers)
      for (const [folder, times] of worker.begun) begun.set(folder, (begun.get(folder) ?? 0) + times.length);
    return { begun, killed: this.#killed, problems: this.#problems };
  }

  /** Ends when the trouble is over. */
  async murder(kind: MurderKind): Promise<void> {
    try {
      await this.#murder(kind);
    } catch (error) {
      this.#problems.push(`${kind}: ${describeError(error)}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#producer.kill();
    for (const worker of this.#workers) await this.#end(worker);
  }

  /** By SIGTERM: its attempts are given back in time. */
  async #end(worker: BenchProcess): Promise<void> {
    const start = performance.now();
    await worker[Symbol.asyncDispose]();
    const code = await worker.exit();
    // It may be killed meanwhile.
    if (code !== 0 && code !== 'SIGKILL') this.#problems.push(`a worker that was ended exits with ${code}`);
    if (performance.now() - start > trouble.endMs) this.#problems.push('a worker took long to end');
  }

  async #murder(kind: MurderKind): Promise<void> {
    const { server, signal } = this.#options;
    const worker = this.#choose();
    switch (kind) {
      case 'worker killed':
        this.#killed.push(...this.#listUnderWay(worker));
        await worker.kill();
        await pause(startAgainMs, signal);
        return worker.start();
      case 'worker ended':
        await this.#end(worker);
        return worker.start();
      case 'child killed':
        return await this.#killChild(worker);
      case 'server killed':
        return await server.restart();
      case 'producer killed':
        return await this.#producer.kill();
      case 'worker stopped':
        return await pauseProcess(worker.pid, signal);
      case 'worker cut off':
        await this.#link.set('down');
        await pause(trouble.ms, signal);
        return await this.#link.set('up');
      case 'disk full':
        return await this.#fillDisk();
    }
  }

  #choose(): BenchProcess {
    const { random } = this.#options;
    return this.#workers[Math.floor(random() * this.#workers.length)] ?? this.#producer;
  }

  /** Without those that the worker has lost: another has begun them since. */
  #listUnderWay(worker: BenchProcess): string[] {
    const lastOf = (one: BenchProcess, folder: string) => one.begun.get(folder)?.at(-1) ?? 0;
    const isOwn = (folder: string) =>
      this.#workers.every((other) => lastOf(other, folder) <= lastOf(worker, folder));
    return [...worker.underWay].filter(isOwn);
  }

  async #killChild(worker: BenchProcess): Promise<void> {
    while (!this.isOver) {
      const [child] = await listChildren(worker.pid);
      if (child !== undefined) return void process.kill(child, 'SIGKILL');
      await pause(100, this.#options.signal);
    }
  }

  async #fillDisk(): Promise<void> {
    const file = join(this.#smallDisk, 'filling');
    await execa('dd', ['if=/dev/zero', `of=${file}`, 'bs=64k'], { reject: false, stderr: 'ignore' });
    await pause(trouble.ms, this.#options.signal);
    // Another of these may have removed it.
    await rm(file, { force: true });
  }
}

async function pauseProcess(pid: number, signal: AbortSignal): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  await pause(trouble.ms, signal);
  try {
    process.kill(pid, 'SIGCONT');
  } catch (error) {
    // It was killed meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
