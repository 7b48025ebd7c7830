export { StepAside } from './step-aside.ts';
export { claim, isClaimedByDead } from './claim.ts';
export { Checkpointer } from './checkpointer.ts';
export { findCriu } from './criu.ts';
export { fetchCriu, isCriuFetched } from './pinned.ts';
export { awaitOrphans } from './orphans.ts';
