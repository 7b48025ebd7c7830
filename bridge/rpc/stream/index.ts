export type { ByteStream, Direction } from './byte-stream.ts';
export { ByteStreams } from './byte-streams.ts';
export { isProtocolError, protocolError } from './errors.ts';
