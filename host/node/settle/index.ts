export { BackgroundActivity } from './background-activity.ts';
export { readProcessUse } from './lasting-activity.ts';
export { awaitSettled, type SettleSources } from './settle.ts';
