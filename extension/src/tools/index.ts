import { toolMethods } from '../../../bridge/protocol/index.ts';
import { ToolHandlers, type Handler, type Handlers } from '../../../bridge/rpc/index.ts';
import { requireTrustFor } from '../state/index.ts';
import { addDebug } from './debug/index.ts';
import { addFiles } from './files/index.ts';
import { addHistory } from './history/index.ts';
import { addIde } from './ide/index.ts';
import { addProfile } from './profile/index.ts';
import { addRefactor } from './refactor/index.ts';
import { addRun } from './run/index.ts';
import { addSearch } from './search/index.ts';
import { addView } from './view/index.ts';
import type { WindowFacts } from './window.ts';

export { ReportedProblems } from './problems/index.ts';
export { registerPreview } from './view/index.ts';
export type { WindowFacts } from './window.ts';

/** Every family of tools that runs in the IDE. */
const families: readonly ((handlers: ToolHandlers, facts: WindowFacts) => ToolHandlers)[] = [
  addFiles,
  addSearch,
  addRefactor,
  addRun,
  addDebug,
  addHistory,
  addView,
  addProfile,
  addIde,
];

/** The tools that run in the IDE. */
export function makeTools(facts: WindowFacts): ToolHandlers {
  return families.reduce((all, add) => add(all, facts), new ToolHandlers(requireTrustFor));
}

/**
 * Serves them.
 * @param call calls a tool for the client of these handlers
 */
export function addTools(
  handlers: Handlers,
  tools: ToolHandlers,
  call: Handler<typeof toolMethods.call>,
): Handlers {
  return handlers
    .add(toolMethods.call, call)
    .add(toolMethods.list, () => ({ tools: tools.definitions, missing: null }));
}
