import type * as vscode from 'vscode';
import { workspaceMethods as arrivals, ide } from '../../../bridge/protocol/index.ts';
import type { Handlers } from '../../../bridge/rpc/index.ts';
import { StateChanges } from './changes.ts';
import { readDiagnostics, readOutline, readSymbols } from './code.ts';
import { Debugging } from './debug-sessions.ts';
import { readBreakpoints, readDebugState, readSessionVariables } from './debug-state.ts';
import { readEditor, readUnsaved } from './documents.ts';
import { IdeEvents } from './events.ts';
import { applyInitialState } from './initial-state.ts';
import { readChangedSettings, readSettings } from './settings.ts';
import { readDiff, readSourceControl } from './source-control.ts';
import { readTerminals, Terminals } from './terminals.ts';
import { readTests, TestRuns } from './tests.ts';
import { readExtensions, readInfo, readOpenTabs, readWorkspace } from './window.ts';
import { readTasks, RunningWork } from './work.ts';

/**
 * State that has to be followed from the start of the window, since VS Code's API does not report it afterwards.
 */
export class Watches implements vscode.Disposable {
  readonly work = new RunningWork();
  readonly terminals = new Terminals();
  readonly debugging = new Debugging();
  readonly testRuns = new TestRuns();
  readonly changes = new StateChanges(this.testRuns);
  readonly events: IdeEvents;

  /** @param profile the folder of the user's settings.json */
  constructor(profile: vscode.Uri) {
    this.events = new IdeEvents(this.work, profile);
  }

  dispose(): void {
    this.events.dispose();
    this.changes.dispose();
    this.testRuns.dispose();
    this.work.dispose();
    this.terminals.dispose();
    this.debugging.dispose();
  }
}

/** Adds the handlers for the IDE's state. */
export function addState(handlers: Handlers, watches: Watches): Handlers {
  const { work, terminals, debugging, testRuns, changes, events } = watches;
  return handlers
    .add(ide.info, readInfo)
    .add(ide.workspace, readWorkspace)
    .add(ide.tabs, readOpenTabs)
    .add(ide.editor, readEditor)
    .add(ide.unsaved, readUnsaved)
    .add(ide.diagnostics, readDiagnostics)
    .add(ide.sourceControl, readSourceControl)
    .add(ide.work, () => work.read())
    .add(ide.events, () => events.read())
    .add(ide.settings, readSettings)
    .add(ide.changedSettings, readChangedSettings)
    .add(ide.diff, readDiff)
    .add(ide.outline, readOutline)
    .add(ide.symbols, readSymbols)
    .add(ide.tests, (params) => readTests(testRuns, params))
    .add(ide.changes, (params, signal) => changes.read(params, signal))
    .add(ide.extensions, readExtensions)
    .add(ide.terminals, (params) => readTerminals(terminals, params))
    .add(ide.tasks, readTasks)
    .add(ide.debug, (params, signal) => readDebugState(debugging, params, signal))
    .add(ide.breakpoints, readBreakpoints)
    .add(ide.variables, (params, signal) => readSessionVariables(debugging, params, signal));
}

/** Adds the handlers that a sandbox's bridge calls after it has put files into the workspace. */
export function addInitialState(handlers: Handlers): Handlers {
  return handlers.add(arrivals.takeIn, applyInitialState);
}
