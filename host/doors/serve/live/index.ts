export { inspectRoutes, type PageVisit, pairRoutes, watchRoutes } from './live-routes.ts';
