import * as vscode from 'vscode';
import type { Answer } from './consent.ts';
import { questionAbout, type WantedCall } from './words.ts';

/** VS Code focuses the first one: a key that was meant for an editor must not allow anything. */
const buttons: readonly (readonly [title: string, answer: Answer])[] = [
  ['Deny', 'dismissed'],
  ['Allow Once', 'once'],
  ['For This Session', 'session'],
  ['Never', 'never'],
];

/** Asks with VS Code's own dialog. It is modal: a notification can be hidden, and commands can press its buttons. */
export async function askByDialog(wanted: WantedCall): Promise<Answer> {
  const { message, detail } = questionAbout(wanted);
  const titles = buttons.map(([title]) => title);
  const chosen = await vscode.window.showInformationMessage(message, { modal: true, detail }, ...titles);
  return buttons.find(([title]) => title === chosen)?.[1] ?? 'dismissed';
}
