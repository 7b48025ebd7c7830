export { type LivePlace, type LiveState, LiveStates, type OpenLive } from './live-states.ts';
export { viewRoutes } from './view-routes.ts';
