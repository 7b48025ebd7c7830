export { type LinkRights, requireHost, type ServerAddress, type SharedLink } from './access.ts';
export { episodeRoutes, EpisodeTable } from './episodes/index.ts';
export { makeCertificate, readCertificate } from './certificate.ts';
export { inspectRoutes, pairRoutes, watchRoutes } from './live/index.ts';
export {
  AgentServer,
  chooseServedTools,
  chooseWindowTools,
  McpSessions,
  type Pipe,
  type ServedToolOptions,
  serveStdio,
  serveWindowStdio,
  SharedIde,
  type WindowLink,
} from './mcp/index.ts';
export { nemoGymRoutes } from './nemo-gym/index.ts';
export { openEnvRoutes } from './openenv/index.ts';
export { orsRoutes } from './ors/index.ts';
export { osworldRoutes } from './osworld/index.ts';
export {
  type MethodHandlers,
  openServer,
  type RequestHandler,
  type Routes,
  sendPage,
  type Server,
  type ServerOptions,
} from './server.ts';
