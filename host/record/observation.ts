import * as z from 'zod';
import { box, dom, point } from '../../bridge/protocol/index.ts';

const seen = dom.observe.result.shape;

/** A file of this record, relative to its folder. Nothing outside `frames/` can be named. */
export const framePath = z.string().regex(/^frames\/[\w-]+\.(png|json)$/, 'a file directly in frames/');

/** An observation as it is stored: pictures and marks are in separate files. Coordinates are screen pixels. */
export const recordedObservation = z.object({
  number: z.int().describe('the number that the agent saw; rises within one sandbox'),
  screen: framePath.describe('PNG; an unchanged screen names the file of the observation before'),
  width: z.int().positive(),
  height: z.int().positive(),
  pointer: point,
  changed: box.nullable().describe('area that differs from the screen before; null if nothing does'),
  marks: framePath.describe('JSON array of the marks'),
  markCount: z.int().nonnegative(),
  omittedMarks: z.int().nonnegative().describe('marks beyond the bound'),
  annotated: framePath.nullable().describe('PNG with the marks drawn; null if it was not made'),
  focus: seen.focus,
  caret: seen.caret,
  workbench: z.boolean().describe('the focused page was the VS Code workbench'),
  title: z.string(),
  dialog: seen.dialog.describe('of the browser, in front of the page: there are no marks then'),
  unread: seen.unread
    .unwrap()
    .optional()
    .describe('parts of the page whose marks could not be read; absent if everything was read'),
});
export type RecordedObservation = z.output<typeof recordedObservation>;

/** The content of a marks file. */
export const recordedMarks = seen.marks;
export type RecordedMark = z.output<typeof recordedMarks>[number];
