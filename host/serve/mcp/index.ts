export { SharedIde } from './shared-ide.ts';
export { McpSessions } from './http.ts';
export { chooseServedTools, servedFamilies, type ServedToolOptions } from './served-tools.ts';
export type { ServedTool } from './served-tool.ts';
export { serveStdio, type Pipe } from './stdio.ts';
