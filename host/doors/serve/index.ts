export {
  type LinkRights,
  loopbackAddress,
  requireHost,
  type ServerAddress,
  type SharedLink,
} from './access.ts';
export {
  describeServedTools,
  episodeRoutes,
  EpisodeTable,
  type EpisodeTableOptions,
  type ServedTable,
} from './episodes/index.ts';
export { makeCertificate, readCertificate } from './certificate.ts';
export { Fleet, frontRoutes, hashServed, offerEpisodes, trainerRoutes } from './front/index.ts';
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
