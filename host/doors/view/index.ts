export { type LivePlace, type LiveState, LiveStates, type OpenLive } from './live-states.ts';
export { queueRoutes } from './queue-routes.ts';
export { viewRoutes } from './view-routes.ts';
