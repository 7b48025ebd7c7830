import type { ToolHandlers } from '../../../../bridge/rpc/index.ts';
import type { Watches } from '../../state/index.ts';
import { TerminalPool } from './pool.ts';
import { addPython } from './python/index.ts';
import { addTasks } from './task.ts';
import { addTerminals } from './terminal.ts';
import { addTests } from './tests/index.ts';

/** Adds terminals, tasks, tests and Python. */
export function addRun(handlers: ToolHandlers, { terminals }: Watches): ToolHandlers {
  const pool = new TerminalPool(terminals);
  addTerminals(handlers, terminals, pool);
  addTasks(handlers, terminals);
  addTests(handlers, terminals, pool);
  return addPython(handlers);
}
