import * as z from 'zod';
import { dom, screenBox, screenPoint, type Usage } from '../../../bridge/protocol/index.ts';
import type { Fingerprint } from '../../ide/index.ts';
import type { LeftChanges } from '../../tasks/index.ts';

const observedFields = dom.observe.result.shape;

/** A file of this record, relative to its folder. Nothing outside `frames/` can be named. */
const framePath = z.string().regex(/^frames\/[\w-]+\.(png|json)$/, 'a file directly in frames/');

/** An observation as it is stored: pictures and marks are in separate files. Coordinates are screen pixels. */
export const recordedObservation = z.object({
  number: z.int().describe('the number that the agent saw; rises within one sandbox'),
  screen: framePath.describe('PNG; an unchanged screen names the file of the observation before'),
  width: z.int().positive(),
  height: z.int().positive(),
  pointer: screenPoint,
  changed: screenBox.nullable().describe('area that differs from the screen before; null if nothing does'),
  marks: framePath.describe('JSON array of the marks'),
  markCount: z.int().nonnegative(),
  omittedMarks: z.int().nonnegative().describe('marks beyond the bound'),
  annotated: framePath.nullable().describe('PNG with the marks drawn; null if it was not made'),
  focus: observedFields.focus,
  caret: observedFields.caret,
  workbench: z.boolean().describe('the focused page was the VS Code workbench'),
  title: z.string(),
  dialog: observedFields.dialog.describe('of the browser, in front of the page: there are no marks then'),
  unread: observedFields.unread
    .unwrap()
    .optional()
    .describe('parts of the page whose marks could not be read; absent if everything was read'),
});
export type RecordedObservation = z.output<typeof recordedObservation>;

/** The content of a marks file. */
export const recordedMarks = observedFields.marks;
export type RecordedMark = z.output<typeof recordedMarks>[number];

const contentHash = z.string().max(2000);

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
        .record(z.string(), contentHash.nullable())
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
          text: contentHash.describe('of its whole text, saved or not'),
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
export function makeStateEvent(
  step: number,
  screen: string | null,
  { files, editor }: Fingerprint,
  first: ReadonlyMap<string, string> | undefined,
): RecordedState {
  return {
    event: 'state',
    step,
    screen,
    files: files && { digest: files.digest, changed: findChangedEntries(files.entries, first) },
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

function findChangedEntries(
  now: ReadonlyMap<string, string>,
  first: ReadonlyMap<string, string> = new Map(),
): Record<string, string | null> {
  const gone = [...first.keys()].filter((path) => !now.has(path)).map((path) => [path, null] as const);
  return Object.fromEntries([...[...now].filter(([path, hash]) => first.get(path) !== hash), ...gone]);
}

/** The number of paths to name; the rest is counted. */
const mostPaths = 1000;

const changeCounts = {
  files: z.int().nonnegative().describe('files and links that have changed'),
  added: z.int().nonnegative().describe('lines'),
  removed: z.int().nonnegative().describe('lines'),
};

/** The agent's changes to its workspace, for tables and scripts. */
export const changesSummary = z.object({
  patch: z.string().nullable().describe("the patch's file in the record; null if the changes are not known"),
  problem: z.string().optional().describe('why they are not known'),
  ...changeCounts,
});

export const recordedChanges = z.object({
  event: z.literal('changes'),
  ...changesSummary.shape,
  paths: z
    .array(z.object({ path: z.string(), change: z.enum(['added', 'changed', 'deleted']) }))
    .max(mostPaths)
    .describe(`below the workspace, the first ${mostPaths}`),
  leadOut: z
    .array(z.string())
    .max(mostPaths)
    .default([])
    .describe('changed links that lead out of the workspace; the patch creates them unchanged'),
  omitted: z
    .array(z.object({ path: z.string(), why: z.enum(['git', 'ignored', 'name', 'special']) }))
    .max(mostPaths)
    .describe('paths that were not compared, as `pwp diff` names them'),
});
type RecordedChanges = z.output<typeof recordedChanges>;

/** @param file of the patch, in the record */
export function makeChangesEvent(changes: LeftChanges, file: string): RecordedChanges {
  if ('problem' in changes) {
    const none = { files: 0, added: 0, removed: 0, paths: [], leadOut: [], omitted: [] };
    return { event: 'changes', patch: null, problem: changes.problem, ...none };
  }
  const { added, removed, files, leadOut, omitted } = changes;
  return {
    event: 'changes',
    ...{ patch: file, files: files.length, added, removed },
    paths: files.slice(0, mostPaths),
    leadOut: leadOut.slice(0, mostPaths),
    omitted: omitted.slice(0, mostPaths),
  };
}

/** A limit of the sandbox. */
export const limitName = z.enum(['cpu', 'memory', 'pids', 'disk']);
type LimitName = z.output<typeof limitName>;

const limitNames = limitName.options;

/**
 * The limits that were hit between two readings. The limit of cores is left out: it works by throttling, and the usage
 * shows for how long.
 */
export function findNewLimitHits(before: Usage | null, now: Usage): LimitName[] {
  return limitNames.filter((name) => name !== 'cpu' && now.hits[name] > (before?.hits[name] ?? 0));
}

/** The limits that were hit at all. */
export function findLimitHits({ hits }: Usage): LimitName[] {
  return limitNames.filter((name) => hits[name] > 0);
}
