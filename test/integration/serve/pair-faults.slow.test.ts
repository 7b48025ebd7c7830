import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { type RawData, WebSocket } from 'ws';
import { poll } from '../../../bridge/lib/index.ts';
import { ide as ideMethods } from '../../../bridge/protocol/index.ts';
import { pairRoutes } from '../../../host/doors/serve/live/live-routes.ts';
import { openServer, type Server } from '../../../host/doors/serve/server.ts';
import { findSandboxRecord, resolveSandboxPaths } from '../../../host/node/container/sandbox-record.ts';
import { readPressedKeys } from '../../../host/node/display/keyboard.ts';
import { XConnection } from '../../../host/node/display/x-connection.ts';
import { openCutProxy } from '../../support/cut-proxy.ts';
import { evaluate } from '../../support/devtools.ts';
import { onOneNode } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';

/** The longest wait, in milliseconds, on a busy machine. */
const waitMs = 120_000;

type Message = Readonly<Record<string, unknown>>;

onOneNode('the page of a person in control when something fails', (open) => {
  let ide: Ide;
  let server: Server;
  const owned = new AsyncDisposableStack();
  const signal = () => AbortSignal.timeout(waitMs);

  before(async () => {
    ide = owned.use(await Ide.start(open, {}));
    const source = { title: 'faults', person: 'Grace', open: () => Promise.resolve(ide.sandbox) };
    server = owned.use(await openServer(pairRoutes(source), 0));
    await ide.sandbox.input([{ kind: 'key', keys: ['ctrl', 'n'], action: 'press', delayMs: 0 }]);
    await ide.until('an empty editor', ({ focus }) => (focus?.role === 'textbox' ? true : undefined));
  });
  after(() => owned.disposeAsync());

  const holder = async () => (await ide.sandbox.lease.state()).holder;
  const portOfServer = () => Number(new URL(server.origin).port);

  async function keys(): Promise<number> {
    const { desk } = resolveSandboxPaths(await findSandboxRecord(ide.sandbox.id));
    using connection = await XConnection.open(join(desk, 'X1'), signal());
    return (await readPressedKeys(connection)).length;
  }

  /** Waits until the answer is the wanted one. */
  function until<T>(what: string, ask: () => Promise<T>, wanted: T): Promise<T> {
    const probe = async () => {
      const value = await ask();
      return value === wanted ? { done: true as const, value } : { done: false as const, saw: String(value) };
    };
    return poll(what, probe, { intervalMs: 100, signal: signal() });
  }

  const text = async () => {
    const { editor } = await ide.sandbox.call(
      ideMethods.editor,
      { includeText: true, current: true },
      { signal: signal() },
    );
    return editor?.text ?? '';
  };

  /** Socket of a page whose person is in control. */
  async function driving(port: number): Promise<WebSocket> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/live?token=${server.token}`);
    const drives = new Promise<void>((resolve) =>
      socket.on('message', (data, isBinary) => {
        const message = isBinary ? {} : parsed(data);
        const hands = message.hands as { readonly holder: { readonly isYou: boolean } | null } | undefined;
        if (hands?.holder?.isYou === true) resolve();
      }),
    );
    await once(socket, 'open');
    say(socket, { type: 'take', force: false, pause: false });
    await drives;
    return socket;
  }

  const holdShift = async (socket: WebSocket) => {
    say(socket, { type: 'modifier', modifier: 'shift', down: true });
    await until('Shift held', keys, 1);
  };

  it('continues after a network failure that ends before the second heartbeat is due', async () => {
    await using network = await openCutProxy(portOfServer());
    const socket = await driving(network.port);
    say(socket, { type: 'text', text: 'before ' });
    await until('what was typed', text, 'before ');
    network.cut();
    say(socket, { type: 'text', text: 'meanwhile ' });
    assert.equal((await holder())?.actor.name, 'Grace');
    network.mend();
    await until('what was typed meanwhile, once', text, 'before meanwhile ');
    say(socket, { type: 'give' });
    await until('control given back', holder, null);
    socket.close();
  });

  it('is disconnected if the network stays away, releases all keys, and plays nothing later', async () => {
    await using network = await openCutProxy(portOfServer());
    const socket = await driving(network.port);
    await holdShift(socket);
    const had = await text();
    network.cut();
    say(socket, { type: 'text', text: 'lost' });
    await until('the end of control', holder, null);
    assert.equal(await keys(), 0);
    network.mend();
    await once(socket, 'close');
    await ide.sandbox.input([{ kind: 'type', text: 'agent ', delayMs: 0 }]);
    await until('what the agent typed, and nothing else', text, `${had}agent `);
  });

  it('is disconnected after 10,000 messages at once, and releases all keys', async () => {
    const socket = await driving(portOfServer());
    await holdShift(socket);
    for (let i = 0; i < 10_000; i += 1) say(socket, { type: 'move', x: i % 1280, y: 10 });
    const [code] = (await once(socket, 'close')) as [number];
    assert.equal(code, 1008);
    await until('the end of control', holder, null);
    assert.equal(await keys(), 0);
  });

  it('is disconnected after pasting 50 MB, and releases all keys', async () => {
    const had = await text();
    const socket = await driving(portOfServer());
    await holdShift(socket);
    // The server closes in the middle of it.
    socket.on('error', () => undefined);
    say(socket, { type: 'paste', text: 'x'.repeat(50_000_000), shift: false });
    await once(socket, 'close');
    await until('the end of control', holder, null);
    assert.equal(await keys(), 0);
    assert.equal(await text(), had);
  });

  it('can copy from an IDE whose clipboard holds 50 MB', async () => {
    await evaluate(ide.sandbox, `navigator.clipboard.writeText('y'.repeat(50_000_000)).then(() => 1)`);
    const had = await text();
    const socket = await driving(portOfServer());
    assert.deepEqual(await copyAll(socket), { type: 'clipboard', text: had });
    socket.close();
    await until('the end of control', holder, null);
  });

  it("says that a copied text is too long for a person's clipboard", async () => {
    await evaluate(ide.sandbox, `navigator.clipboard.writeText('z'.repeat(1_000_001)).then(() => 1)`);
    await ide.sandbox.input([{ kind: 'key', keys: ['ctrl', 'v'], action: 'press', delayMs: 0 }]);
    await until('the text', async () => (await text()).length > 100_000, true);
    await evaluate(ide.sandbox, `navigator.clipboard.writeText('before').then(() => 1)`);
    const socket = await driving(portOfServer());
    const message = await copyAll(socket);
    assert.match(String(message.text), /^Copied only in the IDE: \d{7,} characters don't fit your clipboard/);
    socket.close();
    await until('the end of control', holder, null);
  });
});

/** The message that the page gets when its person copies the whole editor. */
async function copyAll(socket: WebSocket): Promise<Message> {
  const answer = new Promise<Message>((resolve) =>
    socket.on('message', (data, isBinary) => {
      const message = isBinary ? {} : parsed(data);
      if (message.type === 'clipboard' || message.type === 'notice') resolve(message);
    }),
  );
  say(socket, { type: 'key', key: 'a', code: 'KeyA', held: ['ctrl'], altGraph: false });
  say(socket, { type: 'copy', cut: false, shift: false });
  return answer;
}

function say(socket: WebSocket, message: Message): void {
  socket.send(JSON.stringify(message));
}

function parsed(data: RawData): Message {
  return JSON.parse((data as Buffer).toString()) as Message;
}
