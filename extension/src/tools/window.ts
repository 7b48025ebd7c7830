import type * as vscode from 'vscode';
import type { Watches } from '../state/index.ts';
import type { ReportedProblems } from './problems/index.ts';

/** Facts about the window that tools need and that VS Code only reports when the extension starts. */
export interface WindowFacts {
  /** The folder of the user's profile: keybindings.json is in it. */
  readonly profile: vscode.Uri;
  readonly reportedProblems: ReportedProblems;
  readonly watches: Watches;
}
