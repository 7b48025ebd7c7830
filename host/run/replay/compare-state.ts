import { join } from 'node:path';
import { deadline, poll } from '../../../bridge/lib/index.ts';
import type { Box } from '../../../bridge/protocol/index.ts';
import type { EditorState, Fingerprint, Observation } from '../../ide/index.ts';
import type { Environment } from '../environment/index.ts';
import {
  type EpisodeHistory,
  type EventOf,
  filesAt,
  readFrame,
  type RecordedObservation,
  type RecordedState,
  usePicture,
} from '../record/index.ts';

/** The parts of a state that are compared. */
export const comparedParts = ['screen', 'editor', 'files'] as const;
type ComparedPart = (typeof comparedParts)[number];

/** How a state differs from the recorded one. */
export type StateDifference =
  | ({ readonly what: 'screen' } & ScreenDifference)
  | { readonly what: 'editor'; readonly recorded: string; readonly found: string }
  /** At most 20 paths that differ; empty if they are not known. */
  | { readonly what: 'files'; readonly paths: readonly string[] };

export interface Comparison {
  readonly differences: readonly StateDifference[];
  /** The parts that could not be compared, since the record or the IDE lacks them. */
  readonly notCompared: readonly ComparedPart[];
}

/** A recorded state. */
interface RecordedMoment {
  readonly folder: string;
  readonly observation: RecordedObservation;
  readonly state: RecordedState | null;
  /** The record's first state with files, which has all of them. */
  readonly firstState: RecordedState | undefined;
}

async function compareState(
  recorded: RecordedMoment,
  observation: Observation,
  { files, editor }: Fingerprint,
): Promise<Comparison> {
  const { state } = recorded;
  const screen = await compareScreen(recorded, observation.screen.bytes);
  const editors = state?.editor && editor ? compareEditors(state.editor, editor) : null;
  const paths = state?.files && files ? compareFileStates(recorded, files) : null;
  return {
    differences: [
      ...(screen ? [{ what: 'screen', ...screen } as const] : []),
      ...(editors ?? []),
      ...(paths ?? []),
    ],
    notCompared: [...(editors ? [] : ['editor' as const]), ...(paths ? [] : ['files' as const])],
  };
}

/** Null if the screen is as the agent saw it, or as it was recorded a moment later. */
export async function compareScreen(
  { folder, observation, state }: RecordedMoment,
  png: Uint8Array,
): Promise<ScreenDifference | null> {
  const paths = new Set([observation.screen, ...(state?.screen ? [state.screen] : [])]);
  let least: ScreenDifference | null = null;
  for (const path of paths) {
    const difference = await compareScreens(await readFrame(folder, path), png, join(folder, path));
    if (!difference) return null;
    if (!least || difference.pixels < least.pixels) least = difference;
  }
  return least;
}

function compareEditors(recorded: EditorState, found: EditorState): StateDifference[] {
  const [then, now] = [JSON.stringify(recorded), JSON.stringify(found)];
  return then === now
    ? []
    : [{ what: 'editor', recorded: formatEditor(recorded), found: formatEditor(found) }];
}

function formatEditor({ tabs, active }: EditorState): string {
  const at = active ? `${active.uri} ${active.line}:${active.column}, text ${active.text}` : 'no editor';
  return `${at}; tabs ${tabs.length === 0 ? 'none' : tabs.join(' | ')}`;
}

const mostPaths = 20;

function compareFileStates(
  { state, firstState }: RecordedMoment,
  found: NonNullable<Fingerprint['files']>,
): StateDifference[] {
  if (!state?.files || state.files.digest === found.digest) return [];
  const then = filesAt(state, firstState) ?? new Map<string, string>();
  const all = then.size === 0 ? [] : [...new Set([...then.keys(), ...found.entries.keys()])];
  const paths = all.filter((path) => then.get(path) !== found.entries.get(path)).toSorted();
  return [{ what: 'files', paths: paths.slice(0, mostPaths) }];
}

/** One line for people. */
export function formatDifference(difference: StateDifference): string {
  switch (difference.what) {
    case 'screen': {
      const { pixels, box } = difference;
      return `screen: ${pixels} pixels in ${box.width}x${box.height} at (${box.x}, ${box.y})`;
    }
    case 'editor':
      return `editor: was ${difference.recorded}; is ${difference.found}`;
    case 'files':
      return `files: ${difference.paths.length === 0 ? 'others' : difference.paths.join(', ')}`;
  }
}

/** After a difference, late changes have this many milliseconds to appear: VS Code writes settings after a second. */
const lateChangesMs = 2500;
const againMs = 250;

