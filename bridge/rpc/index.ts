export type { Transport } from './transport.ts';
export { memoryPair } from './memory.ts';
export { connectSocket, listenSocket, type SocketServer } from './unix-socket.ts';
export { connectWebSocket, listenWebSocket, type WebSocketListener } from './websocket.ts';
export { Handlers, type Handler } from './handlers.ts';
export { Peer } from './peer.ts';
export type { ByteStream, ByteStreams, Direction } from './stream/index.ts';
export { ToolHandlers, type Admission, type ToolContext, type ToolHandler } from './tool-handlers.ts';
export { handshake, handshakeHandlers } from './handshake.ts';
