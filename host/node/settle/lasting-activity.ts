import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { Box } from '../../../bridge/protocol/index.ts';
import { plainLine } from '../../../bridge/text/index.ts';
import { readProcessStat } from '../../lib/index.ts';

/** The use of a process since its start. */
export interface ProcessUse {
  readonly pid: number;
  readonly parent: number;
  /** Its process group: a shell's job is one group, regardless of the processes that come and go in it. */
  readonly group: number;
  readonly session: number;
  readonly name: string;
  /** Processor time, in milliseconds. */
  readonly cpuMs: number;
  /** How long its main thread has waited for a processor, in milliseconds. */
  readonly waitMs: number;
}

/** Activity that keeps the IDE busy without input, and since when; times are of a clock that all processes share. */
export const lastingActivitySchema = z.object({
  programs: z.array(
    z.object({
      key: z.string().describe('of a process of the IDE, or of the process group of another program'),
      name: z.string(),
      share: z.number().describe('how much of one core it used, 1 for all of it'),
      since: z.number().describe('milliseconds'),
      patient: z.boolean().describe('it may work for the next input: it is waited for longer'),
    }),
  ),
  tiles: z.array(z.int()).describe('where it draws, as numbers of tiles'),
});
export type LastingActivity = z.output<typeof lastingActivitySchema>;
type LastingProgram = LastingActivity['programs'][number];

export const noActivity: LastingActivity = { programs: [], tiles: [] };

/** The activity in one part of a wait. */
export interface ActivitySlice {
  readonly ms: number;
  readonly programs: ReadonlyMap<
    string,
    { readonly cpuMs: number; readonly name: string; readonly own: boolean }
  >;
  readonly tiles: ReadonlySet<number>;
}

/**
 * Activity within this time after input may be an answer to it: it never counts as going on by itself, in milliseconds.
 */
export const inputAnswerMs = 1000;
/** The length of a slice, and what all together have to last. */
export const activitySliceMs = 500;
const provenAfterMs = 2000;
/** A process of the IDE that takes a core has this long to do what it was asked to: a language server reads a project. */
export const idePatienceMs = 10_000;
/** From this share of a core on it does not show whether a process works for two things at once. */
const fullShare = 0.6;
/** Less than a tick of the kernel's counter in a slice is nothing. */
const leastShare = 0.02;
/** How much more than before a program may use, and still does what it did. */
const toleratedGrowth = 1.25;
/** One tick. */
const slackMs = 10;

/** The first process has no parent that is seen, and counts 1; the bridge is its child. */
const startedByBridge = 3;

/** Side of the squares of the screen in which drawing is distinguished, in pixels: a line of text and a half. */
const tileSide = 32;
const tileColumns = 1024;
/** A region in which something is drawn in this share of the slices counts as animated. */
const animatedShare = 0.5;

/** The squares that a box touches. */
export function listTiles({ x, y, width, height }: Box): number[] {
  const tiles: number[] = [];
  for (let row = findTile(y); row <= findTile(y + Math.max(height, 1) - 1); row += 1)
    for (let column = findTile(x); column <= findTile(x + Math.max(width, 1) - 1); column += 1)
      tiles.push(row * tileColumns + column);
  return tiles;
}

function findTile(pixels: number): number {
  return Math.max(0, Math.floor(pixels / tileSide));
}

/**
 * The sessions of what the bridge starts: browser, X server, and the IDE with its language servers. Terminals make others,
 * and a program that has left all of them belongs to the first process.
 */
export function findIdeSessions(all: readonly ProcessUse[]): Set<number> {
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const depth = (pid: number): number => {
    const parent = parents.get(pid);
    return parent === undefined || parent === pid ? 0 : 1 + depth(parent);
  };
  return new Set(
    all.filter(({ pid, session }) => pid === session && depth(pid) === startedByBridge).map(({ pid }) => pid),
  );
}

/** A process of the IDE counts alone: together they would hide what one of them does for an input. */
export function buildProgramKey(use: ProcessUse, ide: ReadonlySet<number>): string {
  return ide.has(use.session) ? `process ${use.pid}` : `group ${use.group}`;
}

/** The use of programs between two looks; a new one began in between. */
export function measureProcessUse(
  before: readonly ProcessUse[],
  after: readonly ProcessUse[],
  ide: ReadonlySet<number>,
): ActivitySlice['programs'] {
  const then = new Map(before.map((use) => [use.pid, use]));
  const used = new Map<string, { cpuMs: number; name: string; own: boolean }>();
  for (const use of after) {
    const key = buildProgramKey(use, ide);
    const cpuMs = Math.max(0, use.cpuMs - (then.get(use.pid)?.cpuMs ?? 0)) + (used.get(key)?.cpuMs ?? 0);
    used.set(key, { cpuMs, name: used.get(key)?.name ?? use.name, own: ide.has(use.session) });
  }
  return used;
}

/**
 * The activity in every slice of a wait; nothing if the wait was too short to tell.
 * @param now when it ended
 */
