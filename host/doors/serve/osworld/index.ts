// The four routes of OSWorld's server, for agents that speak them: docs/serve.md.
export { osworldRoutes } from './osworld-routes.ts';