/**
 * Compares the current state; after a difference, compares again until it is gone or late changes are no longer possible.
 * A checkpoint has every process as it was, so its screen is the one right after the restore: changes that were pending
 * then appear only now.
 */
export function makeComparer(env: Environment, { folder, events }: EpisodeHistory, signal: AbortSignal) {
  const firstState = events.find(
    (event): event is EventOf<'state'> => event.event === 'state' && event.files !== null,
  );
  return async (
    observation: RecordedMoment['observation'],
    state: RecordedMoment['state'],
    restored: Uint8Array | null = null,
  ): Promise<LateComparison> => {
    const recorded = { folder, observation, state, firstState };
    const wasThere = restored !== null && (await compareScreen(recorded, restored)) === null;
    const seen = async (now: Observation) =>
      excuseLateScreen(await compareState(recorded, now, await env.fingerprint({ signal })), wasThere);
    let found = await seen(env.observation);
    if (found.differences.length === 0) return found;
    using limit = deadline('what is late', lateChangesMs, signal);
    const again = async () => {
      found = await seen(await env.look({ signal }));
      return found.differences.length === 0
        ? ({ done: true, value: found } as const)
        : ({ done: false, saw: '' } as const);
    };
    return await poll('the recorded state', again, { intervalMs: againMs, signal: limit.signal }).catch(
      () => {
        signal.throwIfAborted();
        return found;
      },
    );
  };
}

/** The result of comparing a state. */
export interface LateComparison extends Comparison {
  readonly notes: readonly string[];
}

/** @param wasThere whether the recorded screen was there before late changes appeared */
export function excuseLateScreen(
  { differences, notCompared }: Comparison,
  wasThere: boolean,
): LateComparison {
  const late = wasThere ? differences.filter(({ what }) => what === 'screen') : [];
  return {
    differences: differences.filter((one) => !late.includes(one)),
    notCompared,
    notes: late.map((one) => `as recorded when it was restored; since then ${formatDifference(one)}`),
  };
}

/** The differences of two pictures. */
interface ScreenDifference {
  readonly pixels: number;
  /** The box around all of them. */
  readonly box: Box;
}

/**
 * The browser rounds the edges of curves differently each time it draws them: by up to this many of 255 shades, at up to
 * this many pixels. Differences that people can see are larger, or in more places.
 */
const roundingTolerance = { shades: 2, pixels: 500 };

/**
 * Null if two screens, as PNG, have the same colour at every pixel, including the pointer, except for {@link roundingTolerance}.
 * Errors: `bad-picture`.
 * @param name of the first one, for errors
 */
export async function compareScreens(
  one: Uint8Array,
  other: Uint8Array,
  name = 'a recorded screen',
): Promise<ScreenDifference | null> {
  if (Buffer.compare(one, other) === 0) return null;
  const [a, b] = await Promise.all([decodeScreen(name, one), decodeScreen('the screen', other)]);
  if (!a || !b) return null;
  if (a.width !== b.width || a.height !== b.height) {
    const [width, height] = [Math.max(a.width, b.width), Math.max(a.height, b.height)];
    return { pixels: width * height, box: { x: 0, y: 0, width, height } };
  }
  return comparePixels(a, b);
}

interface DecodedPixels {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel. */
  readonly data: Uint8Array;
}

async function decodeScreen(name: string, png: Uint8Array): Promise<DecodedPixels | undefined> {
  const [decoded] = await usePicture(name, png, (picture) => [
    picture().removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true }),
  ]);
  if (!decoded) return undefined;
  const { data, info } = decoded;
  return { width: info.width, height: info.height, data };
}

function comparePixels(a: DecodedPixels, b: DecodedPixels): ScreenDifference | null {
  let pixels = 0;
  let most = 0;
  let [left, top, right, bottom] = [a.width, a.height, -1, -1];
  for (let i = 0; i < a.width * a.height; i += 1) {
    const at = 3 * i;
    if (a.data[at] === b.data[at] && a.data[at + 1] === b.data[at + 1] && a.data[at + 2] === b.data[at + 2])
      continue;
    const [x, y] = [i % a.width, Math.floor(i / a.width)];
    pixels += 1;
    for (let channel = at; channel < at + 3; channel += 1)
      most = Math.max(most, Math.abs((a.data[channel] ?? 0) - (b.data[channel] ?? 0)));
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  if (most <= roundingTolerance.shades && pixels <= roundingTolerance.pixels) return null;
  return { pixels, box: { x: left, y: top, width: right - left + 1, height: bottom - top + 1 } };
}