export function findLastingActivity(slices: readonly ActivitySlice[], now: number): LastingActivity {
  const ms = slices.reduce((sum, slice) => sum + slice.ms, 0);
  if (ms < provenAfterMs) return noActivity;
  const programs = [...(slices[0]?.programs ?? [])].flatMap(([key, { name, own }]): LastingProgram[] => {
    const shares = slices.map((slice) => (slice.programs.get(key)?.cpuMs ?? 0) / slice.ms);
    if (Math.min(...shares) < leastShare) return [];
    // Not the most: a shell that has waited for a long job gets all of its time at once.
    const share = shares.sort((a, b) => a - b)[Math.floor(shares.length / 2)] ?? 0;
    return [{ key, name, share, since: now - ms, patient: own && share >= fullShare }];
  });
  const counts = new Map<number, number>();
  for (const { tiles } of slices) for (const at of tiles) counts.set(at, (counts.get(at) ?? 0) + 1);
  const drawn = slices.every(({ tiles }) => tiles.size > 0);
  const often = [...counts].filter(([, count]) => count >= slices.length * animatedShare);
  return { programs, tiles: drawn ? often.map(([at]) => at) : [] };
}

/** Both; what was known already is as old as it was. */
export function mergeActivity(known: LastingActivity, found: LastingActivity): LastingActivity {
  const old = new Map(known.programs.map((program) => [program.key, program]));
  const both = found.programs.map((program) => {
    const { since = program.since, share = 0 } = old.get(program.key) ?? {};
    return { ...program, since, share: Math.max(share, program.share) };
  });
  const keys = new Set(both.map(({ key }) => key));
  return {
    programs: [...known.programs.filter(({ key }) => !keys.has(key)), ...both],
    tiles: [...new Set([...known.tiles, ...found.tiles])],
  };
}

/** A program that uses less of a core may use none of it for a moment. */
const seenShare = 0.15;
/** A program that goes on uses at least this part of what it used. */
const sameShare = 0.5;

/**
 * The part of it that went on right before the input; not what only was so some time ago.
 * @param seen the part of a core that each used or wanted, and where something was drawn
 */
export function selectOngoing(
  known: LastingActivity,
  seen: { readonly busy: ReadonlyMap<string, number>; readonly drawn: ReadonlySet<number> },
): LastingActivity {
  const tiles = known.tiles.some((at) => seen.drawn.has(at)) ? known.tiles : [];
  const busy = known.programs.filter(({ key, share }) => (seen.busy.get(key) ?? 0) >= share * sameShare);
  if (tiles.length === 0 && busy.length === 0) return noActivity;
  return { programs: known.programs.filter((one) => busy.includes(one) || one.share < seenShare), tiles };
}

/** The activity that is not waited for. */
export function selectNotAwaited({ programs, tiles }: LastingActivity, now: number): LastingActivity {
  return {
    programs: programs.filter(({ since, patient }) => !patient || now - since >= idePatienceMs),
    tiles,
  };
}

/**
 * How much of the processor time since the input is what programs did before it, too.
 * @param used what each has used since
 */
export function measureSparedMs(
  { programs }: LastingActivity,
  used: ActivitySlice['programs'],
  ms: number,
): number {
  return programs.reduce((sum, { key, share }) => {
    const all = used.get(key)?.cpuMs ?? 0;
    return sum + Math.min(all, share * toleratedGrowth * ms + slackMs);
  }, 0);
}

/** In words. */
export function describeActivity({ programs, tiles }: LastingActivity): string[] {
  const names = programs.map(({ name, share }) => ({ name, share }));
  const most = names.sort((a, b) => b.share - a.share).slice(0, 3);
  const drawing = tiles.length > 0 ? [`drawing at ${findMiddle(tiles)}`] : [];
  return [...most.map(({ name, share }) => `${name} (cpu ${Math.round(share * 100)} %)`), ...drawing];
}

/** A place on the screen that people can find. */
function findMiddle(tiles: readonly number[]): string {
  const middle = (values: readonly number[]) =>
    Math.round(((Math.min(...values) + Math.max(...values) + 1) / 2) * tileSide);
  const [x, y] = [tiles.map((at) => at % tileColumns), tiles.map((at) => Math.floor(at / tileColumns))];
  return `${middle(x)},${middle(y)}`;
}

/** Milliseconds of one tick of the kernel's counters of processor time: it is the same on all machines that run VS Code. */
const kernelTickMs = 10;
/** What V8 calls the main thread of Node's processes. */
const mainThreadName = 'MainThread';

/**
 * The use of processes so far. Processes that end meanwhile are left out.
 * @param pids as this process sees them
 */
export async function readProcessUse(pids: readonly number[]): Promise<ProcessUse[]> {
  return (await Promise.all(pids.map(readOneUse))).filter((use) => use !== null);
}

async function readOneUse(pid: number): Promise<ProcessUse | null> {
  const [stat, schedule] = await Promise.all([
    readProcessStat(pid),
    readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => ''),
  ]);
  if (!stat) return null;
  const { name } = stat;
  const field = (number: number) => Number(stat.field(number));
  return {
    pid,
    parent: field(4),
    group: field(5),
    session: field(6),
    name: name === mainThreadName ? 'node' : plainLine(name),
    // With that of children that have ended: a loop in a shell starts one after the other.
    cpuMs: (field(14) + field(15) + field(16) + field(17)) * kernelTickMs,
    waitMs: Number(schedule.split(' ')[1] ?? 0) / 1e6,
  };
}
