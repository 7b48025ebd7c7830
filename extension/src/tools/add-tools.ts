import { toolMethods } from '../../../bridge/protocol/index.ts';
import { type Handler, type Handlers, ToolHandlers } from '../../../bridge/rpc/index.ts';
import { requireTrustFor } from '../state/index.ts';
import { addDebugTools } from './debug/index.ts';
import { addFileTools } from './files/index.ts';
import { addHistoryTools } from './history/index.ts';
import { addIdeTools } from './ide/index.ts';
import { addProfileTools } from './profile/index.ts';
import { addRefactorTools } from './refactor/index.ts';
import { addRunTools } from './run/index.ts';
import { addSearchTools } from './search/index.ts';
import { addViewTools } from './view/index.ts';
import type { WindowFacts } from './window-facts.ts';

/** Every family of tools that runs in the IDE. */
const toolFamilies: readonly ((handlers: ToolHandlers, facts: WindowFacts) => ToolHandlers)[] = [
  addFileTools,
  addSearchTools,
  addRefactorTools,
  addRunTools,
  addDebugTools,
  addHistoryTools,
  addViewTools,
  addProfileTools,
  addIdeTools,
];

/** The tools that run in the IDE. */
export function makeExtensionTools(facts: WindowFacts): ToolHandlers {
  return toolFamilies.reduce((all, add) => add(all, facts), new ToolHandlers(requireTrustFor));
}

/**
 * Serves them.
 * @param call calls a tool for the client of these handlers
 */
export function addExtensionTools(
  handlers: Handlers,
  tools: ToolHandlers,
  call: Handler<typeof toolMethods.call>,
): Handlers {
  return handlers
    .add(toolMethods.call, call)
    .add(toolMethods.list, () => ({ tools: tools.definitions, missing: null }));
}
