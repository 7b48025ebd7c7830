import assert from 'node:assert/strict';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import { defineMethod } from '../../../bridge/protocol/descriptor.ts';
import { ErrorCode, limits } from '../../../bridge/protocol/index.ts';
import { type ByteStream, Handlers, Peer, type Transport } from '../../../bridge/rpc/index.ts';
import { memoryPair } from '../../../bridge/rpc/transport.ts';

const echo = defineMethod('echo', z.object({ word: z.string() }), z.object({ word: z.string() }));

/** Everything that is on its way in memory has arrived after one turn of the event loop. */
const arrived = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a byte stream', () => {
  let left: Peer;
  let right: Peer;
  beforeEach(() => {
    const [near, far] = memoryPair();
    const handlers = new Handlers().add(echo, ({ word }) => ({ word }));
    left = new Peer(near);
    right = new Peer(far, handlers);
  });

  const accept = (id: number, direction: 'both' | 'read' | 'write'): ByteStream => {
    const stream = right.streams.accept(id, direction);
    assert.ok(stream, `stream ${id} was not there`);
    return stream;
  };

  /** Both ends of a stream that carries bytes from left to right. */
  const oneWay = async (): Promise<{ source: ByteStream; target: ByteStream }> => {
    const source = left.streams.open('write');
    await arrived();
    return { source, target: accept(source.id, 'read') };
  };

  it('carries many windows of bytes in order, and ends', async () => {
    const { source, target } = await oneWay();
    const sent = Buffer.from(Uint32Array.from({ length: 1_000_000 }, (_, i) => i).buffer);
    source.end(sent);
    assert.ok((await buffer(target)).equals(sent));
    await Promise.all([closed(source), closed(target)]);
  });

  it('carries bytes both ways, each way to its own end', async () => {
    const mine = left.streams.open('both');
    mine.end('question');
    await arrived();
    const theirs = accept(mine.id, 'both');
    assert.equal((await buffer(theirs)).toString(), 'question');
    theirs.end('answer');
    assert.equal((await buffer(mine)).toString(), 'answer');
    await Promise.all([closed(mine), closed(theirs)]);
  });

  it('carries an answer that arrives before its stream is read', async () => {
    const mine = left.streams.open('read');
    await arrived();
    accept(mine.id, 'write').end('early');
    await arrived();
    assert.equal((await buffer(mine)).toString(), 'early');
  });

  it('carries nothing at all', async () => {
    const { source, target } = await oneWay();
    source.end();
    assert.equal((await buffer(target)).length, 0);
  });

  it('keeps the bytes of several streams apart, from both sides', async () => {
    const pairs = await Promise.all(Array.from({ length: 20 }, () => oneWay()));
    const other = right.streams.open('write');
    await arrived();
    const reading = pairs.map(async ({ target }) => (await buffer(target)).toString());
    const back = left.streams.accept(other.id, 'read');
    pairs.forEach(({ source }, index) => source.end(String(index).repeat(100_000)));
    other.end('back');
    assert.deepEqual(
      await Promise.all(reading),
      pairs.map((_, index) => String(index).repeat(100_000)),
    );
    assert.ok(back);
    assert.equal((await buffer(back)).toString(), 'back');
  });

  it('lets requests pass while its bytes wait for a reader', async () => {
    const { source, target } = await oneWay();
    source.end(Buffer.alloc(10 * limits.streamWindowBytes));
    assert.deepEqual(await left.request(echo, { word: 'meanwhile' }), { word: 'meanwhile' });
    assert.equal(target.readableEnded, false);
    assert.equal((await buffer(target)).length, 10 * limits.streamWindowBytes);
  });

  it('sends no more than a window ahead of its reader, and stops its writer', async () => {
    const [near, far] = memoryPair();
    let carried = 0;
    const counting: Transport = {
      send: (message) => {
        if (typeof message !== 'string') carried += message.length;
        near.send(message);
      },
      onMessage: (receive) => near.onMessage(receive),
      onEnd: (end) => near.onEnd(end),
      close: (reason) => near.close(reason),
    };
    const source = new Peer(counting).streams.open('write');
    const peer = new Peer(far);
    await arrived();
    const target = peer.streams.accept(source.id, 'read');
    assert.ok(target);
    const piece = Buffer.alloc(limits.streamPieceBytes);
    let written = 0;
    while (written < 20 * limits.streamWindowBytes && source.write(piece)) {
      written += piece.length;
      await arrived();
    }
    // The stream itself has read one piece ahead.
    const most = limits.streamWindowBytes + limits.streamPieceBytes;
    assert.ok(written <= most + piece.length, `the writer was stopped after ${written} bytes`);
    assert.ok(carried <= most + 1000, `${carried} bytes were sent without being read`);
    source.end();
    assert.equal((await buffer(target)).length, written + piece.length);
  });

  it('sends nothing before the other side has accepted it', async () => {
    const { other, received } = raw((peer) => void peer.streams.open('write').end('too early'));
    await arrived();
    assert.deepEqual(
      received.map((frame) => frame[0]),
      [kinds.open],
    );
    await other.close();
  });

  it('reports to the writer that the reader closed it', async () => {
    const { source, target } = await oneWay();
    source.write(Buffer.alloc(10 * limits.streamWindowBytes));
    target.destroy(new Error('enough'));
    await assert.rejects(finished(source), { code: 'stream-closed', message: 'enough' });
  });

  it('reports to the reader that the writer closed it, and passes on none of the remaining bytes', async () => {
    const { source, target } = await oneWay();
    source.write('half');
    source.destroy(new Error('out of words'));
    await assert.rejects(buffer(target), { code: 'stream-closed', message: 'out of words' });
  });

  it('can be closed before it is accepted', async () => {
    const source = left.streams.open('write');
    source.destroy();
    await arrived();
    assert.equal(right.streams.accept(source.id, 'read'), undefined);
    assert.deepEqual(await left.request(echo, { word: 'alive' }), { word: 'alive' });
  });

  it('delivers bytes from before its end to a late reader', async () => {
    const mine = left.streams.open('both');
    mine.end('whole');
    await arrived();
    const theirs = accept(mine.id, 'both');
    theirs.end();
    mine.resume();
    await closed(mine);
    assert.equal((await buffer(theirs)).toString(), 'whole');
  });

  it("breaks on both sides when the connection ends, and can't be opened afterwards", async () => {
    const { source, target } = await oneWay();
    const ends = [
      assert.rejects(finished(source), { code: ErrorCode.Closed }),
      assert.rejects(buffer(target), { code: ErrorCode.Closed }),
    ];
    await left.close();
    await Promise.all(ends);
    assert.throws(() => left.streams.open('read'), { code: ErrorCode.Closed });
  });

  it('frees its place when it ends, and is refused if too many are open', async () => {
    for (let round = 0; round < 3; round += 1) {
      const open = Array.from({ length: limits.streams }, () => left.streams.open('read'));
      assert.throws(() => left.streams.open('read'), { code: ErrorCode.TooLarge });
      for (const stream of open) stream.destroy();
      await arrived();
    }
    assert.deepEqual(await left.request(echo, { word: 'alive' }), { word: 'alive' });
  });

  it('gets a smaller window the more streams exist, and still works', async () => {
    const many = Array.from({ length: limits.streams }, () => left.streams.open('read'));
    await arrived();
    const sent = Buffer.alloc(limits.streamWindowBytes, 'x');
    const last = many.at(-1);
    assert.ok(last);
    accept(last.id, 'write').end(sent);
    assert.ok((await buffer(last)).equals(sent));
  });

  it('has a window that leaves memory for all others', async () => {
    const { other, received } = raw((peer) => {
      for (let i = 0; i < limits.streams; i += 1) peer.streams.open('read');
    });
    await arrived();
    const windows = received.filter((one) => one[0] === kinds.open).map((one) => one.readUInt32BE(6));
    assert.equal(windows.length, limits.streams);
    assert.equal(windows[0], limits.streamWindowBytes);
    assert.equal(windows.at(-1), limits.streamLeastWindowBytes);
    const sum = windows.reduce((all, one) => all + one, 0);
    assert.ok(sum <= limits.streamsWindowBytes + limits.streams * limits.streamLeastWindowBytes, String(sum));
    await other.close();
  });

  it('joins small pieces that wait for a reader', async () => {
    const { source, target } = await oneWay();
    for (let i = 0; i < 10_000; i += 1) source.write('x');
    source.end();
    await arrived();
    let pieces = 0;
    for await (const piece of target as AsyncIterable<Buffer>) pieces += Math.sign(piece.length);
    assert.ok(pieces < 10, `${pieces} pieces`);
  });
});

