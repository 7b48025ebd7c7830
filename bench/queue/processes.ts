import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { packageFolder } from '../../host/lib/index.ts';
import type { ProducerOrder, WorkerOrder } from './roles.ts';

/** In the environment of all processes of one run, so that those that are left are found. */
const markVariable = 'PWP_BENCH_RUN';

/** Builds the program of workers and producers, which is smaller and starts sooner than its sources. */
export async function buildProgram(): Promise<string> {
  const outdir = join(packageFolder(), 'dist/bench-queue');
  await build({
    ...{
      entryPoints: [join(packageFolder(), 'bench/queue/program.ts')],
      outdir,
      outExtension: { '.js': '.mjs' },
    },
    ...{
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node22',
      packages: 'external',
    },
    logLevel: 'error',
  });
  return join(outdir, 'program.mjs');
}

export interface ProcessOptions {
  /** As built by {@link buildProgram}, or its source. */
  readonly program: string;
  /** Same for all of a run. */
  readonly mark: string;
  readonly env: NodeJS.ProcessEnv;
  /** Words before the command, e.g. to enter a network namespace. */
  readonly prefix?: readonly string[];
}

type Line = readonly [kind: 'ready' | 'begin' | 'end', folder: string, failure: string | null];

/** A worker or a producer, which can be killed and started again. Disposing it ends it by SIGTERM. */
export class BenchProcess implements AsyncDisposable {
  /** The times at which tries began, by the attempt's folder. */
  readonly begun = new Map<string, number[]>();
  /** Tries that ended, in order, with what their worker said. */
  readonly ended: { readonly folder: string; readonly failure: string | null }[] = [];
  /** Of the present process: attempts that began and have not ended. */
  readonly underWay = new Set<string>();
  readonly #args: readonly string[];
  readonly #options: ProcessOptions;
  /** Resolves when a worker has reached its queue. */
  readonly ready: Promise<void>;
  /** Resolves when a first try has begun. */
  readonly firstTry: Promise<void>;
  readonly #reached = Promise.withResolvers<void>();
  readonly #begins = Promise.withResolvers<void>();
  #child: ChildProcess;
  #exited: Promise<unknown>;

  constructor(role: 'worker' | 'producer', order: WorkerOrder | ProducerOrder, options: ProcessOptions) {
    this.#options = options;
    this.ready = this.#reached.promise;
    this.firstTry = this.#begins.promise;
    const { program, prefix = [] } = options;
    const flags = program.endsWith('.ts') ? process.execArgv : [];
    this.#args = [...prefix, process.execPath, ...flags, program, role, JSON.stringify(order)];
    [this.#child, this.#exited] = this.#spawn();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Resolves when the present process has ended, with its exit code or the signal that ended it. */
  async exit(): Promise<number | NodeJS.Signals | null> {
    await this.#exited;
    return this.#child.exitCode ?? this.#child.signalCode;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** Starts it again, unless it runs. */
  start(): void {
    if (this.#child.exitCode === null && this.#child.signalCode === null) return;
    this.underWay.clear();
    [this.#child, this.#exited] = this.#spawn();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGCONT');
    this.#child.kill('SIGTERM');
    await this.#exited;
  }

  #spawn(): [ChildProcess, Promise<unknown>] {
    const { env, mark } = this.#options;
    const [file = '', ...args] = this.#args;
    const child = spawn(file, args, {
      env: { ...process.env, ...env, [markVariable]: mark },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) => this.#read(JSON.parse(line) as Line));
    return [child, once(child, 'close')];
  }

  #read([kind, folder, failure]: Line): void {
    this.#reached.resolve();
    if (kind === 'ready') return;
    this.#begins.resolve();
    if (kind === 'begin') {
      this.begun.set(folder, [...(this.begun.get(folder) ?? []), performance.now()]);
      this.underWay.add(folder);
    } else {
      this.underWay.delete(folder);
      this.ended.push({ folder, failure });
    }
  }
}

/** Processes of a run that live. */
export async function listMarked(mark: string): Promise<number[]> {
  return await filterProcesses(async (pid) => {
    const env = await readFile(`/proc/${pid}/environ`, 'utf8');
    return env.split('\0').includes(`${markVariable}=${mark}`);
  });
}

export async function listChildren(parent: number): Promise<number[]> {
  return await filterProcesses(async (pid) => (await readStat(pid)).parent === parent);
}

async function filterProcesses(test: (pid: number) => Promise<boolean>): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map((pid) => test(pid).catch(() => false)));
  return pids.filter((_, index) => found[index]);
}

/** Milliseconds of processor time, of the process and of its children that it has waited for. */
export async function readStat(pid: number): Promise<{ readonly parent: number; readonly cpuMs: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  // From the third field on, `state`: parent is the fourth, times are the 14th to the 17th, in ticks of 10 ms.
  const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
  return { parent: fields[1] ?? 0, cpuMs: ticks * 10 };
}

/** Milliseconds of processor time of processes and their children, ended ones included. */
export async function readTreeCpu(pids: readonly number[]): Promise<number> {
  const wanted = new Set(pids);
  let sum = 0;
  await filterProcesses(async (pid) => {
    const { parent, cpuMs } = await readStat(pid);
    if (wanted.has(pid) || wanted.has(parent)) sum += cpuMs;
    return false;
  });
  return sum;
}

/** What processes hold in MiB, shared pages by their share. */
export async function readMemory(pids: readonly number[]): Promise<number> {
  let kB = 0;
  for (const pid of pids) {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    kB += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0);
  }
  return kB / 1024;
}
