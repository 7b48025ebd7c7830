import { toolMethods } from '../../../bridge/protocol/index.ts';
import { ToolHandlers, type Handlers } from '../../../bridge/rpc/index.ts';
import type { Watches } from '../state/index.ts';
import { addDebug } from './debug/index.ts';
import { addFiles } from './files/index.ts';
import { addRefactor } from './refactor/index.ts';
import { addRun } from './run/index.ts';
import { addSearch } from './search/index.ts';

/** Every family of tools that runs in the IDE. */
const families: readonly ((handlers: ToolHandlers, watches: Watches) => ToolHandlers)[] = [
  addFiles,
  addSearch,
  addRefactor,
  addRun,
  addDebug,
];

/** Adds the tools that run in the IDE. */
export function addTools(handlers: Handlers, watches: Watches): Handlers {
  const tools = families.reduce((all, add) => add(all, watches), new ToolHandlers());
  return handlers
    .add(toolMethods.call, (params, signal) => tools.call(params, signal))
    .add(toolMethods.list, () => ({ tools: tools.definitions, missing: null }));
}
