import { clip } from '../../../bridge/lib/index.ts';
import type { FileChanges } from './files.ts';
import type { Snapshot } from './snapshot.ts';
import type { UnsavedChanges } from './unsaved.ts';

/** Two commands of a terminal are the same if they began within this many milliseconds. */
const sameBeginMs = 3000;
/** Lines of one kind. */
const mostLines = 15;

/** The changes by people between two states of the IDE: one line each, without the files. */
export function stateChanges(before: Snapshot, after: Snapshot): string[] {
  return [
    ...tabChanges(before.tabs, after.tabs),
    ...(after.active !== null && after.active !== before.active
      ? [`the active editor is ${after.active}`]
      : []),
    ...settingChanges(before.settings, after.settings),
    ...commandChanges(before.commands, after.commands),
    ...listChanges(before.breakpoints, after.breakpoints, 'breakpoint set: ', 'breakpoint removed: '),
    ...listChanges(before.debug, after.debug, 'debugging began: ', 'debugging ended: '),
  ];
}

function tabChanges(before: Snapshot['tabs'], after: Snapshot['tabs']): string[] {
  if (!before || !after) return [];
  const opened = Object.keys(after).filter((name) => !(name in before));
  const closed = Object.keys(before).filter((name) => !(name in after));
  const unsaved = Object.keys(after).filter((name) => after[name]?.dirty && !before[name]?.dirty);
  return [
    ...(opened.length > 0 ? [`opened: ${listed(opened)}`] : []),
    ...(closed.length > 0 ? [`closed: ${listed(closed)}`] : []),
    ...(unsaved.length > 0 ? [`not saved yet: ${listed(unsaved)}`] : []),
  ];
}

function settingChanges(before: Snapshot['settings'], after: Snapshot['settings']): string[] {
  if (!before || !after) return [];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const lines = keys.flatMap((key) => {
    const [old, value] = [before[key], after[key]];
    if (old === value) return [];
    return [`setting ${key}: ${value ?? 'back to its default'}${old === undefined ? '' : ` (was ${old})`}`];
  });
  return bounded(lines);
}

function commandChanges(before: Snapshot['commands'], after: Snapshot['commands']): string[] {
  if (!before || !after) return [];
  const lines = Object.entries(after).flatMap(([terminal, { line, end, beganMs }]) => {
    const old = before[terminal];
    const same = old?.line === line && Math.abs(old.beganMs - beganMs) < sameBeginMs;
    if (same && old.end === end) return [];
    return [`last command of terminal ${terminal}: ${line}, ${end}`];
  });
  const gone = Object.keys(before).filter((terminal) => !(terminal in after));
  return bounded([...lines, ...gone.map((terminal) => `terminal closed: ${terminal}`)]);
}

function listChanges(
  before: readonly string[] | null,
  after: readonly string[] | null,
  added: string,
  removed: string,
): string[] {
  if (!before || !after) return [];
  const come = after.filter((one) => !before.includes(one));
  const gone = before.filter((one) => !after.includes(one));
  return bounded([...come.map((one) => added + one), ...gone.map((one) => removed + one)]);
}

function listed(names: readonly string[]): string {
  const more = names.length - mostLines;
  return names.slice(0, mostLines).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function bounded(lines: readonly string[]): string[] {
  const more = lines.length - mostLines;
  return [...lines.slice(0, mostLines), ...(more > 0 ? [`… and ${more} more of these`] : [])];
}

/** Everything to report about one hand-back. */
export interface HandBack {
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
export function handBackText({ who, given, state, files, unsaved }: HandBack, maxChars: number): string {
  const end = given ? 'and has given it back' : 'which has ended without being given back';
  const head = `${who} had control ${end}. Changed since then, also by what was already running:`;
  const known = [
    ...(files?.summary ? [files.summary] : []),
    ...(state ?? []),
    ...bounded(unsaved?.lines ?? []),
  ];
  const missing = [
    ...(state ? [] : ['what changed in the IDE is not known: look around']),
    ...(files ? [] : ['which files changed is not known: read them again']),
  ];
  const nothing = known.length + missing.length === 0 ? ['nothing that is watched'] : [];
  const short = cutAt([head, ...known, ...missing, ...nothing].join('\n'), maxChars);
  const room = maxChars - short.length - 1;
  const diff = [unsaved?.diff, files?.diff].filter(Boolean).join('\n');
  if (diff === '' || room < leastDiff) return short;
  return `${short}\n${cutAt(diff, room)}`;
}

/** A shorter piece of a difference is useless. */
const leastDiff = 200;
const cutMark = '\n… (cut; ask for more)';

function cutAt(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : clip(text, maxChars - cutMark.length) + cutMark;
}
