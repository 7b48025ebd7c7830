import { debugTools } from '../../../../bridge/protocol/index.ts';
import type { ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { listBreakpoints, removeBreakpoints, setBreakpoint } from './breakpoints.ts';
import { debugContinue, debugPause, debugStep } from './go.ts';
import { debugEvaluate, debugExceptions, debugStack, debugVariables } from './look.ts';
import { debugStart } from './start.ts';
import { debugStop } from './stop.ts';
import type { WindowFacts } from '../window.ts';

/** Adds VS Code's debugger. */
export function addDebug(
  handlers: ToolHandlers,
  { watches: { debugging, terminals } }: WindowFacts,
): ToolHandlers {
  return handlers
    .add(debugTools.debugStart, (input, { signal }) => debugStart({ debugging, terminals }, input, signal))
    .add(debugTools.debugContinue, (input, { signal }) => debugContinue(debugging, input, signal))
    .add(debugTools.debugStep, (input, { signal }) => debugStep(debugging, input, signal))
    .add(debugTools.debugPause, (input, { signal }) => debugPause(debugging, input, signal))
    .add(debugTools.debugExceptions, (input, { signal }) => debugExceptions(debugging, input, signal))
    .add(debugTools.debugStop, (input) => debugStop(debugging, input))
    .add(debugTools.setBreakpoint, (input) => setBreakpoint(debugging, input))
    .add(debugTools.removeBreakpoints, removeBreakpoints)
    .add(debugTools.listBreakpoints, () => listBreakpoints(debugging))
    .add(debugTools.debugStack, (input, { signal }) => debugStack(debugging, input, signal))
    .add(debugTools.debugVariables, (input, { signal }) => debugVariables(debugging, input, signal))
    .add(debugTools.debugEvaluate, (input, { signal }) => debugEvaluate(debugging, input, signal));
}
