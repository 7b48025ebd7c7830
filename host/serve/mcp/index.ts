export { SharedIde } from './shared-ide.ts';
export { McpSessions } from './http.ts';
export {
  chooseServedTools,
  chooseWindowTools,
  type ServedToolOptions,
  type ServedTools,
} from './served-tools.ts';
export { serveStdio, serveWindowStdio, type Pipe } from './stdio.ts';
export type { WindowLink } from './window/index.ts';
export { AgentSeat } from './agent/index.ts';
