export type { ByteStream, Direction } from './byte-stream.ts';
export { ByteStreams } from './byte-streams.ts';
