export { CheckedStream } from './checked-stream.ts';
export { displayLimits, type DisplayLimits } from './greeting.ts';
export { SharedMemorySegment } from './shared-memory-segment.ts';
