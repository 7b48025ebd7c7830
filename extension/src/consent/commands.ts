import * as vscode from 'vscode';
import { Guard, type GuardParts } from './guard.ts';
import { Hold, type AgentsState } from './hold.ts';

/** The control of the person at a window over its clients. */
export interface OpenGuard extends vscode.Disposable {
  readonly guard: Guard;
}

/**
 * Makes the guard of a person's own window, with the commands for the person. A sandbox has no guard, and the commands
 * are not shown there.
 * @param onState called when the state of agents changes
 */
export function openGuard(parts: Omit<GuardParts, 'hold'>, onState: (state: AgentsState) => void): OpenGuard {
  const hold = new Hold((state) => {
    if (state === 'stopped') guard.endSessions();
    show(state);
    onState(state);
  });
  const guard = new Guard({ ...parts, hold });
  show('working');
  const setting = (id: string, state: AgentsState) =>
    vscode.commands.registerCommand(id, () => hold.set(state));
  const commands = vscode.Disposable.from(
    setting('pwp.pauseAgents', 'paused'),
    setting('pwp.stopAgents', 'stopped'),
    setting('pwp.resumeAgents', 'working'),
    vscode.commands.registerCommand('pwp.resetConsent', () => {
      guard.reset();
      vscode.window.setStatusBarMessage('You will be asked again what agents may do', 5000);
    }),
  );
  return { guard, dispose: () => void commands.dispose() };
}

/** For the buttons of the view. */
function show(state: AgentsState): void {
  void vscode.commands.executeCommand('setContext', 'pwp.agents', state);
}
