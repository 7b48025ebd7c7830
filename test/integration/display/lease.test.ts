import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { identifyThisProcess } from '../../../host/lib/index.ts';
import { LocalLease, playInTurn } from '../../../host/node/control/local-lease.ts';
import { connectDisplay, type XDisplay } from '../../../host/node/display/display.ts';
import { readPressedKeys } from '../../../host/node/display/keyboard.ts';
import { XConnection } from '../../../host/node/display/x-connection.ts';
import type { InputCommand, InputResult, Person } from '../../../host/node/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { startXvfb, type Xvfb } from '../../support/xvfb.ts';

const never = new AbortController().signal;
const ada: Person = { kind: 'person', id: 'ada', name: 'Ada' };
const bob: Person = { kind: 'person', id: 'bob', name: 'Bob' };
/** Shorter than in a sandbox, to keep the tests short. */
const graceMs = 500;

const shift = (action: 'down' | 'up'): InputCommand => ({ kind: 'key', keys: ['shift'], action, delayMs: 0 });
const sleep = (ms: number): InputCommand => ({ kind: 'sleep', ms });

/** One process's side of a sandbox: a lease and a display. */
interface Side {
  readonly lease: LocalLease;
  input(commands: readonly InputCommand[], hold?: string): Promise<InputResult>;
}

