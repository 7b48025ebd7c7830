import * as vscode from 'vscode';
import type { Ended, PytestEvent } from './events.ts';
import type { TestTree } from './tree.ts';

/** Passes the plugin's events on to a test run. */
export function reportRun(run: vscode.TestRun, tree: TestTree, event: PytestEvent): void {
  const item = tree.find(event.id);
  if (!item) return;
  if (event.kind === 'started') run.started(item);
  if (event.kind === 'broken') run.errored(item, new vscode.TestMessage(event.message));
  if (event.kind === 'ended') reportEnd(run, item, event);
}

function reportEnd(run: vscode.TestRun, item: vscode.TestItem, ended: Ended): void {
  const ms = ended.seconds * 1000;
  if (ended.outcome === 'passed') run.passed(item, ms);
  if (ended.outcome === 'skipped') run.skipped(item);
  if (ended.outcome === 'failed') run.failed(item, messageOf(item, ended), ms);
  if (ended.outcome === 'errored') run.errored(item, messageOf(item, ended), ms);
}

/** At the line that failed. */
function messageOf(item: vscode.TestItem, { message, path, line }: Ended): vscode.TestMessage {
  const testMessage = new vscode.TestMessage(message);
  if (path !== undefined && line !== undefined)
    testMessage.location = new vscode.Location(vscode.Uri.file(path), new vscode.Position(line - 1, 0));
  else if (item.uri && item.range) testMessage.location = new vscode.Location(item.uri, item.range);
  return testMessage;
}