const kinds = { open: 0, data: 1, credit: 2, end: 3, close: 4 } as const;

/** A frame as it is on the wire. */
function frame(
  kind: number,
  opener: 'sender' | 'receiver' | number,
  id: number,
  content: Buffer | string = '',
): Buffer {
  const head = Buffer.alloc(6);
  head[0] = kind;
  head[1] = typeof opener === 'number' ? opener : opener === 'sender' ? 1 : 0;
  head.writeUInt32BE(id, 2);
  return Buffer.concat([head, Buffer.from(content)]);
}

function count(bytes: number): Buffer {
  const content = Buffer.alloc(4);
  content.writeUInt32BE(bytes);
  return content;
}

/** A bare transport in place of one peer, and the frames it has received. */
function raw(prepare: (peer: Peer) => void = () => undefined): {
  peer: Peer;
  other: Transport;
  received: Buffer[];
} {
  const [near, other] = memoryPair();
  const received: Buffer[] = [];
  other.onMessage((message) => {
    if (typeof message !== 'string') received.push(message);
  });
  const peer = new Peer(near);
  prepare(peer);
  return { peer, other, received };
}

describe('a peer that breaks the rules of byte streams', () => {
  const opened = frame(kinds.open, 'sender', 1, count(0));
  const data = (bytes: number) => frame(kinds.data, 'sender', 1, Buffer.alloc(bytes));
  const full = Array.from({ length: limits.streamWindowBytes / limits.streamPieceBytes }, () =>
    data(limits.streamPieceBytes),
  );
  const cases: readonly [what: string, why: RegExp, frames: readonly Buffer[]][] = [
    ['sends a frame without a head', /a frame of 3 bytes/, [Buffer.from([1, 2, 3])]],
    ['sends an unknown kind', /begins with 0901/, [frame(9, 'sender', 1)]],
    ['names an unknown opener', /begins with 0002/, [frame(kinds.open, 2, 1, count(0))]],
    ['opens a stream that is open', /opened stream 1 after stream 1/, [opened, opened]],
    ['skips a number', /opened stream 2 after stream 0/, [frame(kinds.open, 'sender', 2, count(0))]],
    [
      'opens a stream on behalf of this side',
      /opened stream 1/,
      [frame(kinds.open, 'receiver', 1, count(0))],
    ],
    [
      'allows more than a window at the start',
      /opened a stream for/,
      [frame(kinds.open, 'sender', 1, count(limits.streamWindowBytes + 1))],
    ],
    ['opens a stream without a count', /"open" with 1 bytes/, [frame(kinds.open, 'sender', 1, 'x')]],
    ['sends data of a stream that is not open', /not open/, [data(1)]],
    ['sends no data', /"data" with 0 bytes/, [opened, data(0)]],
    ['sends too much in one frame', /"data" with/, [opened, data(limits.streamPieceBytes + 1)]],
    ['sends more than it was allowed', /where 0 were allowed/, [opened, ...full, data(1)]],
    ['sends data after the end', /after its end/, [opened, frame(kinds.end, 'sender', 1), data(1)]],
    ['ends twice', /two ends/, [opened, frame(kinds.end, 'sender', 1), frame(kinds.end, 'sender', 1)]],
    ['ends with data', /"end" with/, [opened, frame(kinds.end, 'sender', 1, 'x')]],
    ['sends data after it has closed', /not open/, [opened, frame(kinds.close, 'sender', 1), data(1)]],
    [
      'gives too long a reason',
      /"close" with/,
      [opened, frame(kinds.close, 'sender', 1, 'x'.repeat(limits.streamReasonBytes + 1))],
    ],
    ['gives a credit of zero', /credit of 0/, [opened, frame(kinds.credit, 'sender', 1, count(0))]],
    [
      'gives more credit than a window',
      /credit of/,
      [opened, frame(kinds.credit, 'sender', 1, count(limits.streamWindowBytes + 1))],
    ],
    [
      'opens more streams than allowed',
      /streams are open/,
      Array.from({ length: limits.streams + 1 }, (_, i) => frame(kinds.open, 'sender', i + 1, count(0))),
    ],
  ];
  for (const [what, why, frames] of cases) {
    it(`is disconnected, with the reason: ${what}`, async () => {
      const { peer, other } = raw();
      const pending = assert.rejects(peer.request(echo, { word: 'x' }), { code: ErrorCode.Closed });
      let taken: ByteStream | undefined;
      for (const [index, one] of frames.entries()) {
        other.send(one);
        await Promise.resolve();
        if (index === 0 && one === opened) taken = peer.streams.accept(1, 'both');
      }
      const reason = await peer.closed;
      assert.ok(reason instanceof PwpError, String(reason));
      assert.equal(reason.code, 'protocol-error');
      assert.match(reason.message, why);
      await pending;
      assert.ok(taken?.destroyed ?? true, 'a stream outlived its connection');
    });
  }

  it('is disconnected if it names a stream that it has not opened, or names one twice', async () => {
    for (const frames of [[], [opened]]) {
      const { peer, other } = raw();
      for (const one of frames) other.send(one);
      await arrived();
      if (frames.length > 0) peer.streams.accept(1, 'read');
      assert.equal(peer.streams.accept(1, 'read'), undefined);
      const reason = await peer.closed;
      assert.ok(reason instanceof PwpError && reason.code === 'protocol-error', String(reason));
    }
  });

  it('costs little memory with many small unread pieces', async () => {
    const { peer, other } = raw();
    other.send(opened);
    await arrived();
    const stream = peer.streams.accept(1, 'read');
    assert.ok(stream);
    const most = limits.streamWindowBytes / 8;
    for (let i = 0; i < most; i += 1) other.send(data(1));
    await arrived();
    let pieces = 0;
    stream.on('data', () => (pieces += 1));
    other.send(frame(kinds.end, 'sender', 1));
    await once(stream, 'end');
    assert.ok(pieces < 100, `${pieces} pieces`);
    await peer.close();
  });

  it("can't keep a stream open that this side has closed, once it has answered", async () => {
    const { peer, other, received } = raw();
    other.send(opened);
    await arrived();
    peer.streams.accept(1, 'read')?.destroy();
    // These frames were already on their way.
    other.send(data(10));
    other.send(frame(kinds.close, 'sender', 1));
    await arrived();
    assert.deepEqual(
      received.map((one) => one[0]),
      [kinds.credit, kinds.end, kinds.close],
    );
    other.send(data(10));
    assert.ok((await peer.closed) instanceof PwpError);
  });
});

/** Waits until the stream has ended, with or without an error. */
async function closed(stream: ByteStream): Promise<void> {
  if (!stream.closed) await once(stream, 'close').catch(() => undefined);
}
