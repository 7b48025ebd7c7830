export { viewRoutes } from './routes.ts';
export { LiveStates, type LivePlace, type LiveState, type OpenLive } from './live-states.ts';
