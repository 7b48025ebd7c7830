import { clip } from '../../../bridge/text/index.ts';
import type { LeaseState, Sandbox } from '../../node/index.ts';
import {
  compareFiles,
  compareUnsaved,
  type FileChanges,
  handBackFolder,
  ideSnapshot,
  type IdeSnapshot,
  noteFiles,
  readFileText,
  takeIdeSnapshot,
  type UnsavedChanges,
} from './hand-back-state.ts';

/** Length of the report to an agent, in UTF-16 code units: at first, and when it asks for more. */
const reportLengths = { short: 2000, long: 20_000 } as const;

/** The changes by people, in words. */
export interface PersonChanges {
  /** At most 2,000 characters. */
  readonly short: string;
  /** At most 20,000. */
  readonly long: string;
}

const stateFile = `${handBackFolder}/state.json`;
const stateBytes = 2_000_000;
const writeMs = 5000;

/**
 * Notes the state of the IDE when a person takes control, unless no agent has looked since the turn before: then the
 * first note still counts. Rejects only for the signal: a state that was not noted is reported as unknown.
 */
export async function noteTakeOver(sandbox: Sandbox, state: LeaseState, signal: AbortSignal): Promise<void> {
  if (state.turns > state.looked) return;
  try {
    const taken = await takeIdeSnapshot(sandbox, state.turns, signal);
    const tree = taken.workspace === null ? undefined : await noteFiles(sandbox, taken.workspace, signal);
    await writeSnapshot(sandbox, { ...taken, tree: tree ?? null }, signal);
  } catch {
    signal.throwIfAborted();
  }
}

/**
 * The changes by people since an agent last looked, in words: from the state at the first take-over after that to the
 * state now. All of it comes from inside.
 */
export async function reportPersonChanges(
  sandbox: Sandbox,
  { looked, last }: Pick<LeaseState, 'looked' | 'last'>,
  signal: AbortSignal,
): Promise<PersonChanges> {
  const by = { who: last?.from?.name ?? 'A person', given: last?.how === 'given' };
  const before = await readSnapshot(sandbox);
  if (before?.turn !== looked) return formatBothLengths({ ...by, state: undefined, files: undefined });
  const after = await takeIdeSnapshot(sandbox, looked, signal);
  const { workspace, tree } = before;
  const files =
    workspace === null || tree === null
      ? undefined
      : await compareFiles(sandbox, workspace, tree, signal).catch(() => undefined);
  const unsaved = await compareUnsaved(before.unsaved, after.unsaved, (path) => readFileText(sandbox, path));
  signal.throwIfAborted();
  return formatBothLengths({ ...by, state: describeStateChanges(before, after), files, unsaved });
}

function formatBothLengths(what: HandBackFacts): PersonChanges {
  return { short: formatHandBack(what, reportLengths.short), long: formatHandBack(what, reportLengths.long) };
}

async function writeSnapshot(sandbox: Sandbox, value: IdeSnapshot, signal: AbortSignal): Promise<void> {
  await sandbox.exec(
    {
      argv: ['bash', '-c', 'mkdir -p -m 700 "$1" && cat > "$2"', 'bash', handBackFolder, stateFile],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      input: JSON.stringify(value),
      timeoutMs: writeMs,
      maxOutputBytes: 1000,
    },
    { signal },
  );
}

/** Undefined if the file does not exist, or is not one of ours. */
async function readSnapshot(sandbox: Sandbox): Promise<IdeSnapshot | undefined> {
  const bytes = await sandbox.readFile(stateFile, stateBytes).catch(() => null);
  if (!bytes) return undefined;
  try {
    return ideSnapshot.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return undefined;
  }
}

/** Two commands of a terminal are the same if they began within this many milliseconds. */
const sameBeginMs = 3000;
/** Lines of one kind. */
const mostLines = 15;

/** The changes by people between two states of the IDE: one line each, without the files. */
export function describeStateChanges(before: IdeSnapshot, after: IdeSnapshot): string[] {
  return [
    ...describeTabChanges(before.tabs, after.tabs),
    ...(after.active !== null && after.active !== before.active
      ? [`the active editor is ${after.active}`]
      : []),
    ...describeSettingChanges(before.settings, after.settings),
    ...describeCommandChanges(before.commands, after.commands),
    ...describeListChanges(before.breakpoints, after.breakpoints, 'breakpoint set: ', 'breakpoint removed: '),
    ...describeListChanges(before.debug, after.debug, 'debugging began: ', 'debugging ended: '),
  ];
}

