/**
 * Well-behaved and misbehaving servers for tools that talk to servers; run inside a sandbox, where the IDE has `ws`.
 * Writes their ports as JSON to the given file.
 *   node odd-servers.mjs <file>
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSocket } from 'node:net';
import { createRequire } from 'node:module';

const { WebSocketServer } = createRequire('/opt/code-server/node_modules/code-server/package.json')('ws');

const page = `<!doctype html><title>Shop</title>
<style>#cover { position: fixed; inset: 0; background: #8888 } .late { display: none }</style>
<h1>Shop</h1><input id="name" placeholder="name"><button id="greet">Greet</button><p id="out"></p>
<select id="size"><option value="s">Small</option><option value="l">Large</option></select>
<a id="next" href="/next">next</a><button id="off" disabled>off</button>
<script>
  greet.onclick = () => setTimeout(() => { out.textContent = 'Hello ' + document.getElementById('name').value }, 200);
  size.onchange = () => { out.textContent = 'size ' + size.value };
  console.error('a complaint', { of: 'mine' });
  fetch('/missing');
  setTimeout(() => { throw new Error('thrown late') });
</script>`;

const routes = {
  '/page': (_, response) => response.setHeader('content-type', 'text/html').end(page),
  '/next': (_, response) =>
    setTimeout(
      () => response.setHeader('content-type', 'text/html').end('<title>Next</title><p>the next page'),
      300,
    ),
  '/covered': (_, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(page + '<div id="cover"></div><script>confirm("sure?")</script>'),
  '/hangs': (_, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end('<button>x</button><script>setTimeout(() => { for (;;); }, 300)</script>'),
  '/json': (_, response) => response.setHeader('content-type', 'application/json').end('{"ok":true}'),
  '/echo': (request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      response.end(
        JSON.stringify({
          method: request.method,
          type: request.headers['content-type'],
          own: request.headers['x-own'],
          body,
        }),
      );
    });
  },
  '/from': (_, response) => response.writeHead(302, { location: '/json' }).end(),
  '/bytes': (_, response) => response.end(Buffer.from([0xff, 0xfe, 0x00, 0x80])),
  '/silent': () => undefined,
  '/endless': (_, response) => {
    const more = () => {
      while (response.write('a'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  },
  '/breaks': (_, response) => {
    response.setHeader('content-length', '1000').write('half');
    setTimeout(() => response.destroy(), 50);
  },
};

const web = createServer((request, response) => {
  const route = routes[request.url];
  if (route) route(request, response);
  else response.writeHead(404).end('no such page');
});

/** Echoes; `bye` closes; `burst` sends many. */
function plain(socket) {
  socket.send('welcome');
  socket.on('message', (data, binary) => {
    const text = data.toString();
    if (text === 'bye') socket.close(4001, 'as you wish');
    else if (text === 'burst') for (let i = 0; i < 2000; i++) socket.send('x'.repeat(1000));
    else socket.send(data, { binary });
  });
}

/** The minimum of Socket.IO that answers one event. */
function socketIo(socket) {
  socket.send('0{"sid":"a","upgrades":[],"pingInterval":25000,"pingTimeout":20000}');
  socket.on('message', (data) => {
    const text = data.toString();
    if (text === '40') socket.send('40{"sid":"b"}');
    else if (text === '40/admin,') socket.send('44/admin,{"message":"not you"}');
    else if (text.startsWith('42')) {
      const [event, ...args] = JSON.parse(text.slice(2));
      socket.send('2');
      socket.send('431["an acknowledgement"]');
      socket.send('451-["picture",{"png":{"_placeholder":true,"num":0}}]');
      socket.send(Buffer.from([0x89, 0x50]));
      socket.send(`42${JSON.stringify([`${event} back`, ...args])}`);
    } else if (text === '3') socket.send('42["pong seen"]');
  });
}

const sockets = new WebSocketServer({ noServer: true });
web.on('upgrade', (request, socket, head) => {
  const { pathname } = new URL(request.url, 'http://x');
  const speak = { '/plain': plain, '/socket.io/': socketIo, '/mute': () => undefined }[pathname];
  if (!speak) socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
  else sockets.handleUpgrade(request, socket, head, speak);
});

const nonsense = createSocket((socket) => {
  socket.on('error', () => undefined);
  socket.end('this is not HTTP\r\n\r\n');
});

web.listen(0, '127.0.0.1', () =>
  nonsense.listen(0, '127.0.0.1', () =>
    writeFileSync(
      process.argv[2],
      JSON.stringify({ web: web.address().port, nonsense: nonsense.address().port }),
    ),
  ),
);
