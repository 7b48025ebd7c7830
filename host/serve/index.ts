export {
  openServer,
  type MethodHandlers,
  type RequestHandler,
  type Routes,
  type Server,
  type ServerOptions,
} from './server.ts';
export { makeCertificate, readCertificate, type Certificate } from './certificate.ts';
export { requireHost, type Place } from './place.ts';
export { sendPage, type PageOptions } from './page.ts';
export type { Link, LinkOptions, Rights } from './links.ts';
export { inspectRoutes, pairRoutes, watchRoutes, type AgentTalk, type PageVisit } from './live/index.ts';
export {
  AgentSeat,
  SharedIde,
  McpSessions,
  chooseServedTools,
  chooseWindowTools,
  serveStdio,
  serveWindowStdio,
  type ServedToolOptions,
  type ServedTools,
  type Pipe,
  type WindowLink,
} from './mcp/index.ts';
