/** A server of pages and WebSocket messages; it prints a line when it listens on the given port. */
const server = `import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const { WebSocketServer } = createRequire('/opt/code-server/node_modules/code-server/package.json')('ws');
const page = \`<!doctype html><title>Shop</title><h1>Shop</h1>
<input id="name"><button id="greet" onclick="out.textContent = 'Hello ' + document.getElementById('name').value">Greet</button>
<p id="out"></p>\`;
const routes = {
  '/page': (_, response) => response.setHeader('content-type', 'text/html').end(page),
  '/users': (_, response) => response.setHeader('content-type', 'application/json').end('[{"name":"Ann"}]'),
  '/from': (_, response) => response.writeHead(302, { location: '/users' }).end(),
  '/long': (_, response) => response.end('a'.repeat(5000)),
};
const echo = (request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => response.end(JSON.stringify({ method: request.method, own: request.headers['x-own'], body })));
};
const web = createServer((request, response) => {
  const route = request.url === '/echo' ? echo : routes[request.url];
  if (route) route(request, response);
  else response.writeHead(404).end('no such page');
});
new WebSocketServer({ server: web }).on('connection', (socket) => {
  socket.send('welcome');
  socket.on('message', (data) => socket.send(data.toString().toUpperCase()));
});
web.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listening'));
`;

export const serverFiles: Readonly<Record<string, string>> = { 'server.mjs': server };
