import type { ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { TerminalPool } from './pool.ts';
import { addPython } from './python/index.ts';
import { addTasks } from './task.ts';
import { addTerminals } from './terminal.ts';
import { addTests } from './tests/index.ts';
import type { WindowFacts } from '../window.ts';

export { programEnvironment } from './python/index.ts';

/** Adds terminals, tasks, tests and Python. */
export function addRun(handlers: ToolHandlers, { watches }: WindowFacts): ToolHandlers {
  const { terminals, testRuns } = watches;
  const pool = new TerminalPool(terminals);
  addTerminals(handlers, terminals, pool);
  addTasks(handlers, terminals);
  addTests(handlers, { terminals, pool, testRuns });
  return addPython(handlers);
}
