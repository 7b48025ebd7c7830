import * as vscode from 'vscode';
import {
  type CallFrame,
  describeError,
  type FunctionTime,
  layOutFlames,
  type Profile,
  PwpError,
  rankFunctions,
  readProfile,
} from '../../../../bridge/lib/index.ts';
import {
  profileTools,
  toolError,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import type { ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { clipText } from '../../lib/index.ts';
import { loadText } from '../file-text.ts';
import { formatPath, resolvePlace } from '../workspace-place.ts';

/** Adds the tools of CPU profiles. */
export function addProfileTools(handlers: ToolHandlers): ToolHandlers {
  return handlers
    .add(profileTools.profileSummary, (input) => summarizeProfile(input))
    .add(profileTools.openProfile, (input) => openProfile(input));
}

type Summary = typeof profileTools.profileSummary;

/** Errors: `bad-profile`, and those of reading a file's text. */
async function summarizeProfile(input: ToolInput<Summary>): Promise<ToolOutput<Summary>> {
  const at = await resolvePlace(input.path);
  const profile = parseProfile((await loadText(at)).text, formatPath(at.path));
  const functions = rankFunctions(profile)
    .filter(({ name, file }) => `${name}\0${file ?? ''}`.toLowerCase().includes(input.query.toLowerCase()))
    .sort((a, b) => (input.sort === 'total' ? b.total - a.total : 0));
  const all = profile.root.total;
  const bars = layOutFlames(profile);
  const flame = bars.filter(({ frame }) => computePercent(frame.total, all) >= input.min_percent);
  return {
    path: formatPath(at.path),
    format: profile.format,
    unit: profile.unit,
    total: all,
    depth: bars.reduce((most, { depth }) => Math.max(most, depth), 0),
    functions: functions
      .slice(0, input.limit)
      .map((one) => ({ ...describeFunction(one, all), calls: one.calls })),
    function_count: functions.length,
    flame: flame
      .slice(0, input.flame_limit)
      .map(({ frame, depth }) => ({ depth, ...describeFunction(frame, all) })),
    truncated: functions.length > input.limit || (input.flame_limit > 0 && flame.length > input.flame_limit),
  };
}

function parseProfile(text: string, name: string): Profile {
  try {
    return readProfile(text);
  } catch (error) {
    if (!(error instanceof PwpError) || error.code !== 'bad-profile') throw error;
    throw toolError('bad-profile', `${name}: ${error.message}`, {
      ...(error.help !== undefined && { help: error.help }),
      cause: error,
    });
  }
}

function describeFunction({ name, file, line, self, total }: FunctionTime | CallFrame, all: number) {
  return {
    name: clipText(name),
    file: file === undefined ? null : clipText(file),
    line: line ?? null,
    self,
    self_percent: computePercent(self, all),
    total,
    total_percent: computePercent(total, all),
  };
}

function computePercent(part: number, all: number): number {
  return all > 0 ? Math.min(100, (part / all) * 100) : 0;
}

type Open = typeof profileTools.openProfile;

/** The view type of the extension in `extension/profile`. */
const profileViewType = 'pwp.flameGraph';

/** Reads the file first, so that a file that is not a profile opens no view. */
async function openProfile(input: ToolInput<Open>): Promise<ToolOutput<Open>> {
  const summary = await summarizeProfile(input);
  const { uri } = await resolvePlace(input.path);
  try {
    await vscode.commands.executeCommand('vscode.openWith', uri, profileViewType);
  } catch (cause) {
    throw toolError('failed', `the flame-graph view did not open: ${describeError(cause)}`, { cause });
  }
  return summary;
}
