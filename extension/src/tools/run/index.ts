import type { ToolHandlers } from '../../../../bridge/rpc/index.ts';
import type { Watches } from '../../state/index.ts';
import { TerminalPool } from './pool.ts';
import { addTasks } from './task.ts';
import { addTerminals } from './terminal.ts';

/** Adds terminals, tasks, tests and Python. */
export function addRun(handlers: ToolHandlers, { terminals }: Watches): ToolHandlers {
  const pool = new TerminalPool(terminals);
  addTerminals(handlers, terminals, pool);
  return addTasks(handlers, terminals);
}
