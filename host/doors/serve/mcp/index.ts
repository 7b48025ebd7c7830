export { AgentServer } from './agent-server.ts';
export {
  McpSessions,
  type Pipe,
  serveStdio,
  serveWindowStdio,
  type WindowLink,
} from './client-connection.ts';
export { chooseServedTools, chooseWindowTools, type ServedToolOptions } from './served-tools.ts';
export { SharedIde } from './shared-ide.ts';
