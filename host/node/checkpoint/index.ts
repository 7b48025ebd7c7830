export { Checkpointer } from './checkpointer.ts';
export { fetchCriu, findCriu, isCriuFetched } from './criu.ts';
export { awaitOrphans, findInterruptedWork } from './other-processes.ts';
