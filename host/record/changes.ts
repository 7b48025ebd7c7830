import * as z from 'zod';
import type { LeftChanges } from '../grade/index.ts';

/** The number of paths to name; the rest is counted. */
const mostPaths = 1000;

const counted = {
  files: z.int().nonnegative().describe('files and links that have changed'),
  added: z.int().nonnegative().describe('lines'),
  removed: z.int().nonnegative().describe('lines'),
};

/** The agent's changes to its workspace, for tables and scripts. */
export const changesSummary = z.object({
  patch: z.string().nullable().describe("the patch's file in the record; null if the changes are not known"),
  problem: z.string().optional().describe('why they are not known'),
  ...counted,
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
export function changesEvent(changes: LeftChanges, file: string): RecordedChanges {
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
