import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { noteAttack } from '../../support/attacks.ts';
import { answered, type Door, type Doors, knock, openDoors } from '../../support/doors.ts';

/** The first bytes that a client sends to a door, by name; some are never finished. */
const firstLines: Readonly<Record<string, (door: Door) => string | Buffer>> = {
  'an empty host as path': (door) => request(door, 'GET //'),
  'an empty host as path, for a WebSocket': (door) => upgrade(door, 'GET //'),
  'a path that is only slashes, for a WebSocket': (door) => upgrade(door, 'GET ///////'),
  'another host as path, for a WebSocket': (door) => upgrade(door, 'GET //[/live'),
  'an absolute address': (door) => request(door, 'GET http://127.0.0.1/'),
  'an invalid absolute address': (door) => upgrade(door, 'GET http://[::/'),
  'an address of another kind': (door) => upgrade(door, 'GET file:///etc/passwd'),
  'a star': (door) => upgrade(door, 'OPTIONS *'),
  'a single percent sign': (door) => request(door, 'GET /%'),
  'escapes that are not text': (door) => upgrade(door, 'GET /%ff%fe%00/%e0%a4%a'),
  'an escape of nothing in the query': (door) => request(door, 'GET /?token=%&%=%ff'),
  'a path upwards': (door) => request(door, 'GET /../../../../etc/passwd'),
  'a name of every object': (door) => request(door, 'GET /__proto__'),
  'a method that is not ASCII': (door) => request(door, 'ПРИВЕТ /'),
  'a method that is long': (door) => request(door, `${'A'.repeat(10_000)} /`),
  'a method for files': (door) => request(door, 'PROPFIND /'),
  'a tunnel': (door) => request(door, 'CONNECT 127.0.0.1:22'),
  'a tunnel to nowhere': (door) => request(door, 'CONNECT :::::'),
  'a tunnel to a path': (door) => request(door, 'CONNECT //'),
  'no version': () => 'GET /\r\n\r\n',
  'a version of the future': (door) => request(door, 'GET /', [], 'HTTP/9.9'),
  'the preface of HTTP/2': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a NUL in the path': (door) => request(door, 'GET /\0'),
  'only NULs': () => Buffer.alloc(4096),
  noise: () => randomBytes(4096),
  'a greeting of TLS': () => Buffer.concat([Buffer.from([22, 3, 1, 2, 0, 1, 0]), randomBytes(512)]),
  'no host': () => 'GET / HTTP/1.1\r\n\r\n',
  'two hosts': (door) => request(door, 'GET /', ['Host: 127.0.0.1', 'Host: evil.example']),
  'an invalid host': (door) => request(door, 'GET /', ['Host: [::/:99999999']),
  'a host with a name and a secret': (door) => upgrade(door, 'GET /', ['Host: a:b@c:d@[']),
  'an invalid origin': (door) => upgrade(door, 'GET /', ['Origin: \\\\[']),
  'headers that are large': (door) => request(door, 'GET /', [`X: ${'x'.repeat(1024 * 1024)}`]),
  'many headers': (door) =>
    request(
      door,
      'GET /',
      Array.from({ length: 5000 }, (_, i) => `X${i}: 1`),
    ),
  'an invalid length': (door) => request(door, 'POST /mcp', ['Content-Length: -1']),
  'a length and pieces': (door) =>
    request(door, 'POST /mcp', ['Content-Length: 5', 'Transfer-Encoding: chunked']),
  'invalid pieces': (door) => `${request(door, 'POST /mcp', ['Transfer-Encoding: chunked'])}zz\r\n`,
  'half a line': () => 'GET / HT',
  'half a header': () => 'GET / HTTP/1.1\r\nHost: 127.0',
  'half a body': (door) => `${request(door, 'POST /mcp', ['Content-Length: 1000'])}{"a":`,
  'a WebSocket without a key': (door) =>
    request(door, 'GET /', ['Upgrade: websocket', 'Connection: Upgrade']),
  'a WebSocket with a short key': (door) => upgrade(door, 'GET /', ['Sec-WebSocket-Key: x']),
  'a WebSocket of another version': (door) => upgrade(door, 'GET /', ['Sec-WebSocket-Version: 7']),
  'a WebSocket by POST': (door) => upgrade(door, 'POST /live'),
  'a WebSocket with extensions of nonsense': (door) =>
    upgrade(door, 'GET /live', ['Sec-WebSocket-Extensions: ;;=,,"', 'Sec-WebSocket-Protocol: ,,']),
  'another protocol': (door) => request(door, 'GET /', ['Upgrade: h2c, \0', 'Connection: Upgrade']),
  'a frame before the answer': (door) => Buffer.concat([Buffer.from(upgrade(door, 'GET /live')), noise]),
  'a WebSocket, then noise': (door) =>
    Buffer.concat([Buffer.from(upgrade(door, `GET ${live(door)}`)), noise]),
  'a WebSocket, then a text that is not JSON': (door) => spoken(door, '}{'),
  'a WebSocket, then null': (door) => spoken(door, 'null'),
  'a WebSocket, then a list': (door) => spoken(door, '[[]]'),
  'a WebSocket, then a message of another kind': (door) => spoken(door, '{"type":"__proto__"}'),
  'a WebSocket, then depth': (door) => spoken(door, '['.repeat(100_000)),
  'a WebSocket, then half a character': (door) => spoken(door, Buffer.from([0xc3])),
  'a WebSocket, then a frame without an end': (door) =>
    Buffer.concat([
      Buffer.from(upgrade(door, `GET ${live(door)}`)),
      Buffer.from([0x81, 0xff]),
      Buffer.alloc(8, 0x7f),
    ]),
};

