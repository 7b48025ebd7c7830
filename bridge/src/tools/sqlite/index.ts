export { sqliteMain } from './sqlite-program.ts';
export { sqliteProgram } from './sqlite-request.ts';
export { addSqliteTools } from './sqlite-tools.ts';
