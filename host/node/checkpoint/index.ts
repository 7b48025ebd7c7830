export { Checkpointer } from './checkpointer.ts';
export { fetchCriu, findCriu, isCriuFetched } from './criu.ts';
export { awaitOrphans, CheckpointYield, claimSandbox, findInterruptedWork } from './exclusive-access.ts';
