import { PwpError } from '../../../../bridge/lib/index.ts';
import {
  flameFrames,
  functionsOf,
  readProfile,
  type Frame,
  type FunctionTime,
  type Profile,
} from '../../../../bridge/profile/index.ts';
import {
  toolError,
  type profileTools,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import { clipText } from '../../lib/index.ts';
import { pathText, place } from '../place/index.ts';
import { loadText } from '../text/index.ts';

type Summary = typeof profileTools.profileSummary;

/** Errors: `bad-profile`, and those of reading a file's text. */
export async function profileSummary(input: ToolInput<Summary>): Promise<ToolOutput<Summary>> {
  const at = await place(input.path);
  const profile = understood((await loadText(at)).text, pathText(at.path));
  const functions = functionsOf(profile)
    .filter(({ name, file }) => `${name}\0${file ?? ''}`.toLowerCase().includes(input.query.toLowerCase()))
    .sort((a, b) => (input.sort === 'total' ? b.total - a.total : 0));
  const all = profile.root.total;
  const bars = flameFrames(profile);
  const flame = bars.filter(({ frame }) => percentOf(frame.total, all) >= input.min_percent);
  return {
    path: pathText(at.path),
    format: profile.format,
    unit: profile.unit,
    total: all,
    depth: bars.reduce((most, { depth }) => Math.max(most, depth), 0),
    functions: functions.slice(0, input.limit).map((one) => ({ ...row(one, all), calls: one.calls })),
    function_count: functions.length,
    flame: flame.slice(0, input.flame_limit).map(({ frame, depth }) => ({ depth, ...row(frame, all) })),
    truncated: functions.length > input.limit || (input.flame_limit > 0 && flame.length > input.flame_limit),
  };
}

function understood(text: string, name: string): Profile {
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

function row({ name, file, line, self, total }: FunctionTime | Frame, all: number) {
  return {
    name: clipText(name),
    file: file === undefined ? null : clipText(file),
    line: line ?? null,
    self,
    self_percent: percentOf(self, all),
    total,
    total_percent: percentOf(total, all),
  };
}

function percentOf(part: number, all: number): number {
  return all > 0 ? Math.min(100, (part / all) * 100) : 0;
}
