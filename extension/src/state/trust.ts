import * as vscode from 'vscode';
import { toolError, type Tool } from '../../../bridge/protocol/index.ts';

/**
 * In Restricted Mode the window shows files that its user does not trust: requests that do more than read are refused,
 * and VS Code does not ask its user on behalf of a program. Errors: `restricted-mode`.
 */
export function requireTrust(what: string): void {
  if (vscode.workspace.isTrusted) return;
  throw toolError('restricted-mode', `${what}: this window is in Restricted Mode`, {
    help: 'Only its user can change that, by the command Workspaces: Manage Workspace Trust',
  });
}

/** As {@link requireTrust}, for a tool that changes something or runs code of the workspace. */
export function requireTrustFor({ name, readOnly, runsCode }: Tool): void {
  if (!readOnly || runsCode) requireTrust(name);
}
