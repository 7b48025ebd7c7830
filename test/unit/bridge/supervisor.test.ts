import assert from 'node:assert/strict';
import {
  desktop,
  ErrorCode,
  RpcError,
  type Service,
  type ServiceName,
} from '../../../bridge/protocol/index.ts';
import { Handlers, Peer } from '../../../bridge/rpc/index.ts';
import { memoryPair } from '../../../bridge/rpc/transport.ts';
import type { DesktopPart } from '../../../bridge/src/desktop/part.ts';
import { serveDesktopState, Supervisor } from '../../../bridge/src/desktop/supervisor.ts';
import { slowIt } from '../../support/slow.ts';

/** A part without a program: it starts and dies on request. */
class PaperPart implements DesktopPart {
  readonly startMs = 10_000;
  readonly name: ServiceName;
  readonly needs: readonly ServiceName[];
  starts = 0;
  stops = 0;
  refuse: string | undefined;
  /** Stopping it waits for this. */
  lingers: Promise<void> = Promise.resolve();
  die: (why: string) => void = () => undefined;
  readonly #journal: string[];

  constructor(name: ServiceName, needs: readonly ServiceName[], journal: string[] = []) {
    this.name = name;
    this.needs = needs;
    this.#journal = journal;
  }

  start: DesktopPart['start'] = () => {
    this.starts++;
    if (this.refuse !== undefined) return Promise.reject(new Error(this.refuse));
    const ended = new Promise<string>((resolve) => (this.die = resolve));
    return Promise.resolve({
      ended,
      [Symbol.asyncDispose]: () => {
        this.stops++;
        this.#journal.push(this.name);
        return this.lingers;
      },
    });
  };
}

function fakeDesktop(journal: string[] = []) {
  const xvfb = new PaperPart('xvfb', [], journal);
  const server = new PaperPart('code-server', [], journal);
  const chromium = new PaperPart('chromium', ['xvfb', 'code-server'], journal);
  const extension = new PaperPart('extension', ['chromium'], journal);
  const supervisor = new Supervisor([xvfb, server, chromium, extension]);
  const [left, right] = memoryPair();
  const handlers = new Handlers();
  serveDesktopState(handlers, supervisor.status);
  new Peer(right, handlers);
  return { xvfb, server, chromium, extension, supervisor, client: new Peer(left) };
}

const never = new AbortController().signal;
const allReady = (services: readonly Service[]) => services.every(({ state }) => state === 'ready');

describe('the supervisor', () => {
  it('starts parts in the order of their dependencies', async () => {
    const { supervisor, client } = fakeDesktop();
    const order: string[] = [];
    supervisor.status.on(({ name, state }) => order.push(`${name} ${state}`));
    await client.request(desktop.wait, {});
    assert.ok(order.indexOf('chromium starting') > order.indexOf('xvfb ready'));
    assert.ok(order.indexOf('chromium starting') > order.indexOf('code-server ready'));
    assert.ok(order.indexOf('extension starting') > order.indexOf('chromium ready'));
    await supervisor[Symbol.asyncDispose]();
  });

  it('stops parts in the reverse order, each once', async () => {
    const journal: string[] = [];
    const { supervisor } = fakeDesktop(journal);
    await supervisor.status.until(allReady, never);
    await supervisor[Symbol.asyncDispose]();
    await supervisor[Symbol.asyncDispose]();
    assert.deepEqual(journal.slice(0, 2), ['extension', 'chromium']);
    assert.deepEqual(journal.slice(2).sort(), ['code-server', 'xvfb']);
  });

  it('restarts a part that died, with all parts that need it', async () => {
    const { xvfb, server, chromium, supervisor } = fakeDesktop();
    await supervisor.status.until(allReady, never);
    xvfb.die('xvfb ended by SIGKILL');
    await supervisor.status.until((all) => !allReady(all), never);
    await supervisor.status.until(allReady, never);
    assert.deepEqual([xvfb.starts, chromium.starts, chromium.stops, server.starts], [2, 2, 1, 1]);
    assert.equal(supervisor.status.get('xvfb').restarts, 1);
    await supervisor[Symbol.asyncDispose]();
  });

  it('does not report a part as ready while it is stopped because a dependency died', async () => {
    const { xvfb, chromium, supervisor } = fakeDesktop();
    await supervisor.status.until(allReady, never);
    const gone = Promise.withResolvers<void>();
    chromium.lingers = gone.promise;
    xvfb.die('xvfb ended by SIGKILL');
    const back = (all: readonly Service[]) =>
      all.some(({ name, state, restarts }) => name === 'xvfb' && state === 'ready' && restarts === 1);
    await supervisor.status.until(back, never);
    assert.equal(supervisor.status.get('chromium').state, 'waiting');
    gone.resolve();
    await supervisor.status.until(allReady, never);
    await supervisor[Symbol.asyncDispose]();
  });

  slowIt('restarts a part that was ready, however often it dies', async () => {
    const { xvfb, supervisor } = fakeDesktop();
    for (let death = 1; death <= 5; death++) {
      await supervisor.status.until(allReady, never);
      xvfb.die('killed');
      await supervisor.status.until((all) => !allReady(all), never);
    }
    await supervisor.status.until(allReady, never);
    assert.equal(supervisor.status.get('xvfb').restarts, 5);
    await supervisor[Symbol.asyncDispose]();
  });

  it('reports a part that never starts as failed, says why, and keeps trying', async () => {
    const { chromium, supervisor, client } = fakeDesktop();
    chromium.refuse = 'no display';
    const failed = (services: readonly Service[]) => services.some(({ state }) => state === 'failed');
    await supervisor.status.until(failed, never);
    assert.equal(chromium.starts, 4);
    assert.match(supervisor.status.get('chromium').detail ?? '', /no display/);
    await assert.rejects(client.request(desktop.wait, {}), (error: unknown) => {
      assert.ok(error instanceof RpcError && error.code === ErrorCode.Unavailable);
      return /chromium failed: no display/.test(error.message);
    });
    chromium.refuse = undefined;
    await supervisor.status.until(allReady, never);
    await supervisor[Symbol.asyncDispose]();
  });

  it("does not count other parts' deaths against a part", async () => {
    const { xvfb, server, supervisor } = fakeDesktop();
    for (const part of [xvfb, server, xvfb, server]) {
      await supervisor.status.until(allReady, never);
      part.die('killed');
      await supervisor.status.until((all) => !allReady(all), never);
    }
    await supervisor.status.until(allReady, never);
    assert.equal(supervisor.status.get('chromium').restarts, 4);
    await supervisor[Symbol.asyncDispose]();
  });

  it('reports what is missing when the wait is over', async () => {
    const { extension, supervisor, client } = fakeDesktop();
    extension.start = (signal: AbortSignal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('over'))));
    await assert.rejects(client.request(desktop.wait, { timeoutMs: 50 }), (error: unknown) => {
      assert.ok(error instanceof RpcError && error.code === ErrorCode.TimedOut);
      return /extension starting/.test(error.message) && !/xvfb/.test(error.message);
    });
    await supervisor[Symbol.asyncDispose]();
  });
});