describe('the lease beside a display', () => {
  let x: Xvfb;
  let observer: XConnection;
  let folder: TemporaryFolder;
  const owned = new AsyncDisposableStack();
  let sides: AsyncDisposableStack;

  before(async () => {
    x = owned.use(await startXvfb());
    observer = owned.use(await XConnection.open(x.socket, never));
  });
  after(() => owned.disposeAsync());
  beforeEach(async () => {
    sides = new AsyncDisposableStack();
    folder = sides.use(await temporaryFolder());
  });
  afterEach(() => sides.disposeAsync());

  async function openSide(): Promise<Side> {
    const display: XDisplay = sides.use(await connectDisplay(x.socket, never));
    const letGo = (signal: AbortSignal) => display.letGo(graceMs + 500, signal);
    const lease = sides.use(
      new LocalLease({
        paths: { lease: folder.file('lease.json'), leaseUsed: folder.file('lease-used.json') },
        process: identifyThisProcess,
        letGo,
      }),
    );
    const input = (commands: readonly InputCommand[], hold?: string) =>
      playInTurn(lease, display, commands, { hold, graceMs, letGo, signal: never });
    return { lease, input };
  }

  const down = () => readPressedKeys(observer);

  async function startHolder(ttlMs: number) {
    const program = new URL('../../programs/lease-holder.ts', import.meta.url).pathname;
    const args = [program, folder.path, String(ttlMs), x.socket];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    sides.defer(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    return child;
  }

  it("refuses an agent in another process while a person has it, and releases the previous holder's keys", async () => {
    const [agent, page] = [await openSide(), await openSide()];
    await agent.input([shift('down')]);
    assert.equal((await down()).length, 1);
    const { hold } = await page.lease.take(ada);
    assert.deepEqual(await down(), []);
    await assert.rejects(agent.input([shift('down')]), { code: 'control-held', message: /Ada/ });
    // Asking where the pointer is changes nothing.
    assert.equal((await agent.input([{ kind: 'locate' }])).executed, 1);
    await page.input([shift('down')], hold);
    assert.equal((await down()).length, 1);
    await page.lease.giveBack(hold);
    assert.deepEqual(await down(), []);
    await agent.input([shift('down')]);
    await agent.input([{ kind: 'release' }]);
    await assert.rejects(page.input([shift('down')], hold), { code: 'control-lost', message: /given back/ });
  });

  it("waits for the end of another process's batch, and releases its keys", async () => {
    const [agent, page] = [await openSide(), await openSide()];
    const playing = agent.input([shift('down'), sleep(200), { kind: 'type', text: 'a', delayMs: 0 }]);
    await observedDown();
    await page.lease.take(ada);
    assert.equal((await playing).executed, 3);
    assert.deepEqual(await down(), []);
  });

  it("stops another process's batch in the middle if it takes too long", async () => {
    const [agent, page] = [await openSide(), await openSide()];
    const playing = agent.input([shift('down'), sleep(60_000), shift('up')]);
    const refused = assert.rejects(playing, { code: 'control-held', message: /Ada/ });
    await observedDown();
    await page.lease.take(ada);
    await refused;
    assert.deepEqual(await down(), []);
  });

  it('does not wait for a pause in which no key is down', async () => {
    const [agent, page] = [await openSide(), await openSide()];
    const refused = assert.rejects(
      agent.input([{ kind: 'move', x: 1, y: 1, relative: false }, sleep(60_000)]),
      {
        code: 'control-held',
      },
    );
    await page.lease.take(ada);
    await refused;
  });

  it('has one holder when several take it at once', async () => {
    const pages = await Promise.all([openSide(), openSide(), openSide(), openSide()]);
    const people = [ada, bob, { ...ada, id: 'cy' }, { ...ada, id: 'dee' }];
    const taken = await Promise.allSettled(pages.map(({ lease }, i) => lease.take(people[i] ?? ada)));
    const won = taken.filter(({ status }) => status === 'fulfilled');
    assert.equal(won.length, 1);
    for (const one of taken)
      if (one.status === 'rejected') assert.equal((one.reason as { code?: string }).code, 'control-held');
  });

  it('ends when its holder is killed, long before its time to live, and releases the keys', async () => {
    const agent = await openSide();
    const holder = await startHolder(600_000);
    await assert.rejects(agent.input([shift('up')]), { code: 'control-held' });
    assert.equal((await down()).length, 1);
    const { revision } = await agent.lease.state();
    const changed = agent.lease.changed(revision, { signal: AbortSignal.timeout(20_000) });
    holder.kill('SIGKILL');
    const state = await changed;
    assert.equal(state.holder, null);
    assert.deepEqual([state.last?.how, state.turns, state.looked], ['ended', 1, 0]);
    assert.deepEqual(await down(), []);
    await agent.input([shift('up')]);
  });

  it('ends when its time to live is over, even if its process lives', async () => {
    const agent = await openSide();
    await startHolder(1000);
    const { revision } = await agent.lease.state();
    const { last } = await agent.lease.changed(revision, { signal: AbortSignal.timeout(20_000) });
    assert.equal(last?.how, 'expired');
    await agent.input([shift('up')]);
    assert.deepEqual(await down(), []);
  });

  it('can be revoked from another process, and its holder learns by whom', async () => {
    const [owner, page] = [await openSide(), await openSide()];
    const { hold } = await page.lease.take(ada);
    await owner.lease.revoke(bob);
    await assert.rejects(page.input([shift('down')], hold), {
      code: 'control-lost',
      message: 'control was revoked by Bob',
    });
    await assert.rejects(page.lease.renew(hold), { code: 'control-lost' });
    await page.lease.giveBack(hold);
    assert.equal((await owner.lease.state()).last?.how, 'revoked');
  });

  it('ends when the side that took it is closed', async () => {
    const [agent, page] = [await openSide(), await openSide()];
    const { hold } = await page.lease.take(ada);
    await page.input([shift('down')], hold);
    await page.lease[Symbol.asyncDispose]();
    assert.deepEqual(await down(), []);
    assert.equal((await agent.lease.state()).last?.how, 'ended');
  });

  it('reads and writes nothing as long as no person acts', async () => {
    const agent = await openSide();
    await agent.input([shift('up')]);
    assert.equal((await agent.lease.state()).revision, 0);
    assert.deepEqual(await readdir(folder.path), []);
  });

  /** Waits until the agent's key is down. */
  async function observedDown(): Promise<void> {
    const signal = AbortSignal.timeout(10_000);
    while ((await down()).length === 0) signal.throwIfAborted();
  }
});
