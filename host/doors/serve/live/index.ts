export { inspectRoutes, pairRoutes, watchRoutes } from './live-routes.ts';
