import { createServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { limits } from '../../bridge/protocol/index.ts';

/**
 * A server on a Unix socket that misbehaves as its second argument says. Prints a line when it listens.
 *   node bad-server.ts <socket> silent|binary|nonsense|oversize|dies|stranger|not-a-websocket
 */

const [path, manner] = process.argv.slice(2);

const manners: Readonly<Record<string, (socket: WebSocket) => void>> = {
  /** Takes every request and answers none. */
  silent: () => undefined,
  /** Sends bytes instead of text. */
  binary: (socket) => socket.send(Buffer.from([1, 2, 3])),
  /** Answers with something other than JSON-RPC. */
  nonsense: (socket) => socket.on('message', () => socket.send('{"answer": 42}')),
  /** Sends more than a message may hold. */
  oversize: (socket) => socket.send('a'.repeat(limits.messageBytes + 1)),
  /** Ends in the middle of a request. */
  dies: (socket) => socket.on('message', () => process.exit(1)),
  /** Speaks another protocol version. */
  stranger: (socket) =>
    socket.on('message', (data: Buffer) => {
      const { id } = JSON.parse(data.toString('utf8')) as { id: number };
      const error = { code: -32006, message: 'this server speaks protocol 99' };
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, error }));
    }),
};

const http = createServer((_, response) => response.end('hello\n'));
const behave = manners[manner ?? ''];
if (behave) new WebSocketServer({ server: http, maxPayload: 1024 * 1024 }).on('connection', behave);
http.listen(path, () => console.log('listening'));
