import * as z from 'zod';
import type { Fingerprint } from '../env/index.ts';
import { framePath } from './observation.ts';

const hash = z.string().max(2000);

/** A fingerprint of files and editors at one moment, so that another run can be compared. */
export const recordedState = z.object({
  event: z.literal('state'),
  step: z.int().nonnegative().describe('the last step before it; 0 is the start'),
  screen: framePath
    .nullable()
    .describe('PNG, with late changes that are not in the observation; null without one'),
  files: z
    .object({
      digest: z
        .string()
        .describe('SHA-256 over all paths and contents of the workspace and the user settings'),
      changed: z
        .record(z.string(), hash.nullable())
        .describe(
          'paths that differ from the first of these events, which has all; null for one that is gone',
        ),
    })
    .nullable()
    .describe('null if they could not be read, or are too many'),
  editor: z
    .object({
      tabs: z.array(z.string()).describe('labels from left to right; ` •` marks text that is not saved'),
      active: z
        .object({
          uri: z.string(),
          text: hash.describe('of its whole text, saved or not'),
          line: z.int().positive(),
          column: z.int().positive(),
        })
        .nullable(),
    })
    .nullable()
    .describe('null if the IDE did not answer'),
});
export type RecordedState = z.output<typeof recordedState>;

/** @param first the files at the first of a record's states; undefined if this is it */
export function stateEvent(
  step: number,
  screen: string | null,
  { files, editor }: Fingerprint,
  first: ReadonlyMap<string, string> | undefined,
): RecordedState {
  return {
    event: 'state',
    step,
    screen,
    files: files && { digest: files.digest, changed: changesOf(files.entries, first) },
    editor: editor && { ...editor, tabs: [...editor.tabs] },
  };
}

/** All files at a state. Null if they are not known. */
export function filesAt(
  { files }: RecordedState,
  first: RecordedState | undefined,
): ReadonlyMap<string, string> | null {
  if (!files || !first?.files) return null;
  const all = new Map<string, string>();
  for (const [path, hash] of Object.entries({ ...first.files.changed, ...files.changed }))
    if (hash !== null) all.set(path, hash);
  return all;
}

function changesOf(
  now: ReadonlyMap<string, string>,
  first: ReadonlyMap<string, string> = new Map(),
): Record<string, string | null> {
  const gone = [...first.keys()].filter((path) => !now.has(path)).map((path) => [path, null] as const);
  return Object.fromEntries([...[...now].filter(([path, hash]) => first.get(path) !== hash), ...gone]);
}
