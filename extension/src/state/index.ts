import { ide, workspace as arrivals } from '../../../bridge/protocol/index.ts';
import type { Handlers } from '../../../bridge/rpc/index.ts';
import { takeIn } from './arrival/index.ts';
import { changedSettings } from './changed-settings.ts';
import { breakpoints, debugState, variables } from './debug/index.ts';
import { diagnostics } from './diagnostics.ts';
import { editor } from './editor.ts';
import { extensions } from './extensions.ts';
import { info } from './info.ts';
import { settings } from './settings.ts';
import { diff, sourceControl } from './source-control.ts';
import { outline, symbols } from './symbols.ts';
import { tabs } from './tabs.ts';
import { tasks } from './tasks.ts';
import { terminalState } from './terminals/index.ts';
import { tests } from './tests.ts';
import { unsaved } from './unsaved.ts';
import type { Watches } from './watches.ts';
import { workspace } from './workspace.ts';

export {
  askAdapter,
  exceptionOf,
  readVariables,
  topFrame,
  type DebugEntry,
  type Debugging,
  type RawFrame,
} from './debug/index.ts';
export { defaultsText } from './defaults.ts';
export { describeTask, fetchTasks, sameTask } from './tasks.ts';
export { Command, type TerminalEntry, type Terminals } from './terminals/index.ts';
export type { TestRuns } from './tests.ts';
export { requireTrustFor } from './trust.ts';
export { Watches } from './watches.ts';

/** Adds the handlers for the IDE's state. */
export function addState(handlers: Handlers, watches: Watches): Handlers {
  const { work, terminals, debugging, testRuns, changes, events } = watches;
  return handlers
    .add(ide.info, info)
    .add(ide.workspace, workspace)
    .add(ide.tabs, tabs)
    .add(ide.editor, editor)
    .add(ide.unsaved, unsaved)
    .add(ide.diagnostics, diagnostics)
    .add(ide.sourceControl, sourceControl)
    .add(ide.work, () => work.read())
    .add(ide.events, () => events.read())
    .add(ide.settings, settings)
    .add(ide.changedSettings, changedSettings)
    .add(ide.diff, diff)
    .add(ide.outline, outline)
    .add(ide.symbols, symbols)
    .add(ide.tests, (params) => tests(testRuns, params))
    .add(ide.changes, (params, signal) => changes.read(params, signal))
    .add(ide.extensions, extensions)
    .add(ide.terminals, (params) => terminalState(terminals, params))
    .add(ide.tasks, tasks)
    .add(ide.debug, (params, signal) => debugState(debugging, params, signal))
    .add(ide.breakpoints, breakpoints)
    .add(ide.variables, (params, signal) => variables(debugging, params, signal));
}

/** Adds the handlers that a sandbox's bridge calls after it has put files into the workspace. */
export function addArrival(handlers: Handlers): Handlers {
  return handlers.add(arrivals.takeIn, takeIn);
}
