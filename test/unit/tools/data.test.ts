import assert from 'node:assert/strict';
import sharp from 'sharp';
import { encodePng } from '../../../bridge/src/screen-pictures.ts';
import { SocketIo } from '../../../bridge/src/tools/socket-io.ts';
import { MessageCollector } from '../../../bridge/src/tools/socket.ts';
import { parseCsv } from '../../../bridge/src/tools/sqlite/sqlite-tools.ts';

describe('rows of comma-separated values', () => {
  it('are read with quotes, doubled quotes, line endings of all kinds, and empty fields', () => {
    assert.deepEqual(parseCsv('a,b\r\n"x, ""y""\nz",\n,2\n\nlast'), [
      ['a', 'b'],
      ['x, "y"\nz', ''],
      ['', '2'],
      ['last'],
    ]);
    assert.deepEqual(parseCsv(''), []);
    assert.deepEqual(parseCsv('a,'), [['a', '']]);
    assert.deepEqual(parseCsv('"never closed'), [['never closed']]);
  });
});

describe('Socket.IO', () => {
  const io = new SocketIo('/admin');

  it('writes packets with a namespace, and without one for the main namespace', () => {
    assert.equal(io.join, '40/admin,');
    assert.equal(io.event('hi', [1]), '42/admin,["hi",1]');
    assert.equal(new SocketIo('/').event('hi', []), '42["hi"]');
  });

  it('reads events with and without an acknowledgement id', () => {
    assert.deepEqual(io.read('42/admin,["hi",{"a":1}]'), { kind: 'event', event: 'hi', args: [{ a: 1 }] });
    assert.deepEqual(io.read('42/admin,17["hi"]'), { kind: 'event', event: 'hi', args: [] });
    assert.deepEqual(new SocketIo('/').read('4217["hi"]'), { kind: 'event', event: 'hi', args: [] });
    assert.deepEqual(io.read('42["hi"]'), { kind: 'other' });
    assert.throws(() => io.read('42/admin,{broken'), /does not speak Socket.IO \(invalid payload\)/);
    assert.deepEqual(io.read('43/admin,1[]'), { kind: 'other' });
  });

  it('puts bytes in the placeholders of an event', () => {
    const [first, second] = [Buffer.from('a'), Buffer.from('b')];
    const event = '452-/admin,["hi",{"x":[{"_placeholder":true,"num":1}]},{"_placeholder":true,"num":0}]';
    assert.deepEqual(io.read(event), { kind: 'part' });
    assert.deepEqual(io.readBytes(first), { kind: 'part' });
    const args = [{ x: [{ base64: 'Yg==' }] }, { base64: 'YQ==' }];
    assert.deepEqual(io.readBytes(second), { kind: 'event', event: 'hi', args });
    assert.throws(() => io.readBytes(first), /does not speak Socket.IO/);
    assert.deepEqual(io.read('451-["not here",{"_placeholder":true,"num":0}]'), { kind: 'part' });
    assert.deepEqual(io.readBytes(first), { kind: 'other' });
    const wanting = (count: number) =>
      new SocketIo('/').read(`45${count}-["many",{"_placeholder":true,"num":9}]`);
    assert.deepEqual(wanting(1000), { kind: 'part' });
    for (const count of [0, 1001]) assert.throws(() => wanting(count), /does not speak Socket.IO/);
  });

  it('answers pings, and distinguishes a refusal from invalid packets', () => {
    assert.deepEqual(io.read('2probe'), { kind: 'reply', send: '3probe' });
    assert.deepEqual(io.read('44/admin,{"message":"no"}'), { kind: 'refused', why: '{"message":"no"}' });
    assert.throws(() => io.read('<html>'), /does not speak Socket.IO/);
  });

  it('finds the address to connect to', () => {
    assert.equal(SocketIo.address('http://h:1'), 'ws://h:1/socket.io/?EIO=4&transport=websocket');
    assert.equal(SocketIo.address('wss://h/own/?a=b'), 'wss://h/own/?a=b&EIO=4&transport=websocket');
  });
});

describe('collected messages', () => {
  it('end at a count, at a pattern, and when an answer is full', async () => {
    const two = new MessageCollector(2, undefined);
    for (const text of ['a', 'b', 'c']) two.add('text', null, text);
    assert.equal(await two.ended, 'count');
    assert.equal(two.messages.length, 2);
    const match = new MessageCollector(undefined, /^hi \[1/);
    match.add('event', 'hi', '[1]');
    assert.equal(await match.ended, 'match');
    const full = new MessageCollector(undefined, undefined);
    for (let i = 0; i < 100; i++) full.add('text', null, 'x'.repeat(30_000));
    assert.equal(await full.ended, 'full');
    assert.equal(full.messages.length, 50);
    assert.equal(full.messages[0]?.clipped, true);
  });
});

describe('pictures of the screen', () => {
  it('are PNGs of its pixels', async () => {
    const pixels = Buffer.from([255, 0, 0, 9, 0, 255, 0, 9, 0, 0, 255, 9, 1, 2, 3, 9]);
    const png = await encodePng(pixels, 2, 2);
    const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.width, info.height, info.channels], [2, 2, 3]);
    assert.deepEqual([...data], [0, 0, 255, 0, 255, 0, 255, 0, 0, 3, 2, 1]);
  });
});
