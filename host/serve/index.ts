export { openServer, type RequestHandler, type Routes, type Server, type ServerOptions } from './server.ts';
export { screenRoutes } from './screen.ts';
export {
  AgentSeat,
  SharedIde,
  McpSessions,
  chooseServedTools,
  serveStdio,
  type ServedToolOptions,
  type ServedTools,
  type Pipe,
} from './mcp/index.ts';
export { inspectRoutes } from './inspect/index.ts';
