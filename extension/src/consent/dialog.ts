import * as vscode from 'vscode';
import type { Answer } from './consent.ts';
import { questionAbout, type WantedCall } from './words.ts';

const buttons: readonly (readonly [title: string, answer: Answer])[] = [
  ['Allow Once', 'once'],
  ['For This Session', 'session'],
  ['Never', 'never'],
];

/** Asks by VS Code's own dialog. It is modal: a notification can be hidden, and commands can press its buttons. */
export async function askByDialog(wanted: WantedCall): Promise<Answer> {
  const { message, detail } = questionAbout(wanted);
  const titles = buttons.map(([title]) => title);
  const chosen = await vscode.window.showInformationMessage(message, { modal: true, detail }, ...titles);
  return buttons.find(([title]) => title === chosen)?.[1] ?? 'dismissed';
}
