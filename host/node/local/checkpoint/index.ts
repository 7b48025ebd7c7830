export { claim, isClaimedByDead } from './claim.ts';
export { criuConfig } from './config.ts';
export { Keeper } from './keeper.ts';
export { fetchCriu } from './pinned.ts';
