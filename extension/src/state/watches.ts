import type * as vscode from 'vscode';
import { Debugging } from './debug/index.ts';
import { Terminals } from './terminals/index.ts';
import { Work } from './work.ts';

/** All that has to be followed from the start of the window, since VS Code's API does not tell of it afterwards. */
export class Watches implements vscode.Disposable {
  readonly work = new Work();
  readonly terminals = new Terminals();
  readonly debugging = new Debugging();

  dispose(): void {
    this.work.dispose();
    this.terminals.dispose();
    this.debugging.dispose();
  }
}