const noise = randomBytes(64);

describe('the first bytes of an unknown client', function () {
  this.timeout(120_000);
  let opened: Doors;
  before(async () => {
    opened = await openDoors();
  });
  after(() => opened[Symbol.asyncDispose]());

  it('end no server, and block no later client', async () => {
    const failed: string[] = [];
    for (const [what, line] of Object.entries(firstLines)) {
      const held = await Promise.all(opened.doors.map((door) => survives(door, line(door))));
      opened.doors.forEach(({ name }, at) => {
        noteAttack({
          on: 'the first line at a door',
          what: `${what}, at ${name}`,
          node: null,
          held: held[at] ?? false,
        });
        if (!held[at]) failed.push(`${name}: ${what}`);
      });
      if (opened.ended() !== undefined) break;
    }
    assert.deepEqual([failed, opened.ended()], [[], undefined]);
  });

  it('may be half a request, and the door answers others meanwhile', async () => {
    for (const door of opened.doors) {
      const waiting = await Promise.all(Array.from({ length: 20 }, () => knock(door)));
      for (const socket of waiting) socket.write('GET / HTTP/1.1\r\nHost: 127');
      const held = await answersOthers(door);
      noteAttack({
        on: 'the first line at a door',
        what: `twenty halves, at ${door.name}`,
        node: null,
        held,
      });
      for (const socket of waiting) socket.destroy();
      assert(held, door.name);
    }
  });
});

/** Whether a door answers others after it was sent something, both by its own protocol and, over TLS, in plain text. */
async function survives(door: Door, line: string | Buffer): Promise<boolean> {
  try {
    for (const plain of door.tls ? [false, true] : [false]) {
      const socket = await knock(door, plain);
      socket.write(line);
      // A door that waits for more does not answer; the next question comes after this in any case.
      await answered(socket, 50);
      socket.destroy();
    }
    return await answersOthers(door);
  } catch {
    return false;
  }
}

/** Whether a well-behaved client gets an answer in the protocol. */
async function answersOthers(door: Door): Promise<boolean> {
  const socket = await knock(door);
  socket.write(request(door, 'GET /nothing', ['Connection: close']));
  return /^HTTP\/1\.1 \d{3} /.test(await text(socket));
}

/** A request, to the door's own host unless the headers name another. */
function request(
  { port }: Door,
  line: string,
  headers: readonly string[] = [],
  version = 'HTTP/1.1',
): string {
  const host = headers.some((header) => header.startsWith('Host:')) ? [] : [`Host: 127.0.0.1:${port ?? 0}`];
  return [`${line} ${version}`, ...host, ...headers, '', ''].join('\r\n');
}

/** Asks for a WebSocket, with what a browser sends unless the headers override it. */
function upgrade(door: Door, line: string, headers: readonly string[] = []): string {
  const usual = [
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ...(door.token === null ? [] : [`Authorization: Bearer ${door.token}`]),
  ];
  const given = new Set(headers.map((header) => header.split(':')[0]));
  return request(door, line, [...usual.filter((header) => !given.has(header.split(':')[0])), ...headers]);
}

/** The path of a door's WebSocket. */
function live({ name }: Door): string {
  return name.includes('socket') ? '/' : '/live';
}

/** An open WebSocket with one message sent on it. */
function spoken(door: Door, message: string | Buffer): Buffer {
  const body = Buffer.from(message);
  const length =
    body.length < 126
      ? [body.length | 0x80]
      : [0xff, 0, 0, 0, 0, 0, body.length >> 16, (body.length >> 8) & 0xff, body.length & 0xff];
  const frame = Buffer.concat([Buffer.from([0x81, ...length]), Buffer.alloc(4), body]);
  return Buffer.concat([Buffer.from(upgrade(door, `GET ${live(door)}`)), frame]);
}
