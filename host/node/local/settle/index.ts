export { Background } from './background.ts';
export { readUse } from './process-use.ts';
export { settle, type SettleSources } from './settle.ts';
