// OpenEnv 0.10, for trainers: docs/serve.md.
export { type OpenEnvSocketKind, openEnvSockets } from './openenv-socket.ts';
export { openEnvRoutes } from './openenv-routes.ts';
