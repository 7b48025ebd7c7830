export { BrowserTests } from './browser/index.ts';
export { serveTools } from './serve-tools.ts';
export { sqliteMain, sqliteProgram } from './sqlite/index.ts';
