// The Open Reward Standard, for trainers: docs/serve.md.
export { orsRoutes } from './ors-routes.ts';
