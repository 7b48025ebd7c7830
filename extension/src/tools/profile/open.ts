import * as vscode from 'vscode';
import { messageOf } from '../../../../bridge/lib/index.ts';
import {
  toolError,
  type profileTools,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import { place } from '../place/index.ts';
import { profileSummary } from './summary.ts';

type Open = typeof profileTools.openProfile;

/** The view type of the extension in `extension/profile`. */
const view = 'pwp.flameGraph';

/** Reads the file first, so that a file that is not a profile opens no view. */
export async function openProfile(input: ToolInput<Open>): Promise<ToolOutput<Open>> {
  const summary = await profileSummary(input);
  const { uri } = await place(input.path);
  try {
    await vscode.commands.executeCommand('vscode.openWith', uri, view);
  } catch (cause) {
    throw toolError('failed', `the flame-graph view did not open: ${messageOf(cause)}`, { cause });
  }
  return summary;
}
