import { join } from 'node:path';
import type { EditorState, Fingerprint, Observation } from '../env/index.ts';
import { filesAt, readFrame, type RecordedObservation, type RecordedState } from '../record/index.ts';
import { screenDifference, type ScreenDifference } from './screens.ts';

/** The parts of a state that are compared. */
export const compared = ['screen', 'editor', 'files'] as const;
export type Compared = (typeof compared)[number];

/** How a state differs from the recorded one. */
export type Difference =
  | ({ readonly what: 'screen' } & ScreenDifference)
  | { readonly what: 'editor'; readonly recorded: string; readonly found: string }
  /** At most 20 paths that differ; empty if they are not known. */
  | { readonly what: 'files'; readonly paths: readonly string[] };

export interface Comparison {
  readonly differences: readonly Difference[];
  /** The parts that could not be compared, since the record or the IDE lacks them. */
  readonly notCompared: readonly Compared[];
}

/** A recorded state. */
export interface RecordedMoment {
  readonly folder: string;
  readonly observation: RecordedObservation;
  readonly state: RecordedState | null;
  /** The record's first state with files, which has all of them. */
  readonly firstState: RecordedState | undefined;
}

export async function compare(
  recorded: RecordedMoment,
  observation: Observation,
  { files, editor }: Fingerprint,
): Promise<Comparison> {
  const { state } = recorded;
  const screen = await screenAt(recorded, observation.screen.bytes);
  const editors = state?.editor && editor ? editorDifference(state.editor, editor) : null;
  const paths = state?.files && files ? filesDifference(recorded, files) : null;
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
export async function screenAt(
  { folder, observation, state }: RecordedMoment,
  png: Uint8Array,
): Promise<ScreenDifference | null> {
  const paths = new Set([observation.screen, ...(state?.screen ? [state.screen] : [])]);
  let least: ScreenDifference | null = null;
  for (const path of paths) {
    const difference = await screenDifference(await readFrame(folder, path), png, join(folder, path));
    if (!difference) return null;
    if (!least || difference.pixels < least.pixels) least = difference;
  }
  return least;
}

function editorDifference(recorded: EditorState, found: EditorState): Difference[] {
  const [then, now] = [JSON.stringify(recorded), JSON.stringify(found)];
  return then === now ? [] : [{ what: 'editor', recorded: editorText(recorded), found: editorText(found) }];
}

function editorText({ tabs, active }: EditorState): string {
  const at = active ? `${active.uri} ${active.line}:${active.column}, text ${active.text}` : 'no editor';
  return `${at}; tabs ${tabs.length === 0 ? 'none' : tabs.join(' | ')}`;
}

const mostPaths = 20;

function filesDifference(
  { state, firstState }: RecordedMoment,
  found: NonNullable<Fingerprint['files']>,
): Difference[] {
  if (!state?.files || state.files.digest === found.digest) return [];
  const then = filesAt(state, firstState) ?? new Map<string, string>();
  const all = then.size === 0 ? [] : [...new Set([...then.keys(), ...found.entries.keys()])];
  const paths = all.filter((path) => then.get(path) !== found.entries.get(path)).toSorted();
  return [{ what: 'files', paths: paths.slice(0, mostPaths) }];
}

/** One line for people. */
export function differenceText(difference: Difference): string {
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
