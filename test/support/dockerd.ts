import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, deadline, poll, startChild } from '../../bridge/lib/index.ts';
import { unmountBelow } from '../../host/node/container/mounts.ts';
import { connectEngine } from '../../host/node/docker/engine.ts';

/** From the start of dockerd to its first answer, in milliseconds; the first start on a slow disk takes longest. */
const startMs = 60_000;
/** Longest time for dockerd to end its containers, in milliseconds. */
const stopMs = 30_000;
const probeMs = 100;
const unmountMs = 30_000;

/** A test's own Docker Engine: it shares nothing with the machine's, so it can be restarted and killed. */
export interface Dockerd extends AsyncDisposable {
  /** For `DOCKER_HOST`. */
  readonly host: string;
  /** Stops it as its service does at an upgrade; its containers end with it. */
  stop(): Promise<void>;
  /** Starts it again on the same socket and the same images. */
  start(): Promise<void>;
}

/**
 * Ways to run it, of which the first that works is used: as usual; on machines without iptables; on file systems that
 * can't hold an overlay.
 */
const ways = [
  [],
  ['--bridge=none', '--iptables=false', '--ip6tables=false'],
  ['--bridge=none', '--iptables=false', '--ip6tables=false', '--storage-driver=vfs'],
];

export interface DockerdOptions {
  /** Arguments that replace the ways above. */
  readonly args?: readonly string[];
  /** Folder for its images, which stays. Default: one that is removed with it. */
  readonly data?: string;
}

export async function startDockerd({ args: own, data }: DockerdOptions = {}): Promise<Dockerd> {
  const folder = await mkdtemp(join(tmpdir(), 'pwp-dockerd-'));
  const errors: unknown[] = [];
  for (const args of own ? [own] : ways) {
    const dockerd = new OwnDockerd(folder, data ?? join(folder, 'data'), args);
    try {
      await dockerd.start();
      return dockerd;
    } catch (error) {
      errors.push(error);
      await dockerd.stop();
    }
  }
  await removeFolder(folder);
  throw new AggregateError(errors, `dockerd does not start: ${errors.map(String).join('\n')}`);
}

class OwnDockerd implements Dockerd {
  readonly host: string;
  readonly #folder: string;
  readonly #data: string;
  readonly #args: readonly string[];
  #child: Child | undefined;

  constructor(folder: string, data: string, args: readonly string[]) {
    this.host = `unix://${join(folder, 'docker.sock')}`;
    this.#folder = folder;
    this.#data = data;
    this.#args = args;
  }

  async start(): Promise<void> {
    const at = (name: string) => join(this.#folder, name);
    const places = ['--data-root', this.#data, '--exec-root', at('run'), '--pidfile', at('pid')];
    const args = ['--host', this.host, ...places, ...this.#args];
    const log = at('log');
    const child = await startChild('dockerd', args, { env: process.env, log });
    this.#child = child;
    using limit = deadline('start of dockerd', startMs);
    const ended = new AbortController();
    void child.stopped.then(({ code }) =>
      ended.abort(new Error(`dockerd ${this.#args.join(' ')} ended with ${code}, see ${log}`)),
    );
    const probe = async () => {
      await connectEngine({ DOCKER_HOST: this.host });
      return { done: true, value: undefined } as const;
    };
    const signal = AbortSignal.any([limit.signal, ended.signal]);
    await poll('dockerd', probe, { intervalMs: probeMs, signal });
  }

  async stop(): Promise<void> {
    await this.#child?.stop(stopMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await unmount(this.#data);
    await removeFolder(this.#folder);
  }
}

/** The engine does not remove the name of its network namespace, which is a mount, when it ends. */
async function unmount(folder: string): Promise<void> {
  using limit = deadline(`unmounting in ${folder}`, unmountMs);
  await unmountBelow(folder, limit.signal);
}

async function removeFolder(folder: string): Promise<void> {
  await unmount(folder);
  await rm(folder, { recursive: true, force: true });
}
