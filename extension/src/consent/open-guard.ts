import * as vscode from 'vscode';
import { composeQuestion, type WantedCall } from './action-question.ts';
import { type AgentsState, AgentSwitch, ConsentGuard, type GuardParts } from './guard.ts';
import type { ConsentAnswer } from './permissions.ts';

/** The control of the person at a window over its clients. */
interface OpenedGuard extends vscode.Disposable {
  readonly guard: ConsentGuard;
}

/**
 * Makes the guard of a person's own window, with the commands for the person. A sandbox has no guard, and the commands
 * are not shown there.
 * @param onState called when the state of agents changes
 */
export function openGuard(
  parts: Omit<GuardParts, 'hold'>,
  onState: (state: AgentsState) => void,
): OpenedGuard {
  const hold = new AgentSwitch((state) => {
    if (state === 'stopped') guard.endSessions();
    showAgentsState(state);
    onState(state);
  });
  const guard = new ConsentGuard({ ...parts, hold });
  showAgentsState('working');
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
function showAgentsState(state: AgentsState): void {
  void vscode.commands.executeCommand('setContext', 'pwp.agents', state);
}

/** VS Code focuses the first one: a key that was meant for an editor must not allow anything. */
const buttons: readonly (readonly [title: string, answer: ConsentAnswer])[] = [
  ['Deny', 'dismissed'],
  ['Allow Once', 'once'],
  ['For This Session', 'session'],
  ['Never', 'never'],
];

/** Asks with VS Code's own dialog. It is modal: a notification can be hidden, and commands can press its buttons. */
export async function askByDialog(wanted: WantedCall): Promise<ConsentAnswer> {
  const { message, detail } = composeQuestion(wanted);
  const titles = buttons.map(([title]) => title);
  const chosen = await vscode.window.showInformationMessage(message, { modal: true, detail }, ...titles);
  return buttons.find(([title]) => title === chosen)?.[1] ?? 'dismissed';
}
