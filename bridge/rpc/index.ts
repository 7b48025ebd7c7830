export type { ByteStream, Direction } from './byte-stream.ts';
export type { ByteStreams } from './byte-streams.ts';
export { type Handler, Handlers, type ToolAdmission, type ToolContext, ToolHandlers } from './handlers.ts';
export { handshake, handshakeHandlers, Peer } from './peer.ts';
export type { Transport } from './transport.ts';
export { connectSocket, listenSocket, type SocketServer } from './unix-socket.ts';
export { connectWebSocket, listenWebSocket } from './websocket.ts';
