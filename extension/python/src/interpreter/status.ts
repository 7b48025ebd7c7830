import * as vscode from 'vscode';
import { describeInterpreter } from './find.ts';
import type { Interpreters } from './interpreters.ts';

/** Shows the interpreter in the status bar while a Python file is active. */
export class InterpreterStatus implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #interpreters: Interpreters;
  readonly #listening: vscode.Disposable[];

  constructor(interpreters: Interpreters) {
    this.#interpreters = interpreters;
    this.#item = vscode.window.createStatusBarItem('interpreter', vscode.StatusBarAlignment.Right, 100);
    this.#item.name = 'Python Interpreter';
    this.#item.command = 'pwp.python.selectInterpreter';
    const show = () => void this.#show();
    this.#listening = [interpreters.onDidChange(show), vscode.window.onDidChangeActiveTextEditor(show)];
    show();
  }

  dispose(): void {
    this.#item.dispose();
    for (const one of this.#listening) one.dispose();
  }

  async #show(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== 'python') {
      this.#item.hide();
      return;
    }
    const { path } = this.#interpreters.of(vscode.workspace.getWorkspaceFolder(document.uri));
    const { version, environment } = await describeInterpreter(path);
    // Another one may have been chosen meanwhile: its own update shows it.
    const own = environment === undefined ? '' : ` ('${environment}': venv)`;
    this.#item.text = version === '' ? '$(warning) Select Interpreter' : `${version}${own}`;
    this.#item.tooltip = path;
    this.#item.show();
  }
}
