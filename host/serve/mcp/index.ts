export { SharedIde } from './shared-ide.ts';
export { McpSessions } from './http.ts';
export { chooseServedTools, type ServedToolOptions, type ServedTools } from './served-tools.ts';
export { serveStdio, type Pipe } from './stdio.ts';
export { AgentSeat } from './agent/index.ts';
