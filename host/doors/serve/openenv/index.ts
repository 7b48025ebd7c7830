// OpenEnv 0.10, for trainers: docs/serve.md.
export { openEnvRoutes } from './openenv-routes.ts';
