export { inspectRoutes, pairRoutes, watchRoutes } from './routes.ts';
export type { IdeSource } from './viewer.ts';
export type { AgentTalk } from './talk-feed.ts';
export type { PageVisit } from './viewer.ts';
