import type { ToolHandlers } from '../../../rpc/index.ts';
import { addBrowser, type BrowserTests } from './browser/index.ts';
import { addHttp } from './http.ts';
import { addMongo } from './mongo.ts';
import { addSocket } from './socket/index.ts';
import { addSqlite } from './sqlite/index.ts';

export { BrowserTests } from './browser/index.ts';
export { sqliteMain, sqliteProgram } from './sqlite/index.ts';

/** Adds the tools of databases, servers and pages. */
export function addData(handlers: ToolHandlers, tests: BrowserTests, env: NodeJS.ProcessEnv): ToolHandlers {
  addSqlite(handlers);
  addHttp(handlers);
  addSocket(handlers);
  addBrowser(handlers, tests);
  return addMongo(handlers, env);
}