function describeTabChanges(before: IdeSnapshot['tabs'], after: IdeSnapshot['tabs']): string[] {
  if (!before || !after) return [];
  const opened = Object.keys(after).filter((name) => !(name in before));
  const closed = Object.keys(before).filter((name) => !(name in after));
  const unsaved = Object.keys(after).filter((name) => after[name]?.dirty && !before[name]?.dirty);
  return [
    ...(opened.length > 0 ? [`opened: ${joinNames(opened)}`] : []),
    ...(closed.length > 0 ? [`closed: ${joinNames(closed)}`] : []),
    ...(unsaved.length > 0 ? [`not saved yet: ${joinNames(unsaved)}`] : []),
  ];
}

function describeSettingChanges(before: IdeSnapshot['settings'], after: IdeSnapshot['settings']): string[] {
  if (!before || !after) return [];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const lines = keys.flatMap((key) => {
    const [old, value] = [before[key], after[key]];
    if (old === value) return [];
    return [`setting ${key}: ${value ?? 'back to its default'}${old === undefined ? '' : ` (was ${old})`}`];
  });
  return boundLines(lines);
}

function describeCommandChanges(before: IdeSnapshot['commands'], after: IdeSnapshot['commands']): string[] {
  if (!before || !after) return [];
  const lines = Object.entries(after).flatMap(([terminal, { line, end, beganMs }]) => {
    const old = before[terminal];
    const same = old?.line === line && Math.abs(old.beganMs - beganMs) < sameBeginMs;
    if (same && old.end === end) return [];
    return [`last command of terminal ${terminal}: ${line}, ${end}`];
  });
  const gone = Object.keys(before).filter((terminal) => !(terminal in after));
  return boundLines([...lines, ...gone.map((terminal) => `terminal closed: ${terminal}`)]);
}

function describeListChanges(
  before: readonly string[] | null,
  after: readonly string[] | null,
  added: string,
  removed: string,
): string[] {
  if (!before || !after) return [];
  const come = after.filter((one) => !before.includes(one));
  const gone = before.filter((one) => !after.includes(one));
  return boundLines([...come.map((one) => added + one), ...gone.map((one) => removed + one)]);
}

function joinNames(names: readonly string[]): string {
  const more = names.length - mostLines;
  return names.slice(0, mostLines).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function boundLines(lines: readonly string[]): string[] {
  const more = lines.length - mostLines;
  return [...lines.slice(0, mostLines), ...(more > 0 ? [`… and ${more} more of these`] : [])];
}

/** Everything to report about one hand-back. */
interface HandBackFacts {
  /** Who had control last, e.g. `Ada`. */
  readonly who: string;
  /** They gave it back themselves, so they have finished. */
  readonly given: boolean;
  /** Undefined if the state at the take-over is not known. */
  readonly state: readonly string[] | undefined;
  /** Undefined if the files could not be compared. */
  readonly files: FileChanges | undefined;
  /** Unsaved text; default: nothing. */
  readonly unsaved?: UnsavedChanges;
}

/**
 * The report for an agent: the files first, since they matter most. Then as many of the differences as fit, beginning
 * with those that are in no file.
 * @param maxChars UTF-16 code units
 */
export function formatHandBack(
  { who, given, state, files, unsaved }: HandBackFacts,
  maxChars: number,
): string {
  const end = given ? 'and has given it back' : 'which has ended without being given back';
  const head = `${who} had control ${end}. Changed since then, also by what was already running:`;
  const known = [
    ...(files?.summary ? [files.summary] : []),
    ...(state ?? []),
    ...boundLines(unsaved?.lines ?? []),
  ];
  const missing = [
    ...(state ? [] : ['what changed in the IDE is not known: look around']),
    ...(files ? [] : ['which files changed is not known: read them again']),
  ];
  const nothing = known.length + missing.length === 0 ? ['nothing that is watched'] : [];
  const short = cutWithMark([head, ...known, ...missing, ...nothing].join('\n'), maxChars);
  const room = maxChars - short.length - 1;
  const diff = [unsaved?.diff, files?.diff].filter(Boolean).join('\n');
  if (diff === '' || room < leastDiff) return short;
  return `${short}\n${cutWithMark(diff, room)}`;
}

/** A shorter piece of a difference is useless. */
const leastDiff = 200;
const cutMark = '\n… (cut; ask for more)';

function cutWithMark(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : clip(text, maxChars - cutMark.length) + cutMark;
}
