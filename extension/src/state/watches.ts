import type * as vscode from 'vscode';
import { Changes } from './changes.ts';
import { Debugging } from './debug/index.ts';
import { Terminals } from './terminals/index.ts';
import { Events } from './events/index.ts';
import { TestRuns } from './tests.ts';
import { Work } from './work.ts';

/**
 * State that has to be followed from the start of the window, since VS Code's API does not report it afterwards.
 */
export class Watches implements vscode.Disposable {
  readonly work = new Work();
  readonly terminals = new Terminals();
  readonly debugging = new Debugging();
  readonly testRuns = new TestRuns();
  readonly changes = new Changes(this.testRuns);
  readonly events: Events;

  /** @param profile the folder of the user's settings.json */
  constructor(profile: vscode.Uri) {
    this.events = new Events(this.work, profile);
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
